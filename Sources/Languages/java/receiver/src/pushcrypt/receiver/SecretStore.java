package pushcrypt.receiver;

/**
 * The store of the device's keys and of the epoch. It encrypts its contents with a key that doesn't leave the
 * device, and keeps them out of backups. It never reports contents as missing that it can't read now.
 */
public interface SecretStore extends Store { }
