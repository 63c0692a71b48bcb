import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The table of a registration: each event in each state, without a store and without a server.
@Suite struct RegistrationMachineTests {
    typealias Event = RegistrationMachine.Event
    typealias Action = RegistrationMachine.Action
    typealias State = RegistrationMachine.State

    private static let hour: TimeInterval = 3600
    private static let day = 24 * hour
    private let time = TestClock()
    private let root: SigningKey
    private let content = ChallengeContent(
        nonce: [UInt8](repeating: 7, count: 32), expiry: 2_000_000_000)

    init() throws {
        root = try TestKeys.sender()
    }

    private var machine: RegistrationMachine {
        RegistrationMachine(
            rotation: KeyRotation(
                installation: Installation(deviceID: "device", installationID: "installation"),
                rotationAge: DeviceRegistrar.week, lifetime: DeviceRegistrar.week,
                roots: SignerRoots([root.publicKey])),
            account: "anna", carrier: .apns, now: time.now)
    }

    private func new(token: String = "0a") -> State {
        State(
            record: RegistrationRecord(installation: "installation"), keyring: nil,
            conversation: RegistrationMachine.Conversation(token: token))
    }

    /// Returns the state in which the app is launched again: the conversation is gone.
    private func relaunched(_ state: State, token: String = "0a") -> State {
        State(
            record: state.record, keyring: state.keyring,
            conversation: RegistrationMachine.Conversation(token: token))
    }

    /// Takes events in turn, and returns the last action as a word.
    @discardableResult
    private func take(_ events: Event..., in state: inout State) throws(PushCryptError) -> String {
        var word = ""
        for event in events {
            let action: Action
            let before = state
            (state, action) = try machine.step(before, event)
            word = Self.word(action)
        }
        return word
    }

    private static func word(_ action: Action) -> String {
        switch action {
        case .openChallenges: "open challenges"
        case .send(let request):
            request.proof != nil ? "prove" : request.wantsVisibleChallenge ? "send visibly" : "send"
        case .end: "end"
        case .fail(let error): "fail \((error as? PushCryptError)?.code.rawValue ?? "")"
        }
    }

    private func accepted(lists: [String] = []) -> Event {
        .answered(.accepted(date: time.now, signerLists: lists))
    }

    private var challenged: Event { .answered(.challenged(date: time.now)) }

    private var lost: Event { .unanswered(CancellationError()) }

    /// Returns the state of a device whose registration the server has confirmed.
    private func registered() throws -> State {
        var state = new()
        #expect(try take(.launched, accepted(), in: &state) == "end")
        return relaunched(state)
    }

    /// Returns the state of a device that waits for a challenge.
    private func waiting() throws -> State {
        var state = new()
        #expect(try take(.launched, challenged, in: &state) == "end")
        return relaunched(state)
    }

    // MARK: Create, register, confirm

    @Test("A launch creates a key, and what it begins is stored before it's sent") func create()
        throws
    {
        var state = new()
        #expect(try take(.launched, in: &state) == "send")
        #expect(state.conversation.preparation == .created && state.keyring?.generation == 2)
        #expect(state.record.begun?.registration == state.conversation.sent?.json)
        #expect(state.record.registered == nil && state.record.confirmed == nil)
    }

