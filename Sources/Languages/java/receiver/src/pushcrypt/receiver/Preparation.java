package pushcrypt.receiver;

/** The state in which a registration has found the keys. */
public enum Preparation {
    /** The first key was created. */
    CREATED,
    /** The keys belong to this installation. */
    UNCHANGED,
    /** The app's state was lost while the keys stayed, and a new key replaces them. */
    REINSTALLED,
    /** The keys came from another device, and a new key replaces them. */
    RESTORED
}
