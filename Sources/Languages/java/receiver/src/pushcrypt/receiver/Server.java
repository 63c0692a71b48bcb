package pushcrypt.receiver;

import java.io.IOException;

/** The app's connection to its server. */
public interface Server {
    /**
     * Posts the JSON of a request, as the signed-in user.
     *
     * @throws IOException if the server can't be reached or answers with another status
     */
    RegistrationResponse send(RegistrationRequest request) throws IOException;
}