    @Test("A confirmation ends the conversation, and the next one sends nothing for a week")
    func confirm() throws {
        var state = try registered()
        #expect(
            state.record.begun == nil
                && state.record.confirmed == RegistrationRecord.seconds(time.now))
        #expect(try take(.launched, in: &state) == "end")
        #expect(!state.conversation.hasAsked && state.conversation.preparation == .unchanged)
        for _ in 1...5 {
            time.advance(by: Self.day)
            #expect(try take(.launched, in: &state) == "end")
        }
        time.advance(by: -30 * Self.day)
        #expect(try take(.launched, in: &state) == "send", "The clock was set back.")
    }

    @Test("Without an answer, the stored state stays, and the next launch sends the same")
    func unanswered() throws {
        var state = new()
        try take(.launched, in: &state)
        let before = state
        #expect(try take(lost, in: &state) == "fail ")
        #expect(state.record == before.record)
        var next = relaunched(state)
        #expect(try take(.launched, .storedChallenges([]), in: &next) == "send")
        #expect(next.conversation.sent == before.conversation.sent)
    }

    @Test("The same state and event lead to the same state and action") func pure() throws {
        let state = try registered()
        time.advance(by: Self.day)
        let results = try (1...2).map { _ in try machine.step(state, .asked) }
        #expect(results[0].0.record == results[1].0.record && results[0].0.record != state.record)
        let texts = try results.map { try #require($0.0.keyring).state }
        #expect(try Set(texts).count == 1 && texts[0] != state.keyring?.state)
        #expect(Set(results.map { Self.word($0.1) }) == ["send"])
    }

    // MARK: Stale

    @Test("A stale answer is followed once, with a new key if the device isn't newer") func stale()
        throws
    {
        var state = try registered()
        let old = try #require(state.keyring?.primary.key.publicKey)
        #expect(try take(.renewed, .answered(.stale(generation: 40)), in: &state) == "send")
        #expect(state.keyring?.generation == 41 && state.keyring?.primary.key.publicKey == old)
        #expect(state.conversation.sent?.generation == 41)
        #expect(try take(.answered(.stale(generation: 40)), in: &state) == "fail stale-generation")
        #expect(state.record.begun != nil)
    }

    @Test("A stale answer to a proof leads to a registration") func staleProof() throws {
        var state = try waiting()
        #expect(
            try take(.challenged(content), .answered(.stale(generation: 40)), in: &state) == "send")
        #expect(state.conversation.sent?.generation == 41)
        #expect(try take(.answered(.stale(generation: 50)), in: &state) == "send")
        #expect(try take(accepted(), in: &state) == "end")
    }

    // MARK: Challenges

    @Test(
        "A registration waits for its challenge for an hour, and asks for a visible one afterwards")
    func challenge() throws {
        var state = try waiting()
        #expect(state.record.begun?.waiting == true && state.record.begun?.challenges == 1)
        time.advance(by: Self.hour - 1)
        #expect(try take(.launched, in: &state) == "open challenges")
        #expect(try take(.storedChallenges([]), in: &state) == "end")
        time.advance(by: 1)
        #expect(try take(.launched, .storedChallenges([]), in: &state) == "send visibly")
    }

    @Test("A challenge is answered, and the answer confirms the registration") func prove() throws {
        var state = try waiting()
        #expect(try take(.challenged(content), in: &state) == "prove")
        #expect(
            state.record.answered == RegistrationRecord.seconds(time.now)
                && state.record.arrival?.problem == nil)
        #expect(try take(accepted(), in: &state) == "end")
        #expect(state.record.begun == nil && state.record.registered != nil)
    }

    @Test("A challenged answer to a proof ends the conversation: the next challenge is a push")
    func provedAgain()
        throws
    {
        var state = try waiting()
        time.advance(by: 2 * Self.hour)
        #expect(try take(.challenged(content), challenged, in: &state) == "end")
        #expect(state.record.begun?.challenges == 2)
    }

    @Test("Stored challenges are answered in turn, three at most, and then the device registers")
    func stored() throws {
        var state = try waiting()
        time.advance(by: 2 * Self.hour)
        let four = [ChallengeContent](repeating: content, count: 4)
        #expect(try take(.launched, .storedChallenges(four), in: &state) == "prove")
        #expect(try take(lost, lost, in: &state) == "prove")
        #expect(try take(lost, in: &state) == "send visibly")
        #expect(!state.conversation.hasProved && state.conversation.proofFailure == nil)
    }

    @Test("The error of a stored challenge is the conversation's only if nothing is to be sent")
    func storedFails()
        throws
    {
        var state = try waiting()
        #expect(try take(.launched, .storedChallenges([content]), lost, in: &state) == "fail ")
        var other = try waiting()
        #expect(
            try take(
                .launched, .storedChallenges([content, content]), lost, accepted(), in: &other)
                == "end")
        #expect(other.conversation.hasProved)
    }

    @Test("After another registration the other stored challenges prove nothing")
    func storedAfterChange() throws {
        var state = try waiting()
        try take(.launched, .storedChallenges([content, content]), in: &state)
        state.record.begun = nil
        #expect(try take(lost, in: &state) == "send")
    }

    @Test("A challenge without a registration proves the confirmed one, once an hour")
    func unaskedChallenge() throws {
        var state = try registered()
        #expect(try take(.challenged(content), in: &state) == "prove")
        #expect(
            state.record.begun != nil && state.record.confirmed == nil,
            "If the answer is lost, a launch registers.")
        #expect(try take(accepted(), in: &state) == "end")
        time.advance(by: Self.hour - 1)
        #expect(try take(.challenged(content), in: &state) == "end")
        time.advance(by: 1)
        #expect(try take(.challenged(content), in: &state) == "prove")
    }

    @Test("A challenge that can't be opened is recorded while a registration waits") func unopened()
        throws
    {
        var state = try registered()
        #expect(try take(.challengeNotOpened(.unknownSigner), in: &state) == "end")
        #expect(state.record.arrival == nil)
        state = try waiting()
        #expect(try take(.challengeNotOpened(.unknownSigner), in: &state) == "end")
        #expect(state.record.arrival?.problem == "unknown-signer")
    }

    @Test("A challenge for another token registers the new one") func otherTokenChallenge() throws {
        var state = relaunched(try waiting(), token: "0b")
        #expect(try take(.challenged(content), in: &state) == "send")
    }

    // MARK: Requests, tokens, accounts

    @Test("A push can ask once an hour, also if the clock was set back") func asked() throws {
        var state = try registered()
        #expect(try take(.asked, in: &state) == "send")
        #expect(try take(accepted(), .asked, in: &state) == "end")
        time.advance(by: Self.hour)
        #expect(try take(.asked, accepted(), in: &state) == "end")
        time.advance(by: -Self.day)
        #expect(try take(.asked, in: &state) == "send")
    }

    @Test("Another token is registered with the same key") func otherToken() throws {
        let state = try registered()
        var next = relaunched(state, token: "0b")
        #expect(try take(.launched, accepted(), in: &next) == "end")
        #expect(next.keyring?.keys.map(\.publicKey) == state.keyring?.keys.map(\.publicKey))
    }

    @Test(
        "No answer creates the keys of an account that was removed meanwhile",
        arguments: [true, false])
    func removed(isAccepted: Bool) throws {
        var state = new()
        try take(.launched, in: &state)
        state.keyring = nil
        let answer = isAccepted ? accepted() : challenged
        #expect(thrownError { try take(answer, in: &state) }?.code == .unknownKey)
        #expect(try take(.challenged(content), in: &state) == "prove")
        #expect(
            thrownError { try take(answer, in: &state) }?.code == .unknownKey,
            "The answer to a proof, too.")
        #expect(state.keyring == nil)
    }

    // MARK: Keys and clocks

    @Test(
        "A key that the corrected clock shows to be due is registered at once, and the last one later destroyed"
    )
    func clockCorrected() throws {
        var state = try registered()
        let first = try #require(state.keyring?.primary.key.publicKey.keyID)
        time.advance(by: 7 * Self.day)
        // The device counts a day, and asks because it has missed the others.
        #expect(try take(.launched, in: &state) == "send")
        #expect(state.keyring?.pending.count == 0)
        #expect(
            try take(accepted(), in: &state) == "send", "By the server's date, the next key is due."
        )
        #expect(state.keyring?.pending.count == 1)
        #expect(try take(accepted(), in: &state) == "end")
        #expect(state.keyring?.retired.map(\.id) == [first])
        for _ in 1...9 {
            #expect(state.keyring?.keys.contains { $0.publicKey.keyID == first } == true)
            time.advance(by: Self.day)
            try take(.launched, in: &state)
            if state.record.begun != nil { try take(accepted(), in: &state) }
        }
        #expect(state.keyring?.keys.contains { $0.publicKey.keyID == first } == false)
    }

    @Test("A renewal replaces the key, but not one that was created just now") func renewed() throws
    {
        var state = new()
        try take(.renewed, in: &state)
        #expect(state.keyring?.keys.count == 1)
        var other = try registered()
        try take(.renewed, in: &other)
        #expect(other.keyring?.pending.count == 1)
    }

    @Test("A list that changes the accepted keys is registered at once, and the same list isn't")
    func lists() throws {
        var state = new()
        let keys = [root.publicKey, try TestKeys.sender(.mallory).publicKey]
        let list = try SignerList(
            keys: keys, issued: time.now, expiration: time.now + Self.day, signedBy: Signer(root)
        ).text
        #expect(try take(.launched, accepted(lists: [list]), in: &state) == "send")
        #expect(state.conversation.sent?.signers?.kids == keys.map(\.kid))
        #expect(try take(accepted(lists: [list]), in: &state) == "end")
    }

    @Test("A server that changes its list each time isn't asked more than three times")
    func changingLists() throws {
        var state = new()
        try take(.launched, in: &state)
        var words: [String] = []
        for number in 1...3 {
            time.advance(by: 1)
            let keys =
                [root.publicKey]
                + (number.isMultiple(of: 2) ? [] : [try TestKeys.sender(.mallory).publicKey])
            let list = try SignerList(
                keys: keys, issued: time.now, expiration: time.now + Self.day,
                signedBy: Signer(root))
            words.append(try take(accepted(lists: [list.text]), in: &state))
        }
        #expect(words == ["send", "send", "end"])
    }

    @Test("A list that breaks a rule fails after the confirmation is recorded") func badList()
        throws
    {
        var state = new()
        #expect(
            try take(.launched, accepted(lists: ["a.b.c"]), in: &state)
                == "fail malformed-signer-list")
        #expect(state.record.registered != nil && state.record.begun == nil)
    }
}
