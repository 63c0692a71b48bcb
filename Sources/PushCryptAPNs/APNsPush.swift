#if APNs
internal import PushCryptCore
public import PushCryptSender

/// A push with its headers, sealed or not.
///
/// ```swift
/// let headers = APNsHeaders(topic: "com.example.app")
/// let push = APNsPush(payload: Array(#"{"aps":{"alert":"Maintenance tonight"}}"#.utf8), headers: headers)
/// ```
public struct APNsPush: Sendable {
    let payload: [UInt8]
    let headers: APNsHeaders
    var isSealed: Bool

    /// Creates a push from a sealed one.
    public init(_ push: SealedPush) { (payload, headers, isSealed) = (push.payload, push.headers, true) }

    /// Creates a push from the body of its request: JSON in UTF-8, at most 4096 bytes, or 5120 for VoIP.
    ///
    /// It counts as sealed if it has an `ENCRYPTED_DATA` of a known version. Only the device can tell if that is authentic.
    public init(payload: [UInt8], headers: APNsHeaders) {
        (self.payload, self.headers) = (payload, headers)
        isSealed = Self.isSealed(payload, headers.pushType)
    }

    private static func isSealed(_ payload: [UInt8], _ type: PushType) -> Bool {
        guard let document = try? JSONDocument(scanning: payload.span) else { return false }
        var value: JSONDocument.Value? = document.root
        for name in (type == .liveActivity ? ["aps", "content-state"] : []) + [Envelope.payloadKey] {
            value = document.member(name, of: value, in: payload.span)
        }
        guard let text = document.string(value, in: payload.span),
            let envelope = try? Base64URL.decode(Array(text.utf8).span)
        else { return false }
        return (try? Envelope.keyID(of: envelope)) != nil
    }
}
#endif
