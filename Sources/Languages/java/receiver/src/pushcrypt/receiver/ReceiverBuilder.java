package pushcrypt.receiver;

import java.util.List;
import pushcrypt.PushCryptException;
import pushcrypt.Registration;

/** The settings of a receiver. */
public final class ReceiverBuilder {
    final List<Account> accounts;
    final Carrier carrier;
    final SecretStore secrets;
    final StateStore state;
    final Display display;
    Clock clock = Clock.SYSTEM;
    KeySource source = KeySource.SYSTEM;
    FallbackText fallback = new FallbackText("");
    Strings strings = Strings.NONE;
    Log log = Log.NONE;
    long maximumLifetime = Registration.MAXIMUM_LIFETIME;
    /** The deadline in milliseconds: Firebase allows 20 seconds. */
    long deadline = 15_000;
    int capacity = ReplayMemory.CAPACITY;
    boolean requiresReplayGuard;

    /** Creates the settings of a receiver without opening a store. */
    public ReceiverBuilder(
        List<Account> accounts, Carrier carrier, SecretStore secrets, StateStore state, Display display) {
        this.accounts = accounts;
        this.carrier = carrier;
        this.secrets = secrets;
        this.state = state;
        this.display = display;
    }

    /** Sets the source of the time. */
    public ReceiverBuilder clock(Clock value) {
        clock = value;
        return this;
    }

    /** Sets the app's words for messages that can't be opened; {@code (Encrypted)} by default. */
    public ReceiverBuilder fallback(FallbackText value) {
        fallback = value;
        return this;
    }

    /** Sets the app's texts for the keys that originals name. */
    public ReceiverBuilder strings(Strings value) {
        strings = value;
        return this;
    }

    /** Sets the app's log. */
    public ReceiverBuilder log(Log value) {
        log = value;
        return this;
    }

    /** Sets the seconds after which the fallback is displayed; 15 by default, and 0 waits without a limit. */
    public ReceiverBuilder deadline(long seconds) {
        deadline = seconds * 1000;
        return this;
    }

    /** Shortens the lifetime of all messages, in seconds. It can't be extended. */
    public ReceiverBuilder maximumLifetime(long seconds) {
        maximumLifetime = Math.min(seconds, Registration.MAXIMUM_LIFETIME);
        return this;
    }

    /** Displays the fallback if the replay guard can't be used. Otherwise a message may be displayed twice then. */
    public ReceiverBuilder requireReplayGuard() {
        requiresReplayGuard = true;
        return this;
    }

    /** Creates the receiver, or throws invalid-configuration if two accounts have one name. */
    public Receiver build() throws PushCryptException {
        return new Receiver(this);
    }
}
