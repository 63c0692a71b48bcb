package pushcrypt.receiver;

import java.io.IOException;
import pushcrypt.PushCryptException;

/** The conversation of a device with its server: a registration, its response, and the registration that follows. */
final class Conversation {
    /** The time in seconds for which the device waits for a challenge, and within which a push asks once. */
    private static final long HOUR = 3600;

    final KeyringStore keyrings;
    final RegistrationStateStore states;
    private final Receiver receiver;
    private final Account account;
    private final String device;

    Conversation(Receiver receiver, Account account, String device) {
        this.receiver = receiver;
        this.account = account;
        this.device = device;
        keyrings = new KeyringStore(receiver.secrets, account, receiver.source);
        states = new RegistrationStateStore(receiver.state, account, receiver.source);
    }

    /** The result of one conversation. */
    static final class Confirmation {
        PushCryptException failure;
        boolean isChallenged;
    }

    /** Registers, and registers again if the keys or the accepted keys change by the response. */
    void confirm(DeviceRegistration registration, String token, Server server)
        throws PushCryptException, IOException {
        Confirmation confirmation = confirmOnce(registration, token, server);
        PushCryptException failure = confirmation.failure;
        for (int attempt = 0; attempt < 2; attempt++) {
            DeviceRegistration next = keys().prepare(false).registration;
            boolean isSettled =
                confirmation.isChallenged ? isAwaitingChallenge(next, token) : isKnown(next, token);
            if (isSettled) {
                break;
            }
            confirmation = confirmOnce(next, token, server);
            failure = confirmation.failure == null ? failure : confirmation.failure;
        }
        if (failure != null) {
            throw failure;
        }
    }

    private Confirmation confirmOnce(DeviceRegistration registration, String token, Server server)
        throws PushCryptException, IOException {
        DeviceRegistration sent = registration;
        RegistrationResponse response = begin(sent, token, server);
        if (response.kind == RegistrationResponse.Kind.STALE) {
            keys().followGeneration(response.generation, sent.generation);
            // Another call may have rotated the key meanwhile.
            sent = keys().registration();
            response = begin(sent, token, server);
        }
        return record(response, sent, token);
    }

    /** Sends a registration, and remembers that the device has begun it. */
    private RegistrationResponse begin(DeviceRegistration registration, String token, Server server)
        throws PushCryptException, IOException {
        boolean[] wantsVisible = new boolean[1];
        String hash = registered(registration, token).token;
        long now = seconds();
        states.update(state -> {
            // If the answer is lost, the server may have stored this registration instead of the last confirmed one.
            state.confirmed = null;
            wantsVisible[0] = state.begin(registration.text, hash, now);
        });
        return server.send(
            new RegistrationRequest(registration.text, token, receiver.carrier.name(), wantsVisible[0]));
    }

    /** Records the server's response to a registration, or to its proof. */
    Confirmation record(RegistrationResponse response, DeviceRegistration registration, String token)
        throws PushCryptException {
        long date = response.date == null ? receiver.clock.now() : response.date;
        Confirmation confirmation = new Confirmation();
        switch (response.kind) {
            case STALE:
                throw new PushCryptException("stale-generation", "The server rejected a registration with a newer "
                    + "generation than its own. Check the server's comparison.");
            case CHALLENGED:
                states.update(state -> {
                    if (state.begun != null) {
                        state.begun.challenges++;
                        state.begun.isWaiting = true;
                    }
                });
                confirmation.isChallenged = true;
                confirmation.failure = keys().addLists(response.lists, date);
                return confirmation;
            default:
                keys().confirm(registration.kid, response.date);
                // Before the confirmation is recorded: after a kill in between, the next start asks for the lists
                // again.
                confirmation.failure = keys().addLists(response.lists, date);
                states.update(state -> state.confirm(registered(registration, token), seconds()));
                return confirmation;
        }
    }

    /** Returns whether the server has sent a challenge for the registration within the last hour. */
    boolean isAwaitingChallenge(DeviceRegistration registration, String token) throws PushCryptException {
        RegistrationState.Begun begun = states.read().begun;
        if (begun == null || !begun.isWaiting || !begun.registration.equals(registration.text)) {
            return false;
        }
        return begun.token.equals(registered(registration, token).token) && !isDue(begun.asked, seconds());
    }

    // State

    /** Returns whether an hour has passed since a time. A clock that was set back doesn't lock requests out. */
    static boolean isDue(Long last, long now) {
        return last == null || now < last || now - last >= HOUR;
    }

    RegistrationState.Registered registered(DeviceRegistration registration, String token) {
        return new RegistrationState.Registered(registration, token, receiver.carrier.name(), account);
    }

    boolean isKnown(DeviceRegistration registration, String token) throws PushCryptException {
        return states.read().isKnown(registered(registration, token), seconds());
    }

    DeviceKeys keys() throws PushCryptException {
        Installation installation = new Installation(device, states.read().installation);
        return new DeviceKeys(keyrings, account, installation, receiver.source, receiver.clock);
    }

    long seconds() {
        return Math.floorDiv(receiver.clock.now(), 1000L);
    }
}
