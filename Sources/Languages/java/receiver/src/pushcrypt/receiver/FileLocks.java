package pushcrypt.receiver;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import pushcrypt.PushCryptException;

/** Locks of files among the threads of this process and other processes. */
final class FileLocks {
    private static final ConcurrentMap<Path, ReentrantLock> THREADS = new ConcurrentHashMap<>();

    private FileLocks() { }

    /** A lock that is held. */
    static final class Held {
        private final ReentrantLock lock;
        private final FileChannel channel;

        private Held(ReentrantLock lock, FileChannel channel) {
            this.lock = lock;
            this.channel = channel;
        }

        void close() {
            try {
                channel.close(); // It releases the file's lock.
            } catch (IOException problem) {
                return; // The descriptor is closed nevertheless.
            } finally {
                lock.unlock();
            }
        }
    }

    /** Locks a file, which is created if it's missing, or throws lock-timeout after some milliseconds. */
    static Held acquire(Path file, long patience) throws IOException, PushCryptException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patience);
        // A file's lock belongs to the process, so the threads take turns.
        Path whole = file.toAbsolutePath().normalize();
        ReentrantLock lock = THREADS.computeIfAbsent(whole, path -> new ReentrantLock(true));
        if (lock.isHeldByCurrentThread() || !tryLock(lock, patience)) {
            throw timeout(file);
        }
        boolean isHeld = false;
        FileChannel channel = null;
        try {
            channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            isHeld = await(channel, end);
            if (!isHeld) {
                throw timeout(file);
            }
            return new Held(lock, channel);
        } finally {
            if (!isHeld) {
                lock.unlock();
                if (channel != null) {
                    channel.close();
                }
            }
        }
    }

    private static boolean tryLock(ReentrantLock lock, long patience) {
        try {
            return lock.tryLock(patience, TimeUnit.MILLISECONDS);
        } catch (InterruptedException problem) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static boolean await(FileChannel channel, long end) throws IOException {
        while (true) {
            FileLock held = channel.tryLock();
            if (held != null) {
                return true;
            }
            if (System.nanoTime() >= end) {
                return false;
            }
            try {
                Thread.sleep(5);
            } catch (InterruptedException problem) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }

    private static PushCryptException timeout(Path file) {
        return new PushCryptException(
            "lock-timeout", "Another process or thread has held " + file + " for too long. Try again.");
    }
}
