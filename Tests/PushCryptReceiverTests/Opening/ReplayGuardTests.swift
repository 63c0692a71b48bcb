import Foundation
import PushCryptTesting
import Testing

@Suite struct ReplayGuardTests {
    private func id(_ number: Int) throws -> MessageID {
        try MessageID((0..<16).map { UInt8(truncatingIfNeeded: number >> ($0 % 4 * 8)) })
    }

    @Test("A message opens once with a guard") func messageOpensOnceWithAGuard() throws {
        let device = try TestKeys.device()
        let push = try Sealer(.anonymous).seal(json: #"{"aps":{"alert":"a"}}"#.utf8, for: device.publicKey)
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
        let push = try Sealer(.anonymous).seal(json: #"{"aps":{"alert":"a"}}"#.utf8, for: device.publicKey)
        let replayGuard = InMemoryReplayGuard()
        let strict = Opener(
            keys: InMemoryKeyStore([device]), senderPolicy: .signed(by: []), replayGuard: replayGuard)
        #expect(throws: PushCryptError(.unsigned, "")) { try strict.open(json: push.payload) }
        let open = Opener(keys: InMemoryKeyStore([device]), senderPolicy: .anyone, replayGuard: replayGuard)
        _ = try open.open(json: push.payload)
    }

    @Test("An expired or malformed message doesn't use up its ID") func expiredOrMalformedMessageDoesntUseUpItsID()
        throws
    {
        let device = try TestKeys.device()
        let time = TestClock()
        let push = try Sealer(.anonymous, time: time).seal(json: #"{"aps":{"alert":"a"}}"#.utf8, for: device.publicKey)
        let asked = LockedValue(0)
        struct Counting: ReplayGuard {
            let asked: LockedValue<Int>
            func admit(_ id: MessageID, issuedAt: Date) throws { asked.withLock { $0 += 1 } }
        }
        let opener = Opener(
            keys: InMemoryKeyStore([device]), senderPolicy: .anyone, replayGuard: Counting(asked: asked), time: time)
        time.advance(by: 40 * 86_400)
        #expect(throws: PushCryptError(.expired, "")) { try opener.open(json: push.payload) }
        #expect(asked.withLock { $0 } == 0)
        // These vectors are authentic and fresh, but not JSON.
        for vector in try OpeningCorpus.load().vectors where vector.fails == "malformed-json" {
            guard let json = vector.json, (try? SealedValue(json: json)) != nil else { continue }
            var strict = try OpeningCorpus.load().opener(for: vector)
            strict.replayGuard = Counting(asked: asked)
            #expect(throws: PushCryptError(.malformedJSON, "")) { try strict.open(json: json) }
        }
        #expect(asked.withLock { $0 } == 0)
    }

    @Test("A failing guard doesn't reject the message") func failingGuardDoesntRejectTheMessage() throws {
        struct Broken: ReplayGuard {
            func admit(_ id: MessageID, issuedAt: Date) throws { throw CocoaError(.fileReadNoPermission) }
        }
        let device = try TestKeys.device()
        let push = try Sealer(.anonymous).seal(json: #"{"aps":{"alert":"a"}}"#.utf8, for: device.publicKey)
        let opener = Opener(keys: InMemoryKeyStore([device]), senderPolicy: .anyone, replayGuard: Broken())
        _ = try opener.open(json: push.payload)
    }

    @Test("The guard in memory has a capacity") func guardInMemoryHasACapacity() throws {
        let replayGuard = InMemoryReplayGuard(capacity: 100)
        for number in 0..<1000 { try replayGuard.admit(try id(number), issuedAt: Date()) }
        // The newest IDs are known. The oldest are forgotten.
        #expect(throws: PushCryptError(.replayed, "")) { try replayGuard.admit(try id(999), issuedAt: Date()) }
        for known in 900..<1000 {
            #expect(throws: PushCryptError(.replayed, "")) { try replayGuard.admit(try id(known), issuedAt: Date()) }
        }
        try replayGuard.admit(try id(0), issuedAt: Date())
        try replayGuard.admit(try id(799), issuedAt: Date())
    }

    @Test("Concurrent calls admit an ID once") func concurrentCallsAdmitAnIDOnce() async throws {
        let replayGuard = InMemoryReplayGuard()
        let id = try id(7)
        let admitted = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<64 {
                group.addTask { (try? replayGuard.admit(id, issuedAt: Date())) == nil ? 0 : 1 }
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
            func admit(_ id: MessageID, issuedAt: Date) throws { throw Talkative() }
        }
        let device = try TestKeys.device()
        let push = try Sealer(.anonymous).seal(json: #"{"aps":{"alert":"a"}}"#.utf8, for: device.publicKey)
        let opener = Opener(keys: InMemoryKeyStore([device]), senderPolicy: .anyone, replayGuard: Broken())
        let reason = try #require(try opener.open(json: push.payload).replayGuardFailure).reason
        #expect(reason.contains("Talkative") && !reason.contains("secret"))
    }
}
