import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// What the extension writes into the log, and the app reads.
@Suite struct OutcomeLogTests {
    let scratch: Scratch
    let time = TestClock()
    let log: DeliveryLog

    init() throws {
        scratch = try Scratch()
        log = DeliveryLog(path: scratch.file("log"), time: time)
    }

    private func log(capacity: Int) -> DeliveryLog {
        DeliveryLog(path: scratch.file("log"), capacity: capacity, time: time)
    }

    private var bytes: [UInt8] { scratch.contents(of: "log") ?? [] }

    private func open(_ push: DeliveredNotification, _ replayGuard: (any ReplayGuard)? = nil) throws
        -> NotificationOutcome
    {
        NotificationOpener(
            Opener(
                keys: InMemoryKeyStore([try TestKeys.device()]), senderPolicy: .anyone, replayGuard: replayGuard,
                time: time)
        ).open(push).outcome
    }

    private static func failure(_ code: PushCryptError.Code, _ reason: String = "") -> NotificationOutcome {
        .fallback(PushCryptError(code, reason))
    }

    // MARK: One entry

    @Test func aNotificationThatIsOpenedHasItsTimesAndItsKey() throws {
        let push = try Pushes.delivered()
        let ticket = try log.begin(push)
        let begun = try #require(try log.entries().first)
        #expect(begun.outcome == .unfinished)
        #expect(begun.began == .example && begun.ended == nil && begun.reason == nil)
        time.advance(by: 2.5)
        try log.end(ticket, push, try open(push))
        let entries = try log.entries()
        let entry = try #require(entries.first)
        #expect(entries.count == 1)
        #expect(entry.outcome == .opened)
        #expect(entry.began == .example && entry.ended == .example + 2.5)
        #expect(entry.reason == nil)
        #expect(try entry.keyID == TestKeys.device().publicKey.keyID)
        #expect(bytes.count == 8 + 160)
        #expect(Array(bytes.prefix(8)) == Array("PCLOG\u{2}\r\n".utf8))
    }

    @Test func aFallbackHasItsReason() throws {
        let push = try Pushes.delivered()
        try log.end(try log.begin(push), push, Self.failure(.unknownKey))
        let entry = try #require(try log.entries().first)
        #expect(entry.outcome == .fallback && entry.reason == .unknownKey)
        #expect(try entry.keyID == TestKeys.device().publicKey.keyID)
    }

    @Test func whatIsNotSealedHasNoKey() throws {
        let push = try DeliveredNotification(json: #"{"aps":{"alert":"secret"}}"#.utf8)
        try log.end(try log.begin(push), push, .unsealed)
        try log.end(try log.begin(push), push, Self.failure(.notSealed))
        let entries = try log.entries()
        #expect(entries.map(\.outcome) == [.unsealed, .fallback])
        #expect(entries.map(\.reason) == [nil, .notSealed])
        #expect(entries.allSatisfy { $0.keyID == nil && $0.fingerprint == nil })
    }

    @Test func aMessageThatWasShownWithoutItsGuardSaysSo() throws {
        let push = try Pushes.delivered()
        let outcome = try open(push, FileReplayGuard(path: scratch.file("missing/ids")))
        try log.end(try log.begin(push), push, outcome)
        let entry = try #require(try log.entries().first)
        #expect(entry.outcome == .opened && entry.reason == .replayGuardUnavailable)
    }

    @Test func anEndWithoutABeginIsOneEntry() throws {
        let push = try Pushes.delivered()
        try log.end(nil, push, Self.failure(.deadlinePassed))
        let entries = try log.entries()
        #expect(entries.map(\.outcome) == [.fallback])
        #expect(entries.map(\.reason) == [.deadlinePassed])
    }

    @Test func whoeverIsKilledStaysUnfinished() async throws {
        let path = scratch.file("log")
        await #expect(processExitsWith: .failure) { [path = path as String] in
            _ = try DeliveryLog(path: path).begin(try Pushes.delivered())
            abort()
        }
        #expect(try log.entries().map(\.outcome) == [.unfinished])
        let push = try Pushes.delivered("another")
        try log.end(try log.begin(push), push, try open(push))
        #expect(try log.entries().map(\.outcome) == [.unfinished, .opened])
    }

    // MARK: No content

    @Test(
        arguments: [
            "", "Anna wrote: secret", "secret_text", "Secret", "geheim!", "s\u{E9}cret", "secret\u{0}",
            String(repeating: "s", count: 54), String(repeating: "secret", count: 1000),
        ])
    func aCodeThatLooksLikeNoneIsCalledOther(_ code: String) throws {
        let push = try Pushes.delivered()
        try log.end(try log.begin(push), push, Self.failure(.init(rawValue: code)))
        #expect(try log.entries().map { $0.reason?.rawValue } == ["other"])
    }

