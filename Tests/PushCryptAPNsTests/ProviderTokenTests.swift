#if APNs
import Crypto
import Foundation
import PushCryptAPNsTesting
import PushCryptCore
import TestSupport
import Testing

@testable import PushCryptAPNs

@Suite("Provider tokens") struct ProviderTokenTests {
    private func token(_ file: String? = nil) throws -> ProviderToken {
        guard case .token(let token) = try Fixture.credentials(tokenFile: file).kind else {
            throw PushCryptError(.invalidKey, "not a token")
        }
        return token
    }

    @Test("A token is a JWT with two header members and two claims, signed with ES256") func form()
        async throws
    {
        let now = Date(timeIntervalSince1970: 1_800_000_000.9)
        let parts = try await token().text(now: now).split(separator: ".").map(String.init)
        let bytes = try parts.map { try Base64URL.decode(Array($0.utf8).span) }
        try #require(parts.count == 3)
        let header = try JSONDecoder().decode([String: String].self, from: Data(bytes[0]))
        #expect(header == ["alg": "ES256", "kid": ProviderKey.first.keyID])
        let claims = try #require(
            try JSONSerialization.jsonObject(with: Data(bytes[1])) as? [String: Any])
        #expect(claims.count == 2 && claims["iss"] as? String == ProviderKey.first.teamID)
        #expect(claims["iat"] as? Int == 1_800_000_000)
        let key = try P256.Signing.PrivateKey(pemRepresentation: ProviderKey.first.p8).publicKey
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: bytes[2])
        #expect(key.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)))
    }

    @Test("All connections share one token", .timeLimit(.minutes(20))) func shared() async throws {
        try await Fixture.run(connections: 3) { fixture in
            // On a busy machine, two connections can send all pushes before the third is there.
            repeat {
                for result in await fixture.sendMany(200) { _ = try result.get() }
            } while fixture.server.record.connections < 3
            #expect(fixture.server.record.connections == 3)
            #expect(fixture.server.record.tokens.count == 1)
        }
    }

    @Test("Tasks that start at the same time share one token") func concurrent() async throws {
        let token = try token()
        let texts = try await withThrowingTaskGroup(of: String.self, returning: Set<String>.self) {
            group in
            for _ in 0..<100 { group.addTask { try await token.text() } }
            return try await group.reduce(into: []) { $0.insert($1) }
        }
        #expect(texts.count == 1)
    }

    @Test("A token is used for 50 minutes, and not before its time") func lifetime() async throws {
        let token = try token()
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let first = try await token.text(now: now)
        #expect(try await token.text(now: now + 3000 - 1) == first)
        #expect(try await token.text(now: now - 59) == first)
        let second = try await token.text(now: now + 3000)
        #expect(second != first)
        #expect(try await token.text(now: now - 120) != second)
    }

    @Test("A token that APNs calls expired is renewed once in 20 minutes, for all pushes together")
    func renewal()
        async throws
    {
        try await Fixture.run { fixture in
            _ = try await fixture.client.send(Fixture.push(), to: Fixture.device)
            fixture.server.expireTokens()
            for result in await fixture.sendMany(50) { _ = try result.get() }
            #expect(fixture.server.record.tokens.count == 2)
            fixture.server.expireTokens()
            let error = try #require(await fixture.failure())
            #expect(error.apnsReason == .expiredProviderToken && error.advice == .checkCredentials)
        }
        let token = try token()
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let first = try await token.text(now: now)
        let second = try #require(try await token.text(insteadOf: first, now: now + 1))
        #expect(second != first)
        #expect(try await token.text(insteadOf: first, now: now + 2) == second)
        #expect(try await token.text(insteadOf: second, now: now + 1200) == nil)
        #expect(try await token.text(insteadOf: second, now: now + 1202) != nil)
    }

    @Test("Processes share a token through a private file") func file() async throws {
        let scratch = try Scratch()
        let path = scratch.file("token")
        let first = try await token(path).text()
        #expect(try await token(path).text() == first)
        #expect(scratch.mode(of: "token") == 0o600)
        // A renewed token replaces it.
        let renewed = try #require(try await token(path).text(insteadOf: first))
        #expect(renewed != first)
        #expect(try await token(path).text() == renewed)
    }

    @Test(
        "A file that isn't this team's, is old, or that other users can read isn't used",
        arguments: ["team", "old", "mode", "torn", "future"])
    func otherFile(kind: String) async throws {
        let scratch = try Scratch()
        let path = scratch.file("token")
        let other = Date() + (kind == "old" ? -3001 : kind == "future" ? 120 : 0)
        var text = try await token().text(now: other)
        if kind == "team" {
            guard case .token(let second) = try Fixture.credentials(.second).kind else { return }
            text = try await second.text()
        }
        if kind == "torn" { text = String(text.prefix(40)) }
        scratch.write(Array(text.utf8), to: "token", mode: kind == "mode" ? 0o644 : 0o600)
        #expect(try await token(path).text() != text)
    }

    @Test(
        "Processes that start at the same time share a token, and don't renew one of another process at once"
    )
    func processesAtOnce() async throws {
        let scratch = try Scratch()
        let path = scratch.file("token")
        let texts = try await withThrowingTaskGroup(of: String.self, returning: Set<String>.self) {
            group in
            for _ in 0..<20 {
                let token = try token(path)
                group.addTask { try await token.text() }
            }
            return try await group.reduce(into: []) { $0.insert($1) }
        }
        #expect(texts.count == 1)
        let other = try token(path)
        let text = try await other.text()
        #expect(texts.contains(text))
        #expect(try await other.text(insteadOf: text) == nil)
        #expect(try await other.text(insteadOf: text, now: Date() + 1300) != nil)
    }

    @Test("A token that another key signed isn't used, and other files stay as they are")
    func foreignContents() async throws {
        let scratch = try Scratch()
        var parts = try await token().text().split(separator: ".").map(String.init)
        parts[2] = String(parts[2].reversed())
        scratch.write(Array(parts.joined(separator: ".").utf8), to: "token")
        let text = try await token(scratch.file("token")).text()
        #expect(text != parts.joined(separator: "."))
        #expect(scratch.contents(of: "token") == Array(parts.joined(separator: ".").utf8))
        // When it ends, it is replaced.
        let later = try await token(scratch.file("token")).text(now: Date() + 3600)
        #expect(scratch.contents(of: "token") == Array(later.utf8))
        scratch.write(Array(ProviderKey.first.p8.utf8), to: "key.p8")
        #expect(try await !token(scratch.file("key.p8")).text().isEmpty)
        #expect(scratch.contents(of: "key.p8") == Array(ProviderKey.first.p8.utf8))
    }

    @Test("A token with another key ID isn't used, and stays while it is valid") func otherKeyID()
        async throws
    {
        let scratch = try Scratch()
        let first = try await token(scratch.file("token")).text()
        let key = try P256.Signing.PrivateKey(pemRepresentation: ProviderKey.first.p8)
        let other = ProviderToken(
            key, keyID: "OTHER12345", teamID: ProviderKey.first.teamID,
            file: TokenFile(scratch.file("token")))
        #expect(try await other.text() != first)
        #expect(scratch.contents(of: "token") == Array(first.utf8))
        let later = try await other.text(now: Date() + 3600)
        #expect(scratch.contents(of: "token") == Array(later.utf8))
    }

    @Test("A JWT of something else is neither used nor replaced") func otherJWT() async throws {
        let scratch = try Scratch()
        // {"alg":"none"}.{"iss":"a","iat":1}
        let text = "eyJhbGciOiJub25lIn0.eyJpc3MiOiJhIiwiaWF0IjoxfQ."
        scratch.write(Array(text.utf8), to: "token")
        #expect(try await token(scratch.file("token")).text() != text)
        #expect(scratch.contents(of: "token") == Array(text.utf8))
    }

    @Test("A file that can't be written costs nothing") func unwritable() async throws {
        #expect(try await !token("/nonexistent/directory/token").text().isEmpty)
    }

    @Test("Another team has its own token and connections") func teams() async throws {
        try await Fixture.run { fixture in
            _ = try await fixture.client.send(Fixture.push(), to: Fixture.device)
            let other = try Fixture.client(
                of: fixture.server, 1, 20, 60, false, Fixture.credentials(.second))
            _ = try await other.send(Fixture.push(), to: Fixture.device)
            #expect(fixture.server.record.tokens.count == 2)
            #expect(fixture.server.record.connections == 2)
            await other.shutDown()
        }
    }

    @Test("A key of another curve, a public key and a certificate are refused") func otherPEM() {
        let key = P256.Signing.PrivateKey()
        let texts = [
            P384.Signing.PrivateKey().pemRepresentation, key.publicKey.pemRepresentation,
            Certificates.authority,
            key.pemRepresentation.replacing("PRIVATE", with: "SECRET"),
            key.rawRepresentation.base64EncodedString(),
        ]
        for text in texts {
            let error = #expect(throws: PushCryptError.self) {
                try APNsAuthentication.token(p8: text, keyID: "ABC123DEFG", teamID: "DEF123GHIJ")
            }
            #expect(error?.code == .invalidKey)
        }
    }

    @Test(
        "Credentials that can't work are refused",
        arguments: [
            ("", "ABC123DEFG", "DEF123GHIJ"), ("p8", "ABC123DEF", "DEF123GHIJ"),
            ("p8", "ABC123DEFG", "DEF123GH-J"),
        ]) func invalid(p8: String, keyID: String, teamID: String) throws
    {
        let text = p8 == "p8" ? ProviderKey.first.p8 : "-----BEGIN PRIVATE KEY-----"
        let error = #expect(throws: PushCryptError.self) {
            try APNsAuthentication.token(p8: text, keyID: keyID, teamID: teamID)
        }
        #expect(error?.code == (p8 == "p8" ? .invalidConfiguration : .invalidKey))
    }
}

extension ProviderToken {
    fileprivate func text(now: Date = Date()) throws -> String { try signed(now: now).text }

    fileprivate func text(insteadOf rejected: String, now: Date = Date()) throws -> String? {
        try signed(insteadOf: rejected, now: now)?.text
    }
}
#endif
