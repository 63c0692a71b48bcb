public import Foundation
public import PushCryptCore

/// The secrets of an app on one device, which the app creates and its extensions read.
///
/// They are random, and one item holds all of them: the epoch that the app's stores carry, the key
/// of receipts and the key of the delivery log. No server knows them, and no message is encrypted
/// with them.
public struct DeviceSecrets: Sendable {
    /// The mark that each store of the app carries.
    let epoch: StoreEpoch

    /// The key of receipts, 32 bytes.
    let receiptKey: SecretBytes

    /// The key of the hashes in the delivery log, 32 bytes.
    let logKey: SecretBytes

    private static let version: UInt8 = 1
    private static let keyLength = 32

    /// The number of bytes of all secrets with their version.
    static let length = 1 + StoreEpoch.length + 2 * keyLength

    /// Creates random secrets.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    public static func random() throws(PushCryptError) -> DeviceSecrets {
        DeviceSecrets(
            epoch: try StoreEpoch.random(), receiptKey: try SecretBytes(randomCount: keyLength),
            logKey: try SecretBytes(randomCount: keyLength))
    }

    private init(epoch: StoreEpoch, receiptKey: SecretBytes, logKey: SecretBytes) {
        self.epoch = epoch
        self.receiptKey = receiptKey
        self.logKey = logKey
    }

    /// Reads secrets that a store of your own has kept, as ``stored()`` has returned them.
    ///
    /// - Throws: ``PushCryptError`` with `keyUnreadable` if the bytes aren't valid.
    public init(stored: Data) throws(PushCryptError) {
        let bytes = [UInt8](stored)
        try self.init(try SecretBytes(copying: bytes.span))
    }

    init(_ stored: SecretBytes) throws(PushCryptError) {
        self = try stored.withSpan { (bytes) throws(PushCryptError) in
            guard bytes.count == Self.length, bytes[0] == Self.version else {
                throw PushCryptError(
                    .keyUnreadable,
                    "The device's secrets aren't valid. Delete them, and start the app.")
            }
            let keys = 1 + StoreEpoch.length
            return DeviceSecrets(
                epoch: StoreEpoch([UInt8](copying: bytes.extracting(1..<keys))),
                receiptKey: try SecretBytes(
                    copying: bytes.extracting(keys..<(keys + Self.keyLength))),
                logKey: try SecretBytes(copying: bytes.extracting((keys + Self.keyLength)...)))
        }
    }

    /// The bytes for a store of your own, which must protect them like private keys; this copy
    /// isn't wiped.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    public func stored() throws(PushCryptError) -> Data {
        try bytes().withSpan { Data([UInt8](copying: $0)) }
    }

    private static func copy(_ key: SecretBytes, to bytes: inout MutableSpan<UInt8>, at offset: Int)
    {
        key.withSpan { key in
            for index in key.indices { bytes[offset + index] = key[index] }
        }
    }

    /// Returns the bytes of all secrets in guarded memory.
    func bytes() throws(PushCryptError) -> SecretBytes {
        try SecretBytes(count: Self.length) { (bytes) throws(PushCryptError) in
            bytes[0] = Self.version
            for (index, byte) in epoch.bytes.enumerated() { bytes[1 + index] = byte }
            let keys = 1 + StoreEpoch.length
            Self.copy(receiptKey, to: &bytes, at: keys)
            Self.copy(logKey, to: &bytes, at: keys + Self.keyLength)
        }
    }
}

extension DeviceSecrets: CustomStringConvertible, Redacted {
    /// The name of the type, without the secrets.
    public var description: String { "DeviceSecrets" }
}
