internal import PushCryptPayload

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What goes to APNs for one device.
public struct SealedPush: Sendable, Hashable {
    /// The body of the request, byte for byte: UTF-8 JSON without white space.
    public let payload: [UInt8]

    /// The headers of the request.
    public let headers: APNsHeaders

    /// What was cut so that the payload fits, where the sealer was asked to.
    public let cuts: [Truncation]

    /// The body of the request as `Data`.
    public var data: Data { Data(payload) }
}

extension SealedPush: Encodable {
    /// Encodes the members of ``payload``, for APNs clients that take an `Encodable` message, such as APNSwift, whose
    /// `APNSMessage` requires `Encodable & Sendable` and nothing else.
    ///
    /// Give such a client an encoder that does not escape slashes: the limit of 4096 bytes counts them.
    public func encode(to encoder: any Encoder) throws {
        try JSONValue(parsing: payload).encode(to: encoder)
    }
}

extension SealedPush: CustomStringConvertible {
    /// The push type and the payload's length.
    public var description: String { "SealedPush (\(headers.pushType)) of \(payload.count) bytes" }
}
