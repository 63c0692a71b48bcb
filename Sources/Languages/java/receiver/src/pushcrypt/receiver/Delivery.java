package pushcrypt.receiver;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import pushcrypt.Crypto;

/** A sealed value that has arrived. */
final class Delivery {
    /** The longest sealed value that is stored. */
    static final int MAXIMUM_LENGTH = 8192;

    final String text;
    /** The collapse id that the carrier has delivered; empty without one. */
    final String collapseId;
    /** The collapse id with which the value arrived first, if it waits. */
    String waitingCollapseId;
    /** The tag of the value's notification, which doesn't need to be opened for it. */
    final String tag;
    /** The time of the first arrival. */
    long arrival;
    /** Whether the fallback was displayed before. */
    boolean hasFallback;

    Delivery(String text, String collapseId, long arrival) {
        this.text = text;
        this.collapseId = collapseId;
        waitingCollapseId = collapseId;
        this.arrival = arrival;
        tag = tag(text);
    }

    static String tag(String text) {
        byte[] hash = Crypto.blake2b(null, text.getBytes(StandardCharsets.UTF_8));
        return "pushcrypt." + Crypto.encode(Arrays.copyOf(hash, 16));
    }
}
