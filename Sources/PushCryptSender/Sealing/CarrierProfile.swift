internal import PushCryptCore
internal import PushCryptKeyring
internal import PushCryptPayload

/// The rules of a carrier for the pushes that it takes.
struct CarrierProfile {
    /// The name in errors and in the documentation.
    let name: String

    /// The push types that the carrier takes.
    let types: [PushType]

    /// A Boolean value that indicates whether the device is Apple's, and the payload has `aps`.
    var hasAps = true

    /// The number of bytes for what the carrier adds to the payload.
    var reserve = 0

    /// The number of characters that the sealed value may have at most.
    var maximumValueLength = Int.max

    /// The keys of `aps` for which the carrier has a member.
    var exposedKeys = Set(ExposedKey.inAlerts)

    /// A Boolean value that indicates whether a readable sound may be a dictionary.
    var hasSoundDictionary = true

    /// A Boolean value that indicates whether the placeholder may have keys of the app's string
    /// table.
    var hasLocalizedText = true

    /// A Boolean value that indicates whether the placeholder must have a body.
    var requiresBody = false

    /// A Boolean value that indicates whether a push can have a collapse ID.
    var hasCollapseID = true

    /// Creates the rules of a carrier, or those of APNs for one that the library doesn't know.
    init(_ carrier: Carrier) {
        self =
            Self.known(carrier)
            ?? Self(carrier == .apns ? "APNs" : "The carrier", PushType.sealable)
    }

    /// Creates the rules of APNs, which a carrier's own ones change.
    init(_ name: String, _ types: [PushType]) {
        self.name = name
        self.types = types
    }
}

extension CarrierProfile {
    /// Returns the number of characters for sealed values beside the readable bytes; negative if
    /// these are too long.
    func room(beside readable: Int, _ type: PushType) -> Int {
        min(type.maximumPayloadLength - reserve - readable, maximumValueLength)
    }

    /// Throws if the carrier can't take a push with these headers.
    func check(_ headers: APNsHeaders) throws(PushCryptError) {
        guard types.contains(headers.pushType) else {
            throw PushCryptError(
                .notSealable,
                "\(name) takes no sealed \(headers.pushType.rawValue) pushes. Send them to APNs.")
        }
        guard hasCollapseID || headers.collapseID == nil else {
            throw PushCryptError(.invalidHeader, "\(name) has no collapse ID. Omit it.")
        }
    }

    /// Throws if the carrier has no member for an exposed value of an original.
    func check(_ keys: Set<ExposedKey>, of original: OriginalPayload) throws(PushCryptError) {
        let unknown = keys.subtracting(exposedKeys)
        if let key = ExposedKey.inAlerts.first(where: unknown.contains) {
            throw PushCryptError(
                .invalidPayload,
                "\(name) has no member for a readable \(key.rawValue). Do not expose it.")
        }
        let hasSound = keys.contains(.sound) && original.outline[.sound]?.kind == .object
        guard hasSoundDictionary || !hasSound else {
            throw PushCryptError(
                .invalidPayload, "\(name) takes the name of a sound only. Do not expose the sound.")
        }
    }

    /// Throws if the carrier can't display a placeholder.
    func check(_ placeholder: Placeholder) throws(PushCryptError) {
        guard hasAps else { return }
        for line in [placeholder.title, placeholder.subtitle, placeholder.body] {
            guard case .localized = line, !hasLocalizedText else { continue }
            throw PushCryptError(
                .invalidPlaceholder,
                "\(name) takes no keys of the app's string table. Give the placeholder as text.")
        }
        guard !requiresBody || placeholder.body?.text.isEmpty == false else {
            throw PushCryptError(
                .invalidPlaceholder, "\(name) requires a body. Add it to the placeholder.")
        }
    }

    /// Throws `wrongCarrier` if a device is registered with another carrier.
    static func check(_ carrier: Carrier, of recipient: some SealTarget) throws(PushCryptError) {
        guard !recipient.isReached(by: carrier) else { return }
        throw PushCryptError(
            .wrongCarrier,
            """
            The push is sealed for \(carrier), but the device has a token of another carrier. Set \
            the sealer's carrier.
            """)
    }
}
