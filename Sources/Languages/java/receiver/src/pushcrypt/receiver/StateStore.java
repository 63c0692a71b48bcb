package pushcrypt.receiver;

/**
 * The store of what the receiver remembers: opened messages, withdrawals, waiting messages and registrations. It
 * keeps them out of backups. They contain identifiers, times, hashes and sealed messages, and no content.
 */
public interface StateStore extends Store { }
