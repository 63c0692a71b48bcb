public import PushCryptFoundation
internal import PushCryptPayload

/// A push for one device, ready to be sent to APNs.
///
/// ```swift
/// let push = try sealer.seal(json: json, for: device)
/// print(push.data.count, "bytes in the body of the request")
/// for header in push.headers.fields {
///     print("\(header.name): \(header.value)")
/// }
/// ```
public struct SealedPush: Sendable, Hashable {
    /// The body of the request: JSON in UTF-8 without white space.
    public let payload: [UInt8]

    /// The headers of the request.
    public let headers: APNsHeaders

    /// The truncated parts of the alert.
    public let truncations: [Truncation]

    /// The body of the request as `Data`.
    public var data: Data { Data(payload) }
}

extension SealedPush: Encodable {
    /// Encodes the members of ``payload``, for APNs clients with `Encodable` messages, such as APNSwift.
    ///
    /// Use an encoder that doesn't escape slashes, because escapes count toward the limit of 4096 bytes.
    public func encode(to encoder: any Encoder) throws {
        try JSONValue(parsing: payload).encode(to: encoder)
    }
}

extension SealedPush: CustomStringConvertible {
    /// The push type and the length of the payload.
    public var description: String { "SealedPush (\(headers.pushType)) of \(payload.count) bytes" }
}
