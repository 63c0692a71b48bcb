internal import PushCryptSender
internal import PushCryptSystem

/// The signers that a sealer chooses from, and the hint for devices that don't tell which they
/// accept.
struct SignerChoice: Sendable {
    let authentication: SenderAuthentication
    /// The primary key, if others could sign instead.
    private let primary: KeyID?
    private let isHinted = HintState()

    init(_ signers: [Signer]?) {
        authentication = signers.map { .signed(by: $0) } ?? .anonymous
        primary = signers.flatMap { $0.count > 1 ? $0[0].publicKey.keyID : nil }
    }

    /// Hints once if the primary key signs for a device that may accept an older one only.
    func hint(for recipient: any SealTarget) {
        guard let primary, recipient.signers == nil, isHinted.isFirst() else { return }
        Output.hint(
            "the device doesn't tell which keys it accepts, so the primary key \(primary) "
                + "signs; give its registration "
                + "instead of its key")
    }

    private final class HintState: Sendable {
        private let isDone = LockedValue(false)

        func isFirst() -> Bool {
            isDone.withLock { isDone in
                defer { isDone = true }
                return !isDone
            }
        }
    }
}
