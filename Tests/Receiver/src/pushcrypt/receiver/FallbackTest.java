package pushcrypt.receiver;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.Before;
import org.junit.Test;
import pushcrypt.PushCryptException;

/** The app's own text, which the original takes the place of when it opens later. */
public class FallbackTest {
    private World world;

    @Before
    public void register() throws Exception {
        world = new World().registered();
    }

    private void lock() {
        world.secrets.hook = (operation, name, isBefore) -> {
            if (name.startsWith("keys.")) {
                throw new PushCryptException("device-locked", "Not before the first unlock.");
            }
        };
    }

    private void unlock() {
        world.secrets.hook = (operation, name, isBefore) -> { };
    }

    @Test
    public void theOriginalTakesThePlaceOfTheFallback() throws Exception {
        lock();
        String sealed = world.sealed(world.shop, "one");
        world.receive(sealed);
        world.receive(sealed);
        assertEquals(Collections.singletonList("(Encrypted)"), world.display.bodies());
        unlock();
        world.now += 30 * World.DAY; // The age is judged by the arrival.
        assertEquals(Outcome.Kind.OPENED, world.receiver.resume().get(0).kind());
        assertEquals(Collections.singletonList("one"), world.display.bodies());
        assertTrue(world.display.notices.values().iterator().next().isSilent());
    }

    @Test
    public void aDismissedFallbackStaysDismissed() throws Exception {
        lock();
        world.receive(world.sealed(world.shop, "one"));
        unlock();
        world.display.dismiss("(Encrypted)");
        assertEquals(0, world.receiver.resume().size());
        assertEquals(Collections.emptyList(), world.display.bodies());
    }

    @Test
    public void aFallbackNeverReplacesTheOriginal() {
        String sealed = world.sealed(world.shop, "one");
        world.receive(sealed);
        lock();
        assertEquals("device-locked", world.receive(sealed).code());
        assertEquals(Collections.singletonList("one"), world.display.bodies());
        world.display.dismiss("one");
        world.receive(sealed);
        assertEquals(Collections.emptyList(), world.display.bodies());
    }

    @Test
    public void aWithdrawalRemovesItsOwnFallback() throws Exception {
        lock();
        world.receive(world.withdrawal(world.shop, "thread-ids", "family"));
        unlock();
        assertEquals(Outcome.Kind.WITHDRAWAL, world.receiver.resume().get(0).kind());
        assertEquals(Collections.emptyList(), world.display.bodies());
    }

    @Test
    public void theTextsAreTheApps() throws Exception {
        world.receiver = world.builder().fallback(new FallbackText("New", "Removed", "Locked")).build();
        lock();
        world.receive(world.sealed(world.shop, "one"));
        unlock();
        String sealed = world.sealed(world.bank, "two");
        world.receiver.registrar(world.bank, "device").remove();
        world.receive(sealed);
        world.receive("!");
        assertEquals(Arrays.asList("Locked", "New", "Removed"), world.display.bodies());
    }

    @Test
    public void theDeadlineDisplaysTheFallbackUntilTheOriginalIsOpen() throws Exception {
        ReceiverBuilder builder = world.builder();
        builder.deadline = 50;
        CountDownLatch late = new CountDownLatch(1);
        CountDownLatch isDone = new CountDownLatch(2);
        builder.log(new Log() {
            @Override
            public void decided(Outcome outcome) {
                isDone.countDown();
            }
        });
        world.receiver = builder.build();
        world.secrets.hook = (operation, name, isBefore) -> {
            if (name.startsWith("keys.")) {
                await(late);
            }
        };
        String sealed = world.sealed(world.shop, "one");
        Outcome outcome = world.receive(sealed);
        assertEquals("deadline-passed", outcome.code());
        assertEquals(Collections.singletonList("(Encrypted)"), world.display.bodies());
        late.countDown();
        assertTrue(isDone.await(10, TimeUnit.SECONDS));
        assertEquals(Collections.singletonList("one"), world.display.bodies());
        assertEquals(1, world.display.notices.size());
    }

    @Test
    public void aKillAfterTheDeadlineIsRepairedAtTheNextStart() throws Exception {
        ReceiverBuilder builder = world.builder();
        builder.deadline = 50;
        world.receiver = builder.build();
        CountDownLatch never = new CountDownLatch(1);
        world.secrets.hook = (operation, name, isBefore) -> {
            if (name.startsWith("keys.")) {
                await(never);
                throw new Killed();
            }
        };
        world.receive(world.sealed(world.shop, "one"));
        unlock();
        world.start();
        world.receiver.resume();
        assertEquals(Collections.singletonList("one"), world.display.bodies());
        never.countDown();
    }

    @Test
    public void manyThreadsDisplayAMessageOnce() throws Exception {
        String sealed = world.sealed(world.shop, "one");
        Thread[] threads = new Thread[8];
        for (int at = 0; at < threads.length; at++) {
            threads[at] = new Thread(() -> world.receive(sealed));
            threads[at].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(Collections.singletonList("one"), world.display.bodies());
        assertEquals(1, (int) world.display.appearances.get("one"));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException problem) {
            Thread.currentThread().interrupt();
        }
    }
}
