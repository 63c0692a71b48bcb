package pushcrypt.receiver;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import pushcrypt.Crypto;
import pushcrypt.PushCryptException;
import pushcrypt.Registration;

/** A registration of the app with a server, for example of one signed-in user. */
public final class Account {
    private static final long WEEK = 7 * 24 * 3600;

    final String name;
    final SenderPolicy policy;
    /** The server's permanent name of the user, which a proof binds. */
    final String user;
    /** The age in seconds that a key doesn't exceed if the app runs daily. */
    final long rotationAge;
    /** The longest lifetime in seconds of pushes to new keys. */
    final long lifetime;

    /**
     * Creates an account whose keys are replaced after 7 days, for pushes of at most 7 days.
     *
     * @param name a permanent name that no other account of the app has
     * @param user the server's permanent name of the user, which a proof binds; empty if the server has none
     */
    public Account(String name, SenderPolicy policy, String user) {
        this(name, policy, user, new long[] {WEEK, WEEK});
    }

    private Account(String name, SenderPolicy policy, String user, long[] periods) {
        this.name = name;
        this.policy = policy;
        this.user = user;
        rotationAge = periods[0];
        lifetime = periods[1];
    }

    /**
     * Returns the account with other periods, in seconds, which apply to the next key.
     *
     * @param rotationAge the age that a key doesn't exceed if the app runs daily
     * @param lifetime the longest lifetime of pushes, up to 30 days
     */
    public Account withPeriods(long rotationAge, long lifetime) throws PushCryptException {
        if (lifetime < 1 || lifetime > Registration.MAXIMUM_LIFETIME || rotationAge < 1) {
            throw new PushCryptException(
                "invalid-lifetime", "A period isn't valid. Give a lifetime of 1 second to 30 days.");
        }
        return new Account(name, policy, user, new long[] {rotationAge, lifetime});
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    /** Returns the hash of the name, for names in stores. */
    String id() {
        byte[] hash = Crypto.sha256(("pushcrypt/v1/account:" + name).getBytes(StandardCharsets.UTF_8));
        return Crypto.encode(Arrays.copyOf(hash, 12));
    }
}
