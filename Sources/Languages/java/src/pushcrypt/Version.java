package pushcrypt;

/** The version of the package. */
public final class Version {
    /** The version, for example 1.2.3. */
    public static final String VERSION = "0.1.0";

    private Version() {}
}
