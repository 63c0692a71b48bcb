#if APNs
internal import PushCryptCore
internal import PushCryptPayload
internal import PushCryptSender

/// The part of a sealed payload that stays readable, as section 2 of the format defines it for each
/// push type.
///
/// It is for payloads that the sealer may not have written. The words of the placeholder and the
/// values of exposed members can be anything.
struct SealedFrame {
    private let document: JSONDocument
    private let bytes: [UInt8]

    private static let alertKeys: [PayloadKey] = [
        .title, .subtitle, .body, .titleLocKey, .titleLocArgs, .subtitleLocKey, .subtitleLocArgs,
        .locKey, .locArgs,
    ]
    private static let soundKeys: [PayloadKey] = [.critical, .name, .volume]
    private static let exposedKeys = ExposedKey.inAlerts.map(\.rawValue)

    private init(_ document: JSONDocument, _ bytes: [UInt8]) {
        self.document = document
        self.bytes = bytes
    }

    /// Returns a Boolean value that indicates whether a payload has a sealed value, and nothing
    /// readable that a sealer doesn't leave readable in a push of this type, or if it has no
    /// content at all.
    static func fits(_ payload: [UInt8], _ type: PushType) -> Bool {
        if type == .background, payload == SealedPush.registrationRequest { return true }
        if type == .alert, payload == SealedPush.standardPlaceholder { return true }
        guard let document = try? JSONDocument(scanning: payload.span) else { return false }
        let frame = SealedFrame(document, payload)
        guard let aps = frame.member("aps", of: document.root), aps.kind == .object else {
            return false
        }
        if type == .liveActivity { return frame.isLiveActivity(aps) }
        guard type.messageKind != nil, frame.hasOnly(["aps", Envelope.payloadKey], document.root),
            frame.isSealedValue(frame.member(Envelope.payloadKey, of: document.root))
        else { return false }
        switch type {
        case .alert: return frame.isAlert(aps)
        case .background: return frame.hasOnly(["content-available"], aps)
        default: return frame.hasOnly([], aps)
        }
    }

    // MARK: Push types

    private func isAlert(_ aps: JSONDocument.Value) -> Bool {
        guard hasOnly(["alert", "mutable-content"] + Self.exposedKeys, aps) else { return false }
        for member in document.children(of: aps) {
            switch name(of: member) {
            case "alert":
                guard member.kind == .object, hasOnly(Self.alertKeys.map(\.rawValue), member) else {
                    return false
                }
            case "sound" where member.kind == .object:
                guard hasOnly(Self.soundKeys.map(\.rawValue), member) else { return false }
            default:
                guard member.kind != .object, member.kind != .array else { return false }
            }
        }
        return true
    }

    // The system reads all members of a Live Activity's `aps` except for its state and its
    // attributes.
    private func isLiveActivity(_ aps: JSONDocument.Value) -> Bool {
        guard hasOnly(["aps"], document.root) else { return false }
        let values = PayloadKey.sealedInLiveActivities.compactMap { member($0.rawValue, of: aps) }
            .filter { $0.kind != .null }
        return !values.isEmpty
            && values.allSatisfy { value in
                hasOnly([Envelope.payloadKey], value)
                    && isSealedValue(member(Envelope.payloadKey, of: value))
            }
    }

    // MARK: Values

    private func member(_ name: String, of value: JSONDocument.Value) -> JSONDocument.Value? {
        document.member(name, of: value, in: bytes.span)
    }

    private func name(of member: JSONDocument.Value) -> String {
        document.name(of: member, in: bytes.span)
    }

    private func hasOnly(_ names: [String], _ value: JSONDocument.Value) -> Bool {
        document.children(of: value).allSatisfy { names.contains(name(of: $0)) }
    }

    /// Returns a Boolean value that indicates whether a value begins as an envelope of a known
    /// version does.
    ///
    /// Only the device can tell if it's authentic.
    private func isSealedValue(_ value: JSONDocument.Value?) -> Bool {
        guard let text = document.string(value, in: bytes.span),
            let envelope = try? Base64URL.decode(Array(text.utf8).span)
        else { return false }
        return (try? Envelope.keyID(of: envelope)) != nil
    }
}
#endif
