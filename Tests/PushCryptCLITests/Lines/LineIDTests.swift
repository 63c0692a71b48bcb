import Foundation
import PushCryptReceiver
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptKeyring

/// The `apns-id` in the lines of `seal`.
@Suite(.toolThreads) struct LineIDTests {
    private let tool: Tool
    private let key: String

    init() throws {
        tool = try Tool()
        key = Base64URL.encode(try tool.createDevice().rawRepresentation)
    }

    /// Returns the `apns-id` of each line, after a comparison with the message in its payload.
    private func ids(in lines: String) throws -> [String] {
        let keyring = try KeyringFile<RecipientPrivateKey>(path: tool.path("device.jwks")).read()
        let opener = Opener(keys: InMemoryKeyStore([keyring.primary.key]), senderPolicy: .anyone)
        return try lines.split(separator: "\n").map { text in
            let line = try JSONValue(parsing: Array(text.utf8))
            let opened = try opener.open(
                json: #require(line["payload"]).json(), as: MessageKind.all)
            let id = try #require(line["headers"]?["apns-id"]?.stringValue)
            #expect(id == RawMessage.apnsID(of: opened.messageID.bytes))
            return id
        }
    }

    @Test("Each line has the ID of its message") func lines() throws {
        try tool.write(#"{"aps":{"alert":"a"}}"#, to: "payload.json")
        let lines = [
            #"{"to":"\#(key)"}"#, #"{"to":"\#(key)"}"#,
            #"{"to":"\#(key)","topic":"com.example.app"}"#,
            #"{"to":"\#(key)","payload":{"collapse-ids":["m-1"]}}"#,
            #"{"to":"\#(key)","payload":{},"type":"voip"}"#,
        ]
        let sealed = try tool.run(
            "seal", "--lines", "--anonymous", "--payload", "payload.json",
            input: lines.joined(separator: "\n"))
        #expect(sealed.status == 0, "\(sealed.errors)")
        #expect(Set(try ids(in: sealed.text)).count == lines.count)
    }

    @Test("An envelope has the ID of its message") func envelope() throws {
        let seal = ["seal", "--to", "device.jwk", "--anonymous", "--envelope"]
        let sealed = try (0..<2).map { _ in
            try tool.run(all: seal, input: #"{"aps":{"alert":"a"}}"#).text
        }
        #expect(Set(try sealed.flatMap(ids(in:))).count == 2)
    }
}
