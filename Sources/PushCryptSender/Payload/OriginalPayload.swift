/// The payload that a sender wants to be read by one device alone, scanned and checked.
struct OriginalPayload {
    /// The JSON without white space between its tokens; otherwise byte for byte as it was given.
    let bytes: [UInt8]

    /// Where the members are in `bytes`.
    private let document: JSONDocument

    /// The object that `aps` is, where there is one.
    private let aps: Int32?

    /// Scans a payload and checks what its push type requires.
    ///
    /// - Throws: ``PushCryptError`` with `malformedJSON`, `alreadySealed`, `invalidPayload`, `noAlertText` or
    ///   `payloadTooLarge`.
    init(_ json: [UInt8], type: PushType) throws(PushCryptError) {
        var bytes = json
        var document = try JSONDocument(scanning: json.span)
        if document.whitespace > 0 {
            bytes = JSONMinifier.minified(json.span, document)
            document = try JSONDocument(scanning: bytes.span)
        }
        guard bytes.count <= MessageFormat.maximumPayloadLength else {
            throw PushCryptError(
                .payloadTooLarge,
                "The payload has \(bytes.count) bytes, and APNs takes \(type.maximumPayloadLength) for this push type.")
        }
        guard document.member(Envelope.payloadKey, in: bytes.span) == nil else {
            throw PushCryptError(
                .alreadySealed, "The payload has an ENCRYPTED_DATA already. Seal the original, and that once.")
        }
        aps = try Self.object("aps", of: 0, document, bytes)
        self.bytes = bytes
        self.document = document
        switch type {
        case .alert: try checkAlert()
        case .background: try checkBackground()
        case .voip: break
        }
    }

    // MARK: What each push type requires

    /// The extension runs only for an alert with text, and what it makes of it is heeded only if there is text again.
    private func checkAlert() throws(PushCryptError) {
        guard let aps else {
            throw PushCryptError(.invalidPayload, "The payload has no dictionary \"aps\", which every alert push has.")
        }
        guard let alert = document.member("alert", of: aps, in: bytes.span) else { throw Self.noText }
        switch document.kind(of: alert, in: bytes.span) {
        case .string:
            guard alert.value.count > 2 else { throw Self.noText }
        case .object:
            var hasText = false
            for name in Self.textKeys {
                guard let member = document.member(name, of: alert.valueObject, in: bytes.span) else { continue }
                guard document.kind(of: member, in: bytes.span) == .string else {
                    throw PushCryptError(.invalidPayload, "\"\(name)\" in \"aps.alert\" is not a string.")
                }
                if member.value.count > 2 { hasText = true }
            }
            guard hasText else { throw Self.noText }
        default:
            throw PushCryptError(.invalidPayload, "\"aps.alert\" is neither a string nor a dictionary.")
        }
    }

    private static let textKeys = ["title", "subtitle", "body", "title-loc-key", "subtitle-loc-key", "loc-key"]

    private func checkBackground() throws(PushCryptError) {
        guard let aps, let available = document.member("content-available", of: aps, in: bytes.span),
            available.value.count == 1, bytes[available.value.lowerBound] == UInt8(ascii: "1")
        else {
            throw PushCryptError(.invalidPayload, "A background push has \"content-available\": 1 in \"aps\".")
        }
        for name in ["alert", "badge", "sound"] where document.member(name, of: aps, in: bytes.span) != nil {
            throw PushCryptError(
                .invalidPayload, "A background push has no \"\(name)\" in \"aps\". Send it as an alert push instead.")
        }
    }

    private static var noText: PushCryptError {
        PushCryptError(
            .noAlertText,
            "The payload's alert has no title, subtitle or body, so the system would not run the extension for it.")
    }

    private static func object(
        _ name: String, of parent: Int32, _ document: JSONDocument, _ bytes: [UInt8]
    ) throws(PushCryptError) -> Int32? {
        guard let member = document.member(name, of: parent, in: bytes.span) else { return nil }
        guard document.kind(of: member, in: bytes.span) == .object else {
            throw PushCryptError(.invalidPayload, "\"\(name)\" is not a dictionary.")
        }
        return member.valueObject
    }

    // MARK: What stays visible

    /// Writes the members of `aps` that are to stay visible, each with a comma before it, as they are spelt.
    func write(_ keys: Set<ExposedKey>, to target: inout [UInt8]) {
        guard let aps else { return }
        for key in ExposedKey.allCases where keys.contains(key) {
            guard let member = document.member(key.rawValue, of: aps, in: bytes.span) else { continue }
            target.append(UInt8(ascii: ","))
            JSONText.append(key.rawValue, to: &target)
            target.append(UInt8(ascii: ":"))
            target.append(contentsOf: bytes[member.value])
        }
    }
}
