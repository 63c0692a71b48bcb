#if APNs
public import PushCryptSender

/// A push with its headers, sealed or not.
///
/// ```swift
/// let headers = APNsHeaders(topic: "com.example.app")
/// let payload = Array(#"{"aps":{"alert":"Maintenance tonight"}}"#.utf8)
/// let push = APNsPush(payload: payload, headers: headers)
/// ```
public struct APNsPush: Sendable {
    let payload: [UInt8]
    let headers: APNsHeaders
    var isSealed: Bool

    /// Creates a push from a sealed one.
    public init(_ push: SealedPush) {
        payload = push.payload
        headers = push.headers
        isSealed = true
    }

    /// Creates a push from the body of its request: JSON in UTF-8, at most 4096 bytes, or 5120 for
    /// VoIP.
    ///
    /// It counts as sealed if it has an `ENCRYPTED_DATA` of a known version, and no other readable
    /// members than a sealer leaves. The words of the placeholder aren't checked. Only the device
    /// can tell if the sealed value is authentic. The standard placeholder alone, and a background
    /// push without content, count as sealed, too.
    public init(payload: [UInt8], headers: APNsHeaders) {
        self.payload = payload
        self.headers = headers
        isSealed = SealedFrame.fits(payload, headers.pushType)
    }
}
#endif
