import Foundation

@testable import PushCryptCore
@testable import PushCryptKeyring
@testable import PushCryptTesting

/// Invariants of the list of accepted keys.
///
/// An input is the text of a list, or the JSON of its content.
///
/// - The text of an accepted list is kept, and its parts re-encode to themselves.
/// - Accepted content is written as JSON that is accepted, and is the same content.
/// - Only the list that a root has signed is verified.
enum AcceptedKeys {
    private static let root = fixed { try TestKeys.sender(.mallory) }
    private static let authentic = fixed {
        try SignerList(
            keys: [TestKeys.sender().publicKey], issued: Date(timeIntervalSince1970: 1_767_225_600),
            expiration: Date(timeIntervalSince1970: 1_798_761_600), signedBy: Signer(root)
        ).text.split(separator: ".").map { String($0) }
    }

    static func check(_ input: [UInt8]) {
        if input.first == UInt8(ascii: "{") { return checkContent(input) }
        guard
            let list = accepted({ () throws(PushCryptError) in try SignerList(unverified: input) })
        else { return }
        let trimmed = Array(input[JSONText.trimmed(input.span)])
        require(Array(list.text.utf8) == trimmed, "the text of a list is kept")
        require(
            list.text.utf8.count <= SignerList.maximumLength, "a list has at most 65,536 characters"
        )
        let parts = list.text.split(separator: ".", omittingEmptySubsequences: false)
        let again = parts.compactMap {
            try? Base64URL.encode(Base64URL.decode(Array($0.utf8).span))
        }
        require(
            again.joined(separator: ".") == list.text, "the parts of a list re-encode to themselves"
        )
        check(list.content)
    }

    private static func checkContent(_ input: [UInt8]) {
        guard
            let content = accepted({ () throws(PushCryptError) in
                try SignerListContent(parsing: input.span)
            })
        else { return }
        check(content)
        // A signature takes longer than all other checks.
        guard input.count.isMultiple(of: 8) else { return }
        let part = Base64URL.encode(input)
        let text = "\(authentic[0]).\(part).\(authentic[2])"
        let list = accepted { () throws(PushCryptError) in
            try SignerList(verifying: text, roots: [root.publicKey])
        }
        require(
            (list != nil) == (part == authentic[1]),
            "only a list that a root has signed is verified")
    }

    private static func check(_ content: SignerListContent) {
        let json = Array(content.json.utf8)
        guard let again = try? SignerListContent(parsing: json.span) else {
            return require(false, "the JSON of accepted content is accepted")
        }
        require(
            again == content && Array(again.json.utf8) == json, "content is the one of its JSON")
        require(
            SignerListContent.isSame(again.audience, content.audience),
            "an audience keeps its bytes")
        require((1...64).contains(content.keys.count), "a list has 1 to 64 keys")
        require(content.issued < content.expiration, "a list expires after it is issued")
    }
}
