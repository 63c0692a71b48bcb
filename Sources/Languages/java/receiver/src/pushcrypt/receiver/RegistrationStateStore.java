package pushcrypt.receiver;

import java.nio.charset.StandardCharsets;
import pushcrypt.Crypto;
import pushcrypt.PushCryptException;

/** The state of one registration in the store. */
final class RegistrationStateStore {
    /** A change of the state. */
    interface Change {
        /** Changes the state. */
        void apply(RegistrationState state);
    }

    private final StateStore store;
    private final String name;
    private final KeySource source;

    RegistrationStateStore(StateStore store, Account account, KeySource source) {
        this.store = store;
        this.source = source;
        name = "registration." + account.id();
    }

    /** Returns the state, and creates the random name of the installation if it's missing. */
    RegistrationState read() throws PushCryptException {
        return store.locked(name, this::readOrCreate);
    }

    void update(Change change) throws PushCryptException {
        store.locked(name, () -> {
            RegistrationState state = readOrCreate();
            change.apply(state);
            write(state);
            return null;
        });
    }

    void delete() throws PushCryptException {
        store.locked(name, () -> {
            store.delete(name);
            return null;
        });
    }

    private RegistrationState readOrCreate() throws PushCryptException {
        byte[] bytes = store.read(name);
        // Damaged contents are replaced: the keys are elsewhere, and the server is asked again.
        RegistrationState state = bytes == null ? null : RegistrationState.parse(bytes);
        if (state == null) {
            state = new RegistrationState();
            state.installation = Crypto.encode(source.random(16));
            write(state);
        }
        return state;
    }

    private void write(RegistrationState state) throws PushCryptException {
        store.write(name, state.toJson().getBytes(StandardCharsets.UTF_8));
    }
}
