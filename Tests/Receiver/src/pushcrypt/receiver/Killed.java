package pushcrypt.receiver;

/** The end of a process, for stores and displays in memory. */
final class Killed extends Error {
    private static final long serialVersionUID = 1;

    Killed() {
        super("The process was killed.", null, false, false);
    }
}
