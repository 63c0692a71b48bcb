package pushcrypt.receiver;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import pushcrypt.PushCryptException;

/** A store in memory, whose operations can fail or end the process. */
final class MemoryStore implements SecretStore, StateStore {
    /** Is called before and after each operation. */
    interface Hook {
        void at(String operation, String name, boolean isBefore) throws PushCryptException;
    }

    final Map<String, byte[]> contents = new HashMap<>();
    Hook hook = (operation, name, isBefore) -> { };
    private final Map<String, ReentrantLock> locks = new HashMap<>();

    @Override
    public synchronized byte[] read(String name) throws PushCryptException {
        hook.at("read", name, true);
        byte[] found = contents.get(name);
        return found == null ? null : found.clone();
    }

    @Override
    public synchronized void write(String name, byte[] bytes) throws PushCryptException {
        hook.at("write", name, true);
        contents.put(name, bytes.clone());
        hook.at("write", name, false);
    }

    @Override
    public synchronized void delete(String name) throws PushCryptException {
        hook.at("delete", name, true);
        contents.remove(name);
    }

    @Override
    public <Result> Result locked(String name, Action<Result> action) throws PushCryptException {
        ReentrantLock lock;
        synchronized (this) {
            lock = locks.computeIfAbsent(name, each -> new ReentrantLock());
        }
        if (lock.isHeldByCurrentThread()) {
            throw new IllegalStateException("The lock is held already.");
        }
        lock.lock();
        try {
            hook.at("lock", name, true);
            return action.run();
        } finally {
            lock.unlock();
        }
    }
}
