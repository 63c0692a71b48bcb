internal import PushCryptCore
public import PushCryptFoundation

/// A key that a device has replaced, in the ``Recipient`` of the device.
public struct FormerKey: Sendable, Hashable {
    /// The thumbprint of the key (RFC 7638) in base64url, from which the key can't be computed.
    public let kid: String

    /// The time of the registration that replaced the key, by the clock of the server, in whole
    /// milliseconds.
    public let replaced: Date

    /// The time in milliseconds for which a server rejects a former key: 60 days.
    static let period: UInt64 = 60 * 24 * 3600 * 1000

    /// The number of former keys in a recipient: the rotations of 60 days many times over.
    static let maximumCount = 64

    init(_ key: RecipientPublicKey, replaced date: Date) {
        kid = key.kid
        replaced = Date(millisecondsSince1970: date.millisecondsSince1970)
    }

    /// Creates a former key, unless the thumbprint isn't 32 bytes in base64url.
    init?(kid: String, replaced: Date) {
        guard (try? Base64URL.decode(Array(kid.utf8).span))?.count == 32 else { return nil }
        self.kid = kid
        self.replaced = replaced
    }

    /// Returns a Boolean value that indicates whether a server still rejects the key.
    func isRejected(at date: Date) -> Bool {
        let end = replaced.millisecondsSince1970.addingReportingOverflow(Self.period)
        return end.overflow || end.partialValue > date.millisecondsSince1970
    }

    /// Returns the newest former keys of the last 60 days, each key once, the newest first.
    static func current(_ keys: [FormerKey], at date: Date) -> [FormerKey] {
        var kids: Set<String> = []
        let newest = keys.filter { $0.isRejected(at: date) }
            .sorted { ($1.replaced, $0.kid) < ($0.replaced, $1.kid) }
            .filter { kids.insert($0.kid).inserted }
        return Array(newest.prefix(maximumCount))
    }
}
