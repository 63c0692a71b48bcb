public import PushCryptCore
public import PushCryptFoundation

/// A device's answer to a challenge: the proof that its key and its token belong to the same
/// device.
public struct RegistrationProof: Sendable, Hashable {
    /// The end of the challenge, in whole seconds.
    public var expiration: Date { Date(timeIntervalSince1970: TimeInterval(expiry)) }

    /// The end of the challenge, in seconds since 1970.
    package let expiry: UInt64

    /// The proof, 32 bytes.
    package let bytes: [UInt8]

    package init(expiry: UInt64, bytes: [UInt8]) {
        self.expiry = expiry
        self.bytes = bytes
    }
}

extension RegistrationProof: CustomStringConvertible, Redacted {
    /// The end of the challenge, without the proof.
    public var description: String { "RegistrationProof of a challenge until \(expiry)" }
}
