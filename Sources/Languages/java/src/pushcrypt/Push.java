package pushcrypt;

import java.util.Map;

/** The request to APNs: its body, and its headers in order. */
public record Push(byte[] payload, Map<String, String> headers) {}
