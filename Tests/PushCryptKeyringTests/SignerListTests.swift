import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptTesting
import TestSupport
import Testing

/// Lists of accepted keys: issue, verification, and the order of two lists.
@Suite struct SignerListTests {
    private let root: SigningKey
    private let other: SigningKey
    private let now = Date(timeIntervalSince1970: 1_767_225_600)
    private let year: TimeInterval = 365 * 86_400

    init() throws {
        root = try TestKeys.sender()
        other = try TestKeys.sender(.mallory)
    }

    private func list(
        _ keys: [SigningKey]? = nil, after previous: SignerList? = nil, at date: Date? = nil,
        audience: String? = nil,
        by signer: SigningKey? = nil
    ) throws(PushCryptError) -> SignerList {
        let date = date ?? now
        return try SignerList(
            keys: (keys ?? [root, other]).map(\.publicKey), after: previous, issued: date,
            expiration: date + year,
            audience: audience, signedBy: Signer(signer ?? root))
    }

    @Test(
        "An issued list has its values after verification",
        arguments: [nil, "", "staging", "Grüße \" \\ \u{1}"])
    func roundTrip(audience: String?) throws {
        let list = try list(audience: audience)
        #expect(
            try SignerList(verifying: " \(list.text)\n", roots: [other.publicKey, root.publicKey])
                == list)
        #expect(
            list.keys == [root.publicKey, other.publicKey] && list.rootKid == root.publicKey.kid)
        #expect(
            list.number == 1_767_225_600_000 && list.issued == now && list.expiration == now + year)
        #expect(list.audience == audience)
        #expect(list.text.split(separator: ".").count == 3)
    }

    @Test("Each list of a root has a higher number than the one before, whatever the clock")
    func numbers() throws {
        var last = try list()
        for offset in [0.0, 1, -86_400, 0, 10] {
            let next = try list(after: last, at: now + offset)
            #expect(next.number > last.number)
            last = next
        }
        #expect(try list(at: Date(timeIntervalSince1970: 0)).number == 1)
    }

    @Test("A previous list of another root or audience is rejected") func foreignPrevious() throws {
        let previous = try list(by: other)
        #expect(errorCode { try list(after: previous) } == .unknownRoot)
        let staging = try list(audience: "staging")
        #expect(errorCode { try list(after: staging) } == .wrongAudience)
        // Equal for Swift, but not the same bytes.
        let composed = try list(audience: "\u{E9}")
        #expect(errorCode { try list(after: composed, audience: "e\u{301}") } == .wrongAudience)
    }

    @Test("A list has 1 to 64 different keys, and expires after its issue") func values() throws {
        #expect(errorCode { try list([]) } == .malformedSignerList)
        #expect(errorCode { try list([root, root]) } == .malformedSignerList)
        var keys: [SigningKey] = []
        for _ in 0..<65 { keys.append(try SigningKey()) }
        #expect(errorCode { try list(keys) } == .malformedSignerList)
        #expect(errorCode { try list(keys.dropLast()) } == nil)
        for end in [now, now - 1, now + 0.5] {
            let code = errorCode {
                try SignerList(
                    keys: [root.publicKey], issued: now, expiration: end, audience: nil,
                    signedBy: Signer(root))
            }
            #expect(code == .malformedSignerList)
        }
    }

    @Test("No changed character of a list is accepted") func changes() throws {
        let text = Array(try list().text.utf8)
        let roots = [root.publicKey, other.publicKey]
        for index in text.indices {
            for character in [UInt8(ascii: "A"), UInt8(ascii: "."), text[index] ^ 1]
            where character != text[index] {
                var changed = text
                changed[index] = character
                #expect(
                    errorCode { try SignerList(verifying: changed, roots: roots) } != nil,
                    "at \(index)")
            }
        }
        let zeros = text.dropLast(86) + [UInt8](repeating: UInt8(ascii: "A"), count: 86)
        #expect(errorCode { try SignerList(verifying: zeros, roots: roots) } == .invalidSignature)
        #expect(
            errorCode { try SignerList(verifying: text.dropLast(86), roots: roots) }
                == .invalidSignature)
        #expect(
            errorCode { try SignerList(verifying: text, roots: [other.publicKey]) } == .unknownRoot)
    }

    @Test("Without the root's public key, a server checks all but the signature") func unverified()
        throws
    {
        let list = try list(audience: "staging")
        #expect(try SignerList(unverified: " \(list.text)\n") == list)
        let parts = list.text.split(separator: ".").map(String.init)
        let zeros = String(repeating: "A", count: 86)
        #expect(try SignerList(unverified: "\(parts[0]).\(parts[1]).\(zeros)").keys == list.keys)
        let content = Base64URL.encode(Array(#"{"keys":[]}"#.utf8))
        for text in [
            "", parts[0], "\(parts[0]).\(parts[1])", "\(parts[0]).\(parts[1]).",
            "\(parts[0]).\(parts[1]).\(zeros)AA",
            "\(parts[1]).\(parts[1]).\(parts[2])", "\(parts[0]).\(content).\(parts[2])",
            "\(parts[0]).\(parts[1]).=\(parts[2].dropFirst())", list.text + "\n" + list.text,
        ] {
            #expect(
                errorCode { try SignerList(unverified: text) } == .malformedSignerList, "\(text)")
        }
    }

    @Test("A list without the primary key of the server is reported") func unlistedKey() throws {
        var keyring = try Keyring<SigningKey>(createdAt: now)
        let listed = try SignerList(
            keys: keyring.keys.map(\.publicKey), issued: now, expiration: now + year,
            signedBy: Signer(root))
        #expect(errorCode { try listed.checkListing(of: keyring) } == nil)
        try keyring.rotate(at: now)
        #expect(errorCode { try listed.checkListing(of: keyring) } == .unlistedSigningKey)
    }
}
