public import PushCryptCore
public import PushCryptRules

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Seals APNs payloads, each for one device.
///
/// A sealer is a value without state: make one with the settings of your service and use it from any thread.
public struct Sealer: Sendable {
    /// Who signs.
    public var authentication: SenderAuthentication

    /// How the length of the original is hidden.
    public var padding: Padding

    /// What is shown where no extension opens the message.
    ///
    /// It travels in the clear.
    public var placeholder: Placeholder

    /// Which keys of the original's `aps` stay visible to everybody on the way.
    public var exposedKeys: Set<ExposedKey>

    /// Which texts of the alert may be cut where a payload is too long: one after the other, each only as far as must be.
    ///
    /// None by default: then a payload that is too long is an error. `[.body]` cuts the body, at the end of a character
    /// as people see it, and puts `…` behind it; the push says what was cut. The alert of a Live Activity push is not
    /// cut: it is not sealed.
    public var truncatableFields: [AlertField]

    /// Rules whose breach does not keep a payload from being sealed: for values that Apple has added since this release.
    public var ignoredRules: Set<Rule.ID>

    /// Where the time of issue comes from.
    public var time: any TimeSource

    /// Makes a sealer.
    ///
    /// - Parameters:
    ///   - authentication: who signs.
    ///   - padding: how the length of the original is hidden.
    ///   - placeholder: what is shown where no extension opens the message.
    ///   - exposedKeys: which keys of the original's `aps` stay visible.
    ///   - truncatableFields: which texts of the alert may be cut, and in which order.
    ///   - ignoredRules: rules whose breach does not keep a payload from being sealed.
    ///   - time: where the time of issue comes from.
    public init(
        _ authentication: SenderAuthentication, padding: Padding = .buckets, placeholder: Placeholder = .standard,
        exposedKeys: Set<ExposedKey> = [], truncatableFields: [AlertField] = [], ignoredRules: Set<Rule.ID> = [],
        time: any TimeSource = SystemTime()
    ) {
        self.authentication = authentication
        self.padding = padding
        self.placeholder = placeholder
        self.exposedKeys = exposedKeys
        self.truncatableFields = truncatableFields
        self.ignoredRules = ignoredRules
        self.time = time
    }

    // MARK: Payloads as JSON

    /// Checks a payload and does all the work that is the same for every device.
    ///
    /// - Parameters:
    ///   - json: the payload as you would send it without PushCrypt, in UTF-8. It arrives byte for byte, but for white
    ///     space between tokens.
    ///   - headers: the request headers that go with it.
    /// - Returns: the payload, ready to be sealed for any number of devices.
    /// - Throws: ``PushCryptError`` with `malformedJSON`, `alreadySealed`, `invalidPayload`, `noAlertText`,
    ///   `invalidPlaceholder`, `invalidHeader` or `payloadTooLarge`.
    public func prepare(
        json: [UInt8], headers: APNsHeaders = APNsHeaders()
    ) throws(PushCryptError) -> PreparedPush {
        try PreparedPush(json, headers, self)
    }

    /// Seals a payload for one device.
    ///
    /// - Parameters:
    ///   - json: the payload as you would send it without PushCrypt, in UTF-8.
    ///   - recipient: the device's public key.
    ///   - headers: the request headers that go with it.
    /// - Returns: what to send.
    /// - Throws: ``PushCryptError`` as `prepare(json:headers:)` does, and `sodiumUnavailable`.
    public func seal(
        json: [UInt8], for recipient: RecipientPublicKey, headers: APNsHeaders = APNsHeaders()
    ) throws(PushCryptError) -> SealedPush {
        var push = try prepare(json: json, headers: headers)
        // Two, should it be the start of a Live Activity.
        var ids = MessageIDPool(recipients: headers.pushType == .liveActivity ? 2 : 1)
        return try push.sealInPlace(for: recipient, ids: &ids)
    }

    /// Seals a payload for many devices, each with a message of its own.
    ///
    /// - Parameters:
    ///   - json: the payload as you would send it without PushCrypt, in UTF-8.
    ///   - recipients: the devices' public keys.
    ///   - headers: the request headers that go with it.
    /// - Returns: what to send, in the order of the recipients.
    /// - Throws: ``PushCryptError`` as `prepare(json:headers:)` does, and `sodiumUnavailable`.
    public func seal(
        json: [UInt8], for recipients: [RecipientPublicKey], headers: APNsHeaders = APNsHeaders()
    ) throws(PushCryptError) -> [SealedPush] {
        try prepare(json: json, headers: headers).seal(for: recipients)
    }

    // MARK: Payloads as values

    /// Checks a payload that is given as a value, and does all the work that is the same for every device.
    ///
    /// It is encoded by Foundation's `JSONEncoder` with its own defaults, dates as seconds since 2001 among them. To
    /// decide that yourself, encode it yourself and hand over the JSON.
    ///
    /// - Parameters:
    ///   - payload: a value that encodes to a payload as you would send it without PushCrypt.
    ///   - headers: the request headers that go with it.
    /// - Returns: the payload, ready to be sealed for any number of devices.
    /// - Throws: ``PushCryptError`` as `prepare(json:headers:)` does, and `invalidPayload` where the value does not
    ///   encode.
    public func prepare(
        _ payload: some Encodable, headers: APNsHeaders = APNsHeaders()
    ) throws(PushCryptError) -> PreparedPush {
        guard !(payload is String || payload is Data || payload is [UInt8]) else {
            throw PushCryptError(.invalidPayload, "JSON text is no value to encode. Give it with its label: json:.")
        }
        return try prepare(json: JSONText.encoded(payload), headers: headers)
    }

    /// Seals a payload that is given as a value for one device.
    ///
    /// - Parameters:
    ///   - payload: a value that encodes to a payload as you would send it without PushCrypt.
    ///   - recipient: the device's public key.
    ///   - headers: the request headers that go with it.
    /// - Returns: what to send.
    /// - Throws: ``PushCryptError`` as ``prepare(_:headers:)`` does.
    public func seal(
        _ payload: some Encodable, for recipient: RecipientPublicKey, headers: APNsHeaders = APNsHeaders()
    ) throws(PushCryptError) -> SealedPush {
        try prepare(payload, headers: headers).seal(for: recipient)
    }

    /// Seals a payload that is given as a value for many devices, each with a message of its own.
    ///
    /// - Parameters:
    ///   - payload: a value that encodes to a payload as you would send it without PushCrypt.
    ///   - recipients: the devices' public keys.
    ///   - headers: the request headers that go with it.
    /// - Returns: what to send, in the order of the recipients.
    /// - Throws: ``PushCryptError`` as ``prepare(_:headers:)`` does.
    public func seal(
        _ payload: some Encodable, for recipients: [RecipientPublicKey], headers: APNsHeaders = APNsHeaders()
    ) throws(PushCryptError) -> [SealedPush] {
        try prepare(payload, headers: headers).seal(for: recipients)
    }
}
