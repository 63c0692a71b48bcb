import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptPayload
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver
@testable import PushCryptSender

/// A visible challenge in the extension.
@Suite(.ownThread) struct ChallengeDisplayTests {
    private let phone: WithdrawalPhone

    init() throws { phone = try WithdrawalPhone() }

    private func challenge(_ words: Payload?) throws -> [UInt8] {
        let registration = Registration(
            key: phone.device.publicKey, generation: 1, created: .example, lifetime: 604_800)
        let challenge = try RegistrationChallenge(
            for: RegistrationRequest(registration: registration.json, deviceToken: "0a"),
            account: "anna",
            topic: "com.example.app",
            secrets: ChallengeSecrets(parsing: String(repeating: "A", count: 43)),
            expiration: .example + 3600)
        // An empty `aps` displays the app's own words.
        let aps = words?.aps ?? Payload.APS()
        let sealer = Sealer(.signed(by: phone.server), time: TestClock(.example))
        return try challenge.seal(with: sealer, displaying: aps).payload
    }

    private var stored: [SealedValue] {
        get throws { try phone.store.challenges.values(since: .distantPast) }
    }

    @Test("The server's words are displayed, and the sealed value is stored for the app")
    func serversWordsAreDisplayed() throws {
        let words = Payload(title: "Almost done", body: "Open the app.", sound: .named("ping.caf"))
        let payload = try challenge(words)
        let shown = try phone.deliver(payload, "pushcrypt-challenge")
        #expect(shown.content.title == "Almost done" && shown.content.body == "Open the app.")
        #expect(
            shown.content.sound != nil && !shown.isDropped && shown.outcome.push?.kind == .challenge
        )
        #expect(
            shown.content.originalPayload == nil && shown.content.losesSealedValue,
            "The nonce isn't in userInfo.")
        #expect(try stored == [SealedValue(json: payload, from: .apns)])
        let again = try phone.deliver(payload, "pushcrypt-challenge")
        #expect(again.content.sound == nil && again.content.interruptionLevel == .passive)
        #expect(try stored.count == 1 && phone.events.withLock { $0.isEmpty })
    }

    @Test(
        "Without words, or if the user sees nothing, the app's own text is displayed",
        arguments: [true, false])
    func appsTextIsDisplayed(hasWords: Bool) throws {
        if hasWords { try phone.store.setDisplay(.nothing) }
        let payload = try challenge(hasWords ? Payload(body: "Open the app.") : nil)
        let shown = try phone.deliver(
            payload, "a", with: phone.inbox(fallback: FallbackText("f", hidden: "hidden")))
        #expect(shown.content.body == "hidden", "The filtering entitlement doesn't hide it.")
        #expect(try stored.count == 1)
    }

    @Test("A payload that isn't exactly a challenge displays the fallback, and isn't stored")
    func malformedChallengeIsntStored() throws {
        var sealer = Sealer(.signed(by: phone.server), time: TestClock(.example))
        sealer.ignoredRules = []
        for json in [
            #"{"challenge":"AA","expires":1,"aps":{"alert":"x"}}"#, #"{"aps":{"alert":"x"}}"#,
        ] {
            let code = errorCode {
                try sealer.seal(
                    json: json, for: phone.device.publicKey, headers: APNsHeaders(), as: .challenge)
            }
            #expect(code == .invalidPayload)
        }
        #expect(try stored.isEmpty)
    }

    @Test("The eight newest challenges are stored, and a removed one is gone")
    func storedChallenges() throws {
        let challenges = phone.store.challenges
        let values = (0..<10).map { SealedValue(text: Array("value \($0)".utf8)) }
        for (index, value) in values.enumerated() {
            try challenges.add(value, at: .example + Double(index))
        }
        #expect(try challenges.values(since: .distantPast) == Array(values.suffix(8).reversed()))
        #expect(try challenges.values(since: .example + 8) == [values[9], values[8]])
        try challenges.remove(values[9])
        try challenges.add(values[8], at: .example + 20)
        #expect(try challenges.values(since: .distantPast).first == values[8])
        #expect(try challenges.values(since: .distantPast).count == 7)
        try challenges.add(SealedValue(text: [UInt8](repeating: 65, count: 5000)), at: .example)
        #expect(
            try challenges.values(since: .distantPast).count == 7, "No payload has such a value.")
    }
}