    @Test(arguments: ["a", "my-own-code-2", String(repeating: "s", count: 53)])
    func anAppsOwnCodeIsKept(_ code: String) throws {
        let push = try Pushes.delivered()
        try log.end(try log.begin(push), push, Self.failure(.init(rawValue: code)))
        #expect(try log.entries().map { $0.reason?.rawValue } == [code])
    }

    @Test func nothingOfTheContentIsInTheFile() throws {
        let json = try Pushes.sealed("secret body")
        let push = try DeliveredNotification(json: json)
        let plain = try DeliveredNotification(
            json: #"{"aps":{"alert":{"title":"secret title","body":"secret body"}},"name":"secret name"}"#.utf8)
        try log.end(try log.begin(push), push, try open(push))
        try log.end(try log.begin(plain), plain, .unsealed)
        try log.end(nil, push, Self.failure(.keyUnreadable, "secret reason"))
        try log.end(nil, push, Self.failure(.init(rawValue: "secret code"), "secret reason"))
        try log.recordDelivered(try Pushes.delivered("secret body, again"), at: time.now)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(try log.entries().count == 5)
        for secret in ["secret", "title", "body", "reason ", "name", "aps", "alert"] {
            #expect(!text.contains(secret), "\(secret)")
        }
        // Nor any stretch of what was sealed.
        let sealed = String(decoding: json, as: UTF8.self)
        for start in stride(from: 0, to: sealed.utf8.count - 8, by: 1) {
            #expect(!text.contains(String(sealed.dropFirst(start).prefix(8))))
        }
    }

    // MARK: Many entries

    @Test func theNewestTakesThePlaceOfTheOldest() throws {
        let log = log(capacity: 3)
        for number in 1...10 {
            let push = try Pushes.delivered("\(number)")
            try log.end(try log.begin(push), push, try open(push))
            #expect(try log.entries().map(\.began) == (max(1, number - 2)...number).map { .example + Double($0 - 1) })
            time.advance(by: 1)
        }
        #expect(bytes.count == 8 + 3 * 160)
    }

    @Test func theOrderIsThatOfBeginningWhateverTheClockSays() throws {
        for step in [5.0, -100, 50, -20] {
            _ = try log.begin(try Pushes.delivered())
            time.advance(by: step)
        }
        #expect(try log.entries().map(\.began) == [0, 5, -95, -45].map { .example + $0 })
    }

    @Test(arguments: [-1, 0, 1]) func aCapacityIsOneAtTheLeast(_ capacity: Int) throws {
        let log = log(capacity: capacity)
        let push = try Pushes.delivered()
        let first = try log.begin(push)
        let second = try log.begin(push)
        try log.end(second, push, try open(push))
        #expect(try log.entries().map(\.outcome) == [.opened])
        // Its place has been given away.
        try log.end(first, push, Self.failure(.expired))
        #expect(try log.entries().map(\.reason) == [.expired])
    }

    @Test func aReaderThatKeepsFewerSeesAll() throws {
        for _ in 0..<20 { _ = try log.begin(try Pushes.delivered()) }
        #expect(try log(capacity: 2).entries().count == 20)
        #expect(try log.entries().count == 20)
    }

    @Test func manyWritersLoseNothing() throws {
        let path = scratch.file("log")
        let pushes = try (0..<8).map { try Pushes.delivered("\($0)") }
        onThreads(8) { thread in
            let log = DeliveryLog(path: path)
            // Whoever gets no lock tries again, as nobody does who has a notification to show.
            func insist<Result>(_ body: () throws(PushCryptError) -> Result) -> Result? {
                for _ in 0..<1000 {
                    if let result = try? body() { return result }
                }
                return nil
            }
            for number in 0..<20 {
                let ticket = insist { () throws(PushCryptError) in try log.begin(pushes[thread]) }
                let outcome = Self.failure(.init(rawValue: "thread-\(thread)-\(number)"))
                _ = insist { () throws(PushCryptError) in try log.end(ticket, pushes[thread], outcome) }
            }
        }
        let entries = try log.entries()
        #expect(entries.count == 160)
        #expect(entries.allSatisfy { $0.outcome == .fallback })
        #expect(Set(entries.map { $0.reason?.rawValue }).count == 160)
        for (thread, push) in pushes.enumerated() {
            let own = entries.filter { $0.fingerprint == push.fingerprint }
            #expect(own.map { $0.reason?.rawValue } == (0..<20).map { "thread-\(thread)-\($0)" })
        }
    }

    // MARK: Clearing

    @Test func clearingForgetsAll() throws {
        for _ in 0..<5 { _ = try log.begin(try Pushes.delivered()) }
        try log.clear()
        #expect(try log.entries() == [])
        #expect(bytes.count == 8 + 160)
        try log.clear()
        #expect(try log.entries() == [])
        let push = try Pushes.delivered()
        try log.end(try log.begin(push), push, try open(push))
        #expect(try log.entries().map(\.outcome) == [.opened])
    }

    @Test(arguments: ["cleared", "damaged", "removed"])
    func aTicketFromBeforeEndsNobodyElsesEntry(_ what: String) throws {
        let (first, second) = (try Pushes.delivered("first"), try Pushes.delivered("second"))
        let ticket = try log.begin(first)
        switch what {
        case "cleared": try log.clear()
        case "damaged": scratch.write(Array("PCLOG\u{2}\r\r".utf8), to: "log")
        default: try FileManager.default.removeItem(atPath: scratch.file("log"))
        }
        _ = try log.begin(second)
        try log.end(ticket, first, Self.failure(.expired))
        let entries = try log.entries()
        #expect(entries.map(\.outcome) == [.unfinished, .fallback])
        #expect(entries.map(\.fingerprint) == [second.fingerprint, first.fingerprint])
    }

    // MARK: Damage

    @Test func aFileThatCannotBeUsedIsAnError() throws {
        #expect(thrownError { try DeliveryLog(path: scratch.file("missing/log")).entries() }?.code == .fileNotFound)
        scratch.write(Array("PCIDS\u{1}\r\n".utf8), to: "log")
        #expect(thrownError { try log.entries() }?.code == .insecureFile)
        #expect(thrownError { try log.begin(try Pushes.delivered()) }?.code == .insecureFile)
        #expect(bytes == Array("PCIDS\u{1}\r\n".utf8))
    }

    @Test func noByteThatIsWrongHarmsTheOtherEntries() throws {
        let push = try Pushes.delivered()
        for code in ["one", "two", "three"] {
            try log.end(try log.begin(push), push, Self.failure(.init(rawValue: code)))
        }
        let whole = bytes
        for place in 8..<whole.count {
            for change in [0x01, 0x80, 0xFF] as [UInt8] {
                var damaged = whole
                damaged[place] ^= change
                scratch.write(damaged, to: "log")
                let hit = (place - 8) / 160
                let others = ["one", "two", "three"].enumerated().filter { $0.offset != hit }.map(\.element)
                let read = try log.entries().compactMap { $0.reason?.rawValue }
                #expect(read.filter(others.contains) == others)
                // And the log goes on.
                try log.end(try log.begin(push), push, Self.failure(.init(rawValue: "four")))
                #expect(try log.entries().last?.reason?.rawValue == "four")
                #expect(try log.entries().count >= 3)
            }
        }
    }

    @Test(arguments: [UInt64.max, UInt64.max - 1, 1 << 62] as [UInt64]) func aNumberThatIsTheLastEndsNothing(
        _ number: UInt64
    ) throws {
        let push = try Pushes.delivered()
        try log.end(nil, push, Self.failure(.init(rawValue: "one")))
        let record = String(decoding: bytes.dropFirst(8), as: UTF8.self).dropFirst(2)
        scratch.write(bytes.prefix(8) + Array("\(number) \(record)".utf8.prefix(159)) + [10], to: "log")
        for code in ["two", "three", "four"] { try log.end(nil, push, Self.failure(.init(rawValue: code))) }
        #expect(try log.entries().compactMap { $0.reason?.rawValue }.suffix(3) == ["two", "three", "four"])
    }

    @Test func aTornFileKeepsWhatIsWhole() throws {
        let push = try Pushes.delivered()
        for code in ["one", "two", "three"] { try log.end(nil, push, Self.failure(.init(rawValue: code))) }
        let whole = bytes
        for length in 0...whole.count {
            scratch.write(Array(whole.prefix(length)), to: "log")
            let left = Array(["one", "two", "three"].prefix(max(length - 8, 0) / 160))
            #expect(try log.entries().map { $0.reason?.rawValue } == left)
            try log.end(nil, push, Self.failure(.init(rawValue: "four")))
            #expect(try log.entries().map { $0.reason?.rawValue } == left + ["four"])
        }
    }

    @Test func anyBytesAreNoReasonToCrash() throws {
        var random = SeededRandom(seed: 3)
        let push = try Pushes.delivered()
        for _ in 0..<300 {
            scratch.write(Array("PCLOG\u{2}\r\n".utf8) + random.bytes(Int(random.next() % 1000)), to: "log")
            _ = try log.entries()
            try log.recordDelivered(push, at: time.now)
            try log.end(try log.begin(push), push, Self.failure(.expired))
            #expect(try log.entries().contains { $0.reason == .expired && $0.fingerprint == push.fingerprint })
        }
    }
}
