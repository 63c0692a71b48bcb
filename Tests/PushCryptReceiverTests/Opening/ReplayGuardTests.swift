import Foundation
import PushCryptSystem
import PushCryptTesting
import Testing

@testable import PushCryptReceiver

@Suite struct ReplayGuardTests {
    @Test("A message opens once with a guard") func messageOpensOnceWithAGuard() throws {
        let device = try TestKeys.device()
        let push = try Sealer(.anonymous).seal(
            json: #"{"aps":{"alert":"a"}}"#.utf8, for: device.publicKey)
        var opener = Opener(keys: InMemoryKeyStore([device]), senderPolicy: .anyone)
        _ = try opener.open(json: push.payload)
        _ = try opener.open(json: push.payload)
        opener.replayGuard = InMemoryReplayGuard()
        _ = try opener.open(json: push.payload)
        #expect(throws: PushCryptError(.replayed, "")) { try opener.open(json: push.payload) }
    }

    @Test("An invalid message doesn't use up its ID") func invalidMessageDoesntUseUpItsID() throws {
        // After a rejection for its sender, the message must still open with the same guard.
        let device = try TestKeys.device()
        let push = try Sealer(.anonymous).seal(
            json: #"{"aps":{"alert":"a"}}"#.utf8, for: device.publicKey)
        let replayGuard = InMemoryReplayGuard()
        let strict = Opener(
            keys: InMemoryKeyStore([device]), senderPolicy: .signed(by: []),
            replayGuard: replayGuard)
        #expect(throws: PushCryptError(.unsigned, "")) { try strict.open(json: push.payload) }
        let open = Opener(
            keys: InMemoryKeyStore([device]), senderPolicy: .anyone, replayGuard: replayGuard)
        _ = try open.open(json: push.payload)
    }

    @Test("An expired or malformed message doesn't use up its ID")
    func expiredOrMalformedMessageDoesntUseUpItsID()
        throws
    {
        let device = try TestKeys.device()
        let time = TestClock()
        let push = try Sealer(.anonymous, time: time).seal(
            json: #"{"aps":{"alert":"a"}}"#.utf8, for: device.publicKey)
        let asked = LockedValue(0)
        struct Counting: ReplayGuard {
            let asked: LockedValue<Int>
            func admit(_ message: GuardedMessage, now: Date) throws -> ReplayGuardAnswer {
                asked.withLock { $0 += 1 }
                return .new
            }
        }
        let opener = Opener(
            keys: InMemoryKeyStore([device]), senderPolicy: .anyone,
            replayGuard: Counting(asked: asked), time: time)
        time.advance(by: 40 * 86_400)
        #expect(throws: PushCryptError(.expired, "")) { try opener.open(json: push.payload) }
        #expect(asked.withLock { $0 } == 0)
        // These vectors are authentic and fresh, but not JSON.
        for vector in try OpeningCorpus.load().vectors where vector.fails == "malformed-json" {
            guard let json = vector.json, (try? SealedValue(json: json, from: .apns)) != nil else {
                continue
            }
            var strict = try OpeningCorpus.load().configuration(for: vector).opener
            strict.replayGuard = Counting(asked: asked)
            #expect(throws: PushCryptError(.malformedJSON, "")) {
                try strict.open(json: json, as: MessageKind.all)
            }
        }
        #expect(asked.withLock { $0 } == 0)
    }

    @Test("A failing guard doesn't reject the message") func failingGuardDoesntRejectTheMessage()
        throws
    {
        struct Broken: ReplayGuard {
            func admit(_ message: GuardedMessage, now: Date) throws -> ReplayGuardAnswer {
                throw CocoaError(.fileReadNoPermission)
            }
        }
        let device = try TestKeys.device()
        let push = try Sealer(.anonymous).seal(
            json: #"{"aps":{"alert":"a"}}"#.utf8, for: device.publicKey)
        let opener = Opener(
            keys: InMemoryKeyStore([device]), senderPolicy: .anyone, replayGuard: Broken())
        _ = try opener.open(json: push.payload)
    }

    @Test("Concurrent calls admit an ID once") func concurrentCallsAdmitAnIDOnce() async throws {
        let replayGuard = InMemoryReplayGuard()
        let admitted = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<64 {
                group.addTask { (try? replayGuard.admit(7)) == nil ? 0 : 1 }
            }
            return await group.reduce(0, +)
        }
        #expect(admitted == 1)
    }

    @Test("A guard's own error isn't quoted") func guardsOwnErrorIsntQuoted() throws {
        struct Talkative: Error, CustomStringConvertible {
            let description = "quite secret"
        }
        struct Broken: ReplayGuard {
            func admit(_ message: GuardedMessage, now: Date) throws -> ReplayGuardAnswer {
                throw Talkative()
            }
        }
        let device = try TestKeys.device()
        let push = try Sealer(.anonymous).seal(
            json: #"{"aps":{"alert":"a"}}"#.utf8, for: device.publicKey)
        let opener = Opener(
            keys: InMemoryKeyStore([device]), senderPolicy: .anyone, replayGuard: Broken())
        let reason = try #require(try opener.open(json: push.payload).replayGuardFailure).reason
        #expect(reason.contains("Talkative") && !reason.contains("secret"))
    }

    // MARK: Both guards

    /// A guard in memory, and one in a file.
    private func guards(capacity: Int = 10_000) throws -> [(any ReplayGuard, GuardFile)] {
        let file = try GuardFile()
        return [
            (InMemoryReplayGuard(capacity: capacity), file),
            (FileReplayGuard(path: file.path, capacity: capacity), file),
        ]
    }

    private func sealed(_ text: String, lifetime: TimeInterval, at date: Date) throws -> [UInt8] {
        try Sealer(.anonymous, lifetime: lifetime, time: TestClock(date)).seal(
            json: #"{"aps":{"alert":"\#(text)"}}"#.utf8, for: TestKeys.device().publicKey
        ).payload
    }

    @Test("A guard for one message recognizes that one") func smallestCapacity() throws {
        for (replayGuard, _) in try guards(capacity: 1) {
            #expect(try replayGuard.isNew(1))
            #expect(try !replayGuard.isNew(1))
        }
    }

    @Test("A clock that is set back opens no message again")
    func clockThatIsSetBackOpensNoMessageAgain() throws {
        for (replayGuard, _) in try guards(capacity: 3) {
            let time = TestClock(.example)
            let opener = Opener(
                keys: InMemoryKeyStore([try TestKeys.device()]), senderPolicy: .anyone,
                replayGuard: replayGuard,
                time: time)
            let first = try sealed("first", lifetime: 60, at: time.now)
            _ = try opener.open(json: first)
            // The first message expires, and three others displace its ID.
            for _ in 1...3 {
                time.advance(by: 86_400)
                _ = try opener.open(json: try sealed("later", lifetime: 86_400 * 30, at: time.now))
            }
            time.advance(by: -3 * 86_400)
            #expect(throws: PushCryptError(.possiblyReplayed, "")) { try opener.open(json: first) }
            // A new message opens, because the sender's clock is right.
            time.advance(by: 86_400 * 2)
            _ = try opener.open(json: try sealed("new", lifetime: 86_400, at: time.now + 86_400))
        }
    }

    @Test("Beyond the capacity the oldest message leaves, and older ones are rejected")
    func beyondTheCapacityOlderMessagesAreRejected() throws {
        for (replayGuard, _) in try guards(capacity: 100) {
            for number in 1...300 {
                try replayGuard.admit(number, at: .example + Double(number) / 10)
            }
            for number in 201...300 {
                #expect(replayGuard.code(number, at: .example + Double(number) / 10) == .replayed)
            }
            for number in 1...200 {
                #expect(
                    replayGuard.code(number, at: .example + Double(number) / 10)
                        == .possiblyReplayed)
            }
            #expect(replayGuard.code(301, at: .example + 20) == .possiblyReplayed)
            #expect(try replayGuard.isNew(302, at: .example + 20.001))
        }
    }

    @Test("Dates in the future don't reject the messages until then")
    func datesInTheFutureDontRejectMessages() throws {
        for (replayGuard, _) in try guards(capacity: 5) {
            for number in 1...20 {
                #expect(
                    try replayGuard.isNew(
                        number, at: .example + 86_400 + Double(number), now: .example))
            }
            for number in 21...25 {
                #expect(
                    try replayGuard.isNew(number, at: .example + Double(number - 30), now: .example)
                )
            }
        }
    }

