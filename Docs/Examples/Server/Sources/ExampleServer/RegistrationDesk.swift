import Foundation
import PushCryptAPNs

/// What a registration needs beside the database: the proofs, and the sealer of challenges and
/// notices.
struct RegistrationDesk: Sendable {
    /// The server's part of proofs; `nil` accepts registrations without a proof.
    let proofs: ProofOfPossession?
    let sealer: Sealer
    let topic: String

    /// Decides about a request within the transaction that stores the recipient.
    func decide(
        _ request: RegistrationRequest, account: String, replacing stored: Recipient?,
        others: [Recipient], at now: Date
    ) throws(PushCryptError) -> ProofOfPossession.Decision {
        guard let proofs else {
            return .accepted(
                try Recipient(
                    registration: Registration(parsing: request.registration),
                    deviceToken: request.deviceToken,
                    account: account, registered: now, replacing: stored, others: others))
        }
        return try proofs.decide(
            request, account: account, replacing: stored, others: others, at: now)
    }

    /// Returns the push of a challenge.
    func push(_ challenge: RegistrationChallenge, isVisible: Bool) throws(PushCryptError)
        -> SealedPush
    {
        let words = Payload(title: "Almost done", body: "Open the app to receive notifications.")
        return try challenge.seal(with: sealer, displaying: isVisible ? words.aps : nil)
    }

    /// Returns the notice for a device of the account, when another device was added.
    ///
    /// A thief of a session can register and prove an own phone, and the owner sees it here.
    func notice(for recipient: Recipient) throws(PushCryptError) -> SealedPush {
        let words = Payload(
            title: "New device",
            body: "A device was added to your account. Check the list of devices.")
        return try sealer.seal(words, for: recipient, headers: APNsHeaders(topic: topic))
    }
}
