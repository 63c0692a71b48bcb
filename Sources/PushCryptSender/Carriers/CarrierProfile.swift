internal import PushCryptCore
internal import PushCryptKeyring
internal import PushCryptPayload

/// The rules of a carrier for the pushes that it takes.
///
/// Each carrier hands APNs a payload with members of its own, which vary by project. The reserve is room for them.
struct CarrierProfile {
    /// The name in errors and in the documentation.
    let name: String

    /// The push types that the carrier takes.
    let types: [PushType]

    /// A Boolean value that indicates whether the device is Apple's, and the payload has `aps`.
    private(set) var hasAps = true

    /// The number of bytes for what the carrier adds to the payload.
    private var reserve = 0

    /// The number of characters that the sealed value may have at most.
    private var maximumValueLength = Int.max

    /// The keys of `aps` for which the carrier has a member.
    private(set) var exposedKeys = Set(ExposedKey.allCases)

    /// A Boolean value that indicates whether a readable sound may be a dictionary.
    private(set) var hasSoundDictionary = true

    /// A Boolean value that indicates whether the placeholder may have keys of the app's string table.
    private(set) var hasLocalizedText = true

    /// A Boolean value that indicates whether the placeholder must have a body.
    private(set) var requiresBody = false

    /// A Boolean value that indicates whether a push can have a collapse ID.
    private(set) var hasCollapseID = true

    /// Returns the rules of a carrier: of APNs for one that the library doesn't know, such as a relay of your own.
    init(_ carrier: Carrier) {
        switch carrier {
        case .apns: self.init("APNs", PushType.sealable)
        case .firebase: self = Self.firebase
        case .firebaseAndroid: self = Self.firebaseAndroid
        case .expo: self = Self.expo
        case .oneSignal: self = Self.oneSignal
        default: self.init("The carrier", PushType.sealable)
        }
    }

    private init(_ name: String, _ types: [PushType]) {
        self.name = name
        self.types = types
    }

    /// Firebase adds `gcm.message_id`, `google.c.fid`, `google.c.sender.id` and, for analytics, more `google.c.…`.
    private static var firebase: Self {
        var profile = Self("Firebase", [.alert, .background])
        profile.reserve = 256
        return profile
    }

    /// A message for Android has nothing but data: 4096 bytes of names and values.
    private static var firebaseAndroid: Self {
        var profile = Self("Firebase for Android", [.alert, .background])
        profile.hasAps = false
        profile.exposedKeys = []
        return profile
    }

    /// Expo moves the data to `body`, and adds `experienceId`, `scopeKey` and `projectId`.
    private static var expo: Self {
        var profile = Self("Expo", [.alert, .background])
        profile.reserve = 512
        profile.exposedKeys = [.category, .sound, .badge, .interruptionLevel, .contentAvailable]
        profile.hasLocalizedText = false
        profile.hasCollapseID = false
        return profile
    }

    /// OneSignal moves the data to `custom.a`, and adds `custom.i`.
    ///
    /// The data may have 2048 bytes.
    private static var oneSignal: Self {
        var profile = Self("OneSignal", [.alert, .background])
        profile.reserve = 512
        profile.maximumValueLength = 2048 - #"{"\#(Envelope.payloadKey)":""}"#.utf8.count
        profile.exposedKeys = [
            .category, .threadID, .sound, .badge, .interruptionLevel, .relevanceScore, .targetContentID,
            .contentAvailable,
        ]
        profile.hasSoundDictionary = false
        profile.hasLocalizedText = false
        profile.requiresBody = true
        return profile
    }
}

extension CarrierProfile {
    /// Returns the number of characters for sealed values beside the readable bytes; negative if these are too long.
    func room(beside readable: Int, _ type: PushType) -> Int {
        min(type.maximumPayloadLength - reserve - readable, maximumValueLength)
    }

    /// Throws if the carrier can't take a push with these headers and the settings of a sealer.
    ///
    /// - Throws: ``PushCryptError`` with `notSealable`, `invalidHeader`, `invalidPlaceholder` or `invalidPayload`.
    func check(_ headers: APNsHeaders, _ original: OriginalPayload, sealer: Sealer) throws(PushCryptError) {
        try check(headers)
        guard headers.pushType == .alert else { return }
        try checkExposedKeys(of: sealer, original)
        try check(sealer.placeholder)
    }

    /// Throws if the carrier can't take a push with these headers.
    func check(_ headers: APNsHeaders) throws(PushCryptError) {
        guard types.contains(headers.pushType) else {
            throw PushCryptError(
                .notSealable, "\(name) takes no sealed \(headers.pushType.rawValue) pushes. Send them to APNs.")
        }
        guard hasCollapseID || headers.collapseID == nil else {
            throw PushCryptError(.invalidHeader, "\(name) has no collapse ID. Omit it.")
        }
    }

    private func checkExposedKeys(of sealer: Sealer, _ original: OriginalPayload) throws(PushCryptError) {
        let unknown = sealer.exposedKeys.subtracting(exposedKeys)
        if let key = ExposedKey.allCases.first(where: unknown.contains) {
            throw PushCryptError(
                .invalidPayload, "\(name) has no member for a readable \(key.rawValue). Do not expose it.")
        }
        let hasSound = sealer.exposedKeys.contains(.sound) && original.outline[.sound]?.kind == .object
        guard hasSoundDictionary || !hasSound else {
            throw PushCryptError(.invalidPayload, "\(name) takes the name of a sound only. Do not expose the sound.")
        }
    }

    /// Throws if the carrier can't display a placeholder.
    func check(_ placeholder: Placeholder) throws(PushCryptError) {
        guard hasAps else { return }
        for line in [placeholder.title, placeholder.subtitle, placeholder.body] {
            guard case .localized = line, !hasLocalizedText else { continue }
            throw PushCryptError(
                .invalidPlaceholder, "\(name) takes no keys of the app's string table. Give the placeholder as text.")
        }
        guard !requiresBody || placeholder.body?.text.isEmpty == false else {
            throw PushCryptError(.invalidPlaceholder, "\(name) requires a body. Add it to the placeholder.")
        }
    }

    /// Throws `wrongCarrier` if a device is registered with another carrier.
    static func check(_ carrier: Carrier, of recipient: some SealTarget) throws(PushCryptError) {
        guard !recipient.isReached(by: carrier) else { return }
        throw PushCryptError(
            .wrongCarrier,
            """
            The push is sealed for \(carrier), but the device has a token of another carrier. Set the sealer's carrier.
            """)
    }
}
