package pushcrypt;

import java.util.Map;

/**
 * The request to APNs: its body, and its headers in order. The carrier is the service that the push is sealed for, and the
 * time of issue is in milliseconds.
 */
public record Push(byte[] payload, Map<String, String> headers, String carrier, long issuedAt) {
    /**
     * Returns the request that hands the push to its carrier.
     *
     * @param token the carrier's token of the device
     */
    public CarrierRequest request(String token) throws PushCryptException {
        return request(token, "");
    }

    /** Returns the request for the app's id at OneSignal. Other carriers don't need it. */
    public CarrierRequest request(String token, String appId) throws PushCryptException {
        return new CarrierContent(this).request(token, appId);
    }
}
