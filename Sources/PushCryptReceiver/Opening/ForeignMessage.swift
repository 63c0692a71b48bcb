internal import Foundation
internal import PushCryptCore
internal import PushCryptPayload

/// An original that a foreign opener has returned, as a message of its format.
struct ForeignMessage: Sendable {
    let push: OpenedPush
    /// A Boolean value that indicates whether the format knows the message's ID, so that a replay
    /// guard can.
    let hasID: Bool
    let withdrawal: Withdrawal?

    private static let longestPayload = 65_536

    /// Checks an original.
    ///
    /// - Throws: ``PushCryptError`` with `malformedMessage`, `malformedJSON`, `invalidLifetime`,
    ///   `expired` or `issuedInFuture`.
    init(
        _ original: ForeignOriginal, by opener: String, _ freshness: Freshness,
        deliveredAt delivery: Date?, now: Date
    ) throws(PushCryptError) {
        guard original.payload.count <= Self.longestPayload else {
            throw Self.malformed("is longer than 64 KiB", of: opener)
        }
        let document = try JSONDocument(scanning: original.payload.span)
        guard document.member(Envelope.payloadKey, in: original.payload.span) == nil else {
            throw Self.malformed("contains ENCRYPTED_DATA", of: opener)
        }
        let lifetime = original.lifetime.rounded()
        guard (1...2_592_000).contains(lifetime) else {
            throw PushCryptError(
                .invalidLifetime,
                "The opener \(opener) returned a lifetime that isn't 1 second to 30 days. Fix it.")
        }
        // A moment later than the beginning of a store that begins now.
        let issued = (original.issuedAt ?? min(delivery ?? now, now) + 0.001).millisecondsSince1970
        try freshness.check(
            issuedAt: issued, lifetime: UInt64(lifetime) * 1000,
            arrival: min(delivery ?? now, now).millisecondsSince1970, now: now.millisecondsSince1970
        )
        hasID = original.id != nil
        withdrawal = original.withdrawal
        push = OpenedPush(
            payload: original.payload,
            kind: original.withdrawal == nil ? .notification : .withdrawal, account: opener,
            keyID: nil, signer: nil, isAuthenticated: original.isAuthenticated,
            messageID: try Self.messageID(original.id, of: opener),
            issuedAt: Date(millisecondsSince1970: issued),
            lifetime: lifetime)
    }

    /// Returns the ID of a message: a hash of the format's own, or a random one.
    private static func messageID(_ id: String?, of opener: String) throws(PushCryptError)
        -> MessageID
    {
        guard let id else { return try MessageID.random() }
        let hash = try BLAKE2b.hash(Array("pushcrypt/v1/foreign:\(opener):\(id)".utf8))
        return try MessageID(Array(hash.prefix(MessageID.length)))
    }

    private static func malformed(_ problem: String, of opener: String) -> PushCryptError {
        PushCryptError(
            .malformedMessage,
            "The original that the opener \(opener) returned \(problem). Return Apple's payload.")
    }
}
