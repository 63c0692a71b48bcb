package pushcrypt.receiver;

import java.io.IOException;
import java.util.List;
import pushcrypt.Challenges;
import pushcrypt.Opener;
import pushcrypt.PushCryptException;

/**
 * Creates, registers, rotates and deletes the keys of an account. The app calls {@link #register} at each start
 * and for each new token. After an interruption, the next call continues. {@link Receiver#registrar} creates it.
 */
public final class Registrar {
    /** The number of challenges that are answered one after the other. */
    private static final int ANSWERED_CHALLENGES = 3;

    private final Receiver receiver;
    private final Account account;
    private final Conversation conversation;

    Registrar(Receiver receiver, Account account, String device) {
        this.receiver = receiver;
        this.account = account;
        conversation = new Conversation(receiver, account, device);
    }

    /**
     * Prepares the keys, and registers them if the server doesn't know them.
     *
     * @param token the token that the carrier has issued
     * @throws IOException what the server's connection throws; the keys are safe then, and the next call continues
     * @throws PushCryptException key-unreadable or device-locked if the keys can't be used now, stale-generation,
     *     malformed-registration, missing-value for an empty token, the code of a list's broken rule, or a
     *     store's error
     */
    public Preparation register(String token, Server server) throws PushCryptException, IOException {
        if (token == null || token.isEmpty()) {
            throw new PushCryptException(
                "missing-value", "The device token is empty. Wait until the carrier has issued it.");
        }
        DeviceKeys.Prepared prepared = conversation.keys().prepare(true);
        if (prepared.missesTime) {
            conversation.states.update(state -> state.confirmed = null);
        }
        Exception failure = answerStoredChallenges(token, server);
        // The answer may have changed the keys.
        DeviceRegistration registration = conversation.keys().registration();
        boolean isSettled =
            prepared.preparation == Preparation.UNCHANGED && conversation.isKnown(registration, token);
        if (!isSettled && !conversation.isAwaitingChallenge(registration, token)) {
            conversation.confirm(registration, token, server);
        } else if (failure instanceof IOException) {
            throw (IOException) failure;
        } else if (failure != null) {
            throw (PushCryptException) failure;
        }
        return prepared.preparation;
    }

    /** Creates and registers a new key, because the keys may have leaked. The errors are those of {@link #register}. */
    public void renew(String token, Server server) throws PushCryptException, IOException {
        // A key that was created just now can't have leaked.
        if (conversation.keys().prepare(true).preparation == Preparation.UNCHANGED) {
            conversation.keys().renew();
        }
        register(token, server);
    }

    /**
     * Registers because a push without content asks for it, at most once an hour. Anyone who can send pushes can ask.
     *
     * @return whether the server was asked
     */
    public boolean registerIfDue(String token, Server server) throws PushCryptException, IOException {
        conversation.keys();
        boolean[] isDue = new boolean[1];
        long now = conversation.seconds();
        // Recorded before the request, so that a server that fails isn't asked again at once.
        conversation.states.update(state -> {
            isDue[0] = Conversation.isDue(state.asked, now);
            if (isDue[0]) {
                state.asked = now;
                state.confirmed = null;
            }
        });
        if (isDue[0]) {
            register(token, server);
        }
        return isDue[0];
    }

    /**
     * Deletes the account's keys when the user signs out. Tell the server first. Messages to the keys are removed-
     * account for 32 days.
     */
    public void remove() throws PushCryptException {
        try (Keyring ring = conversation.keyrings.read()) {
            if (ring != null) {
                receiver.messages.removeKeys(ring.keys());
            }
        }
        removeUnreadable();
    }

    /** Deletes the account's keys even if they can't be read, so that the next registration creates others. */
    public void removeUnreadable() throws PushCryptException {
        conversation.keyrings.delete();
        conversation.states.delete();
    }

    // Challenges

    /** Answers the account's stored challenges for the begun registration, the newest first, until one is accepted. */
    private Exception answerStoredChallenges(String token, Server server) throws PushCryptException {
        RegistrationState.Begun begun = conversation.states.read().begun;
        // Without a begun registration, the newest one proves the confirmed registration again.
        List<String> own = receiver.messages.challenges(begun == null ? 0 : begun.since * 1000);
        own.removeIf(text -> challenge(text) == null);
        Exception failure = null;
        for (String text : own.subList(0, Math.min(own.size(), begun == null ? 1 : ANSWERED_CHALLENGES))) {
            try {
                answer(challenge(text), token, server);
                receiver.messages.removeChallenges(own);
                return null;
            } catch (IOException | PushCryptException problem) {
                failure = problem;
            }
            if (begun == null) {
                receiver.messages.removeChallenges(own);
            } else if (!begun.isSame(conversation.states.read().begun)) {
                // After a confirmation or another registration, the other challenges prove nothing.
                return failure;
            }
        }
        return failure;
    }

    /** Returns the payload of a challenge, or null for another message or account. */
    private byte[] challenge(String text) {
        try {
            Opener.Message message = receiver.opening.openChallenge(text, account);
            return message.original();
        } catch (PushCryptException problem) {
            return null;
        }
    }

    /** Answers a challenge, for the registration that the device has begun or begins now. */
    private void answer(byte[] challenge, String token, Server server) throws PushCryptException, IOException {
        RegistrationState.Begun begun = conversation.states.read().begun;
        if (begun == null) {
            begun = beginAgain(token);
        }
        if (begun == null) {
            return;
        }
        DeviceRegistration registration = new DeviceRegistration(begun.registration);
        if (!conversation.registered(registration, token).token.equals(begun.token)) {
            // Another token or account since then.
            conversation.confirm(conversation.keys().prepare(false).registration, token, server);
            return;
        }
        conversation.states.update(state -> state.answered = conversation.seconds());
        Challenges.Device own = new Challenges.Device(token, account.user, receiver.carrier.name());
        String members = Challenges.proofMembers(challenge, begun.registration, own);
        RegistrationResponse response = server.send(
            new RegistrationRequest(begun.registration, token, receiver.carrier.name(), false).proving(members));
        if (response.kind == RegistrationResponse.Kind.STALE) {
            conversation.keys().followGeneration(response.generation, registration.generation);
            conversation.confirm(conversation.keys().registration(), token, server);
            return;
        }
        Conversation.Confirmation confirmation = conversation.record(response, registration, token);
        // The keys or the accepted keys may have changed since then.
        DeviceRegistration next = conversation.keys().prepare(false).registration;
        if (!confirmation.isChallenged && !conversation.isKnown(next, token)) {
            conversation.confirm(next, token, server);
        }
        if (confirmation.failure != null) {
            throw confirmation.failure;
        }
    }

    /** Begins the confirmed registration again, because a challenge asks for a new proof, at most once an hour. */
    private RegistrationState.Begun beginAgain(String token) throws PushCryptException {
        DeviceRegistration registration = conversation.keys().prepare(false).registration;
        String hash = conversation.registered(registration, token).token;
        long now = conversation.seconds();
        RegistrationState.Begun[] begun = new RegistrationState.Begun[1];
        conversation.states.update(state -> {
            if (Conversation.isDue(state.answered, now)) {
                state.confirmed = null;
                state.begin(registration.text, hash, now);
                begun[0] = state.begun;
            }
        });
        return begun[0];
    }
}