    @Test(
        "If the device's clock is behind the sender's, a message that a full guard has forgotten opens again"
    )
    func clockBehindTheSendersReopensAForgottenMessage() throws {
        for (replayGuard, _) in try guards(capacity: 2) {
            for number in 1...3 {
                #expect(try replayGuard.isNew(number, at: .example + Double(number), now: .example))
            }
            // A stated limit. With the right clock, it is rejected.
            #expect(try replayGuard.isNew(1, at: .example + 1, now: .example))
        }
        for (replayGuard, _) in try guards(capacity: 2) {
            for number in 1...3 {
                #expect(
                    try replayGuard.isNew(number, at: .example + Double(number), now: .example + 10)
                )
            }
            #expect(throws: PushCryptError(.possiblyReplayed, "")) {
                try replayGuard.isNew(1, at: .example + 1, now: .example + 10)
            }
        }
    }

    @Test("A flood to one account leaves another one alone")
    func floodToOneAccountLeavesAnotherOneAlone() throws {
        for (replayGuard, _) in try guards(capacity: 10) {
            for number in 1...10 {
                try replayGuard.admit(number, at: .example + Double(number), account: "quiet")
            }
            for number in 1...100 {
                try replayGuard.admit(number, at: .example + Double(number), account: "flooded")
            }
            for number in 1...10 {
                #expect(
                    replayGuard.code(number, at: .example + Double(number), account: "quiet")
                        == .replayed)
            }
            // The same ID and time were rejected in the other account.
            #expect(try replayGuard.isNew(5, at: .example + 5))
            #expect(
                replayGuard.code(101, at: .example + 90, account: "flooded") == .possiblyReplayed)
            #expect(try replayGuard.isNew(101, at: .example + 5, account: "quiet"))
        }
    }

    @Test(
        "A guard of unlimited capacity rejects each message",
        arguments: [Int.max, .max - 1, .min, -5, 0, 100_001])
    func guardOfUnlimitedCapacityRejectsEachMessage(capacity: Int) throws {
        for (replayGuard, file) in try guards(capacity: capacity) {
            #expect(replayGuard.code(1) == .invalidConfiguration)
            #expect(file.numbers.isEmpty)
            let opener = Opener(
                keys: InMemoryKeyStore([try TestKeys.device()]), senderPolicy: .anyone,
                replayGuard: replayGuard)
            let push = try sealed("text", lifetime: 60, at: Date())
            #expect(throws: PushCryptError(.invalidConfiguration, "")) {
                try opener.open(json: push)
            }
        }
    }

    @Test("A guard gets the account, and the time at which the message expires")
    func guardGetsTheAccountAndTheExpiration() throws {
        struct Recording: ReplayGuard {
            let recorded: LockedValue<[String]>
            func admit(_ message: GuardedMessage, now: Date) throws -> ReplayGuardAnswer {
                let age = message.expiration.timeIntervalSince(message.issuedAt)
                let late = now.timeIntervalSince(message.issuedAt)
                recorded.withLock { $0.append("\(message.account) \(Int(age)) \(Int(late))") }
                return .new
            }
        }
        let recorded = LockedValue<[String]>([])
        let account = PushAccount(
            "shop", keys: InMemoryKeyStore([try TestKeys.device()]), senderPolicy: .anyone)
        // The receiver's own limit doesn't count, because a later release may have another one.
        let opener = Opener(
            accounts: [account], freshness: Freshness(maximumLifetime: 600),
            replayGuard: Recording(recorded: recorded), time: TestClock(.example + 7))
        for lifetime in [60, 3600, 2_592_000] as [Double] {
            _ = try opener.open(json: try sealed("text", lifetime: lifetime, at: .example))
        }
        #expect(recorded.withLock { $0 } == ["shop 360 7", "shop 7200 7", "shop 2764800 7"])
    }
}
