package pushcrypt.receiver;

import pushcrypt.PushCryptException;

/** A place of named contents that the threads and the processes of one app share. */
public interface Store {
    /** A step that a store runs exclusively. */
    interface Action<Result> {
        /** Runs the step. */
        Result run() throws PushCryptException;
    }

    /**
     * Returns the contents; null only if they certainly don't exist.
     *
     * @param name lower-case letters, digits, hyphens, underscores and dots
     */
    byte[] read(String name) throws PushCryptException;

    /** Replaces the contents atomically. When it returns, a loss of power doesn't lose them. */
    void write(String name, byte[] contents) throws PushCryptException;

    /** Deletes the contents if they exist. */
    void delete(String name) throws PushCryptException;

    /**
     * Runs a step while no other thread and no other process runs one for the name. A step doesn't begin another
     * one.
     */
    <Result> Result locked(String name, Action<Result> action) throws PushCryptException;
}
