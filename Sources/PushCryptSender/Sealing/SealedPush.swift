public import PushCryptFoundation
public import PushCryptKeyring
internal import PushCryptPayload

/// A push for one device, ready to be sent to APNs or to another carrier.
///
/// ```swift
/// let push = try sealer.seal(json: json, for: device)
/// print(push.data.count, "bytes in the body of the request")
/// for header in push.headers.fields {
///     print("\(header.name): \(header.value)")
/// }
/// ```
public struct SealedPush: Sendable, Hashable {
    /// The payload, which is the body of a request to APNs: JSON in UTF-8 without white space.
    ///
    /// Another carrier wraps it, or builds it from the members of ``request(to:appID:)``.
    public let payload: [UInt8]

    /// The headers of a request to APNs.
    public let headers: APNsHeaders

    /// The truncated parts of the alert.
    public let truncations: [Truncation]

    /// The carrier that the push is sealed for.
    public let carrier: Carrier

    /// The time of issue in milliseconds since 1970; `nil` if nothing is sealed.
    let issuedAt: UInt64?

    init(
        payload: [UInt8], headers: APNsHeaders, truncations: [Truncation] = [],
        carrier: Carrier = .apns,
        issuedAt: UInt64? = nil
    ) {
        self.payload = payload
        self.headers = headers
        self.truncations = truncations
        self.carrier = carrier
        self.issuedAt = issuedAt
    }

    /// The payload as `Data`.
    public var data: Data { Data(payload) }
}

extension SealedPush: Encodable {
    /// Encodes the members of ``payload``, for APNs clients with `Encodable` messages, such as
    /// APNSwift.
    ///
    /// Use an encoder that doesn't escape slashes, because escapes count toward the limit of 4096
    /// bytes.
    public func encode(to encoder: any Encoder) throws {
        try JSONValue(parsing: payload).encode(to: encoder)
    }
}

extension SealedPush: CustomStringConvertible {
    /// The push type and the length of the payload.
    public var description: String { "SealedPush (\(headers.pushType)) of \(payload.count) bytes" }
}
