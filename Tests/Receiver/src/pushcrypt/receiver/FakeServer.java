package pushcrypt.receiver;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import pushcrypt.PublicKey;
import pushcrypt.PushCryptException;
import pushcrypt.Registration;

/** A server that stores the last registration, and answers as told. */
final class FakeServer implements Server {
    final List<RegistrationRequest> requests = new ArrayList<>();
    /** The next responses; null fails. An empty queue accepts. */
    final Deque<RegistrationResponse> responses = new ArrayDeque<>();
    final List<String> lists = new ArrayList<>();
    final Clock clock;
    /** The key of the last accepted registration. */
    PublicKey key;
    boolean fails;

    FakeServer(Clock clock) {
        this.clock = clock;
    }

    @Override
    public RegistrationResponse send(RegistrationRequest request) throws IOException {
        requests.add(request);
        if (fails) {
            throw new IOException("The server can't be reached.");
        }
        RegistrationResponse response =
            responses.isEmpty() ? RegistrationResponse.accepted(clock.now(), lists) : responses.poll();
        if (response.kind == RegistrationResponse.Kind.ACCEPTED) {
            try {
                key = Registration.parse(request.registration()).key;
            } catch (PushCryptException problem) {
                throw new IOException(problem);
            }
        }
        return response;
    }

    RegistrationRequest last() {
        return requests.get(requests.size() - 1);
    }

    static List<String> none() {
        return Collections.emptyList();
    }
}
