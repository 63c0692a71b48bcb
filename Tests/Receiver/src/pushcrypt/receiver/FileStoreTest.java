package pushcrypt.receiver;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import pushcrypt.PushCryptException;

/** The store in files. */
public class FileStoreTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();
    private FileStore store;

    @Before
    public void create() {
        store = new FileStore(folder.getRoot(), 200);
    }

    private Path file(String name) {
        return folder.getRoot().toPath().resolve("pushcrypt." + name);
    }

    @Test
    public void contentsAreReplacedPrivatelyAndDeleted() throws Exception {
        assertNull(store.read("a"));
        store.write("a", new byte[] {1});
        store.write("a", new byte[] {2, 3});
        assertArrayEquals(new byte[] {2, 3}, store.read("a"));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file("a"))));
        assertTrue(store.hasAny("a"));
        store.delete("a");
        store.delete("a");
        assertNull(store.read("a"));
        assertFalse(store.hasAny(""));
    }

    @Test
    public void aMissingDirectoryIsNoMissingFile() throws Exception {
        FileStore other = new FileStore(new File(folder.getRoot(), "none"));
        assertEquals("file-not-found", assertThrows(PushCryptException.class, () -> other.read("a")).code());
        assertEquals(
            "file-not-found", assertThrows(PushCryptException.class, () -> other.write("a", new byte[1])).code());
    }

    @Test
    public void linksAndDirectoriesAreRefused() throws Exception {
        Path target = folder.newFile("target").toPath();
        Files.createSymbolicLink(file("link"), target);
        assertEquals("insecure-file", assertThrows(PushCryptException.class, () -> store.read("link")).code());
        Files.createDirectory(file("directory"));
        assertEquals("insecure-file", assertThrows(PushCryptException.class, () -> store.read("directory")).code());
    }

    @Test
    public void whatAKilledProcessLeftIsRemoved() throws Exception {
        Path left = file("a.new-1");
        Files.write(left, new byte[] {1});
        store.locked("b", () -> null);
        assertTrue(Files.exists(left));
        store.locked("a", () -> null);
        assertFalse(Files.exists(left));
    }

    @Test
    public void stepsOfThreadsTakeTurns() throws Exception {
        store.write("n", new byte[1]);
        FileStore patient = new FileStore(folder.getRoot());
        Thread[] threads = new Thread[4];
        for (int at = 0; at < threads.length; at++) {
            threads[at] = new Thread(() -> increment(patient));
            threads[at].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(40, store.read("n")[0]);
    }

    private static void increment(FileStore store) {
        for (int count = 0; count < 10; count++) {
            try {
                store.locked("n", () -> {
                    store.write("n", new byte[] {(byte) (store.read("n")[0] + 1)});
                    return null;
                });
            } catch (PushCryptException problem) {
                throw new AssertionError(problem);
            }
        }
    }

    @Test
    public void aHeldLockTimesOut() throws Exception {
        CountDownLatch isHeld = new CountDownLatch(1);
        CountDownLatch isTried = new CountDownLatch(1);
        Thread holder = new Thread(() -> {
            try {
                store.locked("a", () -> {
                    isHeld.countDown();
                    wait(isTried);
                    return null;
                });
            } catch (PushCryptException problem) {
                throw new AssertionError(problem);
            }
        });
        holder.start();
        isHeld.await();
        PushCryptException problem = assertThrows(PushCryptException.class, () -> store.locked("a", () -> null));
        assertEquals("lock-timeout", problem.code());
        isTried.countDown();
        holder.join();
        AtomicInteger count = new AtomicInteger();
        store.locked("a", count::incrementAndGet);
        assertEquals(1, count.get());
    }

    private static void wait(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException problem) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    public void errorsOfAStepAreItsOwn() {
        PushCryptException own = new PushCryptException("expired", "An error.");
        assertEquals(own, assertThrows(PushCryptException.class, () -> store.locked("a", () -> {
            throw own;
        })));
    }
}
