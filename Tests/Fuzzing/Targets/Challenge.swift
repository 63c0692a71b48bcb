import Foundation

@testable import PushCryptCore
@testable import PushCryptKeyring
@testable import PushCryptSender
@testable import PushCryptTesting

/// Invariants of challenges and of their answers.
///
/// - Accepted content is the one of the JSON that has its nonce and its end.
/// - A server never accepts an answer without knowing its nonce, and never stores a row without a
///   proof.
/// - A challenge that a server creates has the registration's key, and can be sealed.
enum Challenge {
    private static let now = Date(timeIntervalSince1970: 1_767_225_600)
    private static let proofs = fixed {
        ProofOfPossession(
            topic: "com.example.app",
            secrets: try ChallengeSecrets(parsing: String(repeating: "q", count: 42) + "A"),
            start: now)
    }

    static func check(_ input: [UInt8]) {
        if let content = accepted({ () throws(PushCryptError) in
            try ChallengeContent(parsing: input)
        }) {
            let nonce = Base64URL.encode(content.nonce)
            let json = Array(#"{"challenge":"\#(nonce)","expires":\#(content.expiry)}"#.utf8)
            require(
                (try? ChallengeContent(parsing: json)) == content,
                "a challenge is the one of its JSON")
            require(content.nonce.count == ProofComputation.length, "a nonce has 32 bytes")
        }
        guard
            let request = accepted({ () throws(PushCryptError) in
                try RegistrationRequest(parsing: input)
            }),
            let decision = accepted({ () throws(PushCryptError) in
                try proofs.decide(request, account: "anna", at: now)
            })
        else { return }
        guard case .challenged(let challenge) = decision else {
            return require(false, "a server accepts no answer to a challenge that it hasn't issued")
        }
        require(
            challenge.registration.json == (try? Registration(parsing: request.registration))?.json,
            "a key is kept")
        require(challenge.expiration > now, "a challenge ends later")
        require(!contains(marker, Array("\(challenge)".utf8)), "a description has no content")
    }
}
