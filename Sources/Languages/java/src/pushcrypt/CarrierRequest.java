package pushcrypt;

import java.util.Map;

/** The request to a carrier: its body, and its headers. The URL and your credentials aren't part of it. */
public record CarrierRequest(byte[] body, Map<String, String> headers) {}
