import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The log that the extension writes and the app reads.
@Suite struct DeliveryLogTests {
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

    private func open(_ push: DeliveredNotification, in directory: String? = nil) throws
        -> PushOutcome
    {
        var configuration = PushConfiguration(
            keys: InMemoryKeyStore([try TestKeys.device()]), senderPolicy: .anyone)
        configuration.directory = directory
        return PushInbox(configuration, clock: time).open(push).outcome
    }

    private static func failure(_ code: PushCryptError.Code, _ reason: String = "") -> PushOutcome {
        PushOutcome(.fallback, failure: PushCryptError(code, reason))
    }

    // MARK: One entry

    @Test("An opened notification has its times and its hash")
    func openedNotificationHasItsTimesAndItsHash() throws {
        let push = try Pushes.delivered()
        let ticket = try log.begin(push)
        let begun = try #require(try log.entries().first)
        #expect(begun.outcome == .unfinished)
        #expect(begun.began == .example && begun.ended == nil && begun.reason == nil)
        time.advance(by: 2.5)
        try log.end(ticket, push, outcome: try open(push))
        let entries = try log.entries()
        let entry = try #require(entries.first)
        #expect(entries.count == 1)
        #expect(entry.outcome == .opened)
        #expect(entry.began == .example && entry.ended == .example + 2.5)
        #expect(entry.reason == nil)
        #expect(entry.fingerprint == log.fingerprint(of: push) && entry.fingerprint?.count == 16)
        #expect(bytes.count == 8 + 192)
        #expect(Array(bytes.prefix(8)) == Array("PCLOG\u{4}\r\n".utf8))
    }

    @Test("An entry that has ended isn't overwritten") func endedEntryIsNotOverwritten() throws {
        let push = try Pushes.delivered()
        let begun = try log.begin(push)
        try log.end(begun, push, outcome: try open(push))
        try log.end(begun, push, outcome: Self.failure(.timeExpired))
        #expect(try log.entries().map(\.outcome) == [.opened, .fallback])
    }

    @Test("A fallback has its reason") func fallbackHasItsReason() throws {
        let push = try Pushes.delivered()
        try log.end(try log.begin(push), push, outcome: Self.failure(.unknownKey))
        let entry = try #require(try log.entries().first)
        #expect(entry.outcome == .fallback && entry.reason == .unknownKey)
        #expect(entry.fingerprint == log.fingerprint(of: push) && entry.fingerprint?.count == 16)
    }

    @Test("An unsealed payload has no hash") func unsealedPayloadHasNoHash() throws {
        let push = try DeliveredNotification(json: #"{"aps":{"alert":"secret"}}"#.utf8)
        try log.end(try log.begin(push), push, outcome: PushOutcome(.unsealed))
        try log.end(try log.begin(push), push, outcome: Self.failure(.notSealed))
        let entries = try log.entries()
        #expect(entries.map(\.outcome) == [.unsealed, .fallback])
        #expect(entries.map(\.reason) == [nil, .notSealed])
        #expect(entries.allSatisfy { $0.fingerprint == nil })
    }

    @Test("A message that was opened without its guard has that reason")
    func messageThatWasOpenedWithoutItsGuardHasThatReason() throws {
        let push = try Pushes.delivered()
        let outcome = try open(push, in: scratch.file("missing"))
        try log.end(try log.begin(push), push, outcome: outcome)
        let entry = try #require(try log.entries().first)
        #expect(entry.outcome == .opened && entry.reason == .replayGuardUnavailable)
    }

    @Test("An end without a beginning adds an entry") func endWithoutABeginningAddsAnEntry() throws
    {
        let push = try Pushes.delivered()
        try log.end(nil, push, outcome: Self.failure(.deadlinePassed))
        let entries = try log.entries()
        #expect(entries.map(\.outcome) == [.fallback])
        #expect(entries.map(\.reason) == [.deadlinePassed])
    }

    @Test("A killed extension leaves an unfinished entry")
    func killedExtensionLeavesAnUnfinishedEntry() async throws {
        let path = scratch.file("log")
        await #expect(processExitsWith: .failure) { [path = path as String] in
            _ = try DeliveryLog(path: path).begin(try Pushes.delivered())
            abort()
        }
        #expect(try log.entries().map(\.outcome) == [.unfinished])
        let push = try Pushes.delivered("another")
        try log.end(try log.begin(push), push, outcome: try open(push))
        #expect(try log.entries().map(\.outcome) == [.unfinished, .opened])
    }

    // MARK: No content

    @Test(
        "A code that isn't a short word becomes other",
        arguments: [
            "", "Anna wrote: secret", "secret_text", "Secret", "geheim!", "s\u{E9}cret",
            "secret\u{0}",
            String(repeating: "s", count: 54), String(repeating: "secret", count: 1000),
        ])
    func codeThatIsntAShortWordBecomesOther(_ code: String) throws {
        let push = try Pushes.delivered()
        try log.end(try log.begin(push), push, outcome: Self.failure(.init(rawValue: code)))
        #expect(try log.entries().map { $0.reason?.rawValue } == ["other"])
    }

    @Test(
        "An app's own code is kept",
        arguments: ["a", "my-own-code-2", String(repeating: "s", count: 53)])
    func appsOwnCodeIsKept(_ code: String) throws {
        let push = try Pushes.delivered()
        try log.end(try log.begin(push), push, outcome: Self.failure(.init(rawValue: code)))
        #expect(try log.entries().map { $0.reason?.rawValue } == [code])
    }

    @Test("The file doesn't contain content") func fileDoesntContainContent() throws {
        let json = try Pushes.sealed("secret body")
        let push = try DeliveredNotification(json: json)
        let plain = try DeliveredNotification(
            json:
                #"{"aps":{"alert":{"title":"secret title","body":"secret body"}},"name":"secret name"}"#
                .utf8)
        try log.end(try log.begin(push), push, outcome: try open(push))
        try log.end(try log.begin(plain), plain, outcome: PushOutcome(.unsealed))
        try log.end(nil, push, outcome: Self.failure(.keyUnreadable, "secret reason"))
        try log.end(
            nil, push, outcome: Self.failure(.init(rawValue: "secret code"), "secret reason"))
        try log.recordDelivered(try Pushes.delivered("secret body, again"), at: time.now + 60)
        let entries = try log.entries()
        #expect(entries.count == 5)
        let text = String(decoding: bytes, as: UTF8.self)
        // A random hash may have any three letters.
        let words = entries.compactMap(\.fingerprint).reduce(text) {
            $0.replacingOccurrences(of: $1, with: "")
        }
        #expect(words.utf8.count < text.utf8.count)
        for secret in ["secret", "title", "body", "reason ", "name", "aps", "alert"] {
            #expect(!words.contains(secret), "\(secret)")
        }
        // The file doesn't contain parts of the sealed text either.
        let sealed = String(decoding: json, as: UTF8.self)
        for start in stride(from: 0, to: sealed.utf8.count - 8, by: 1) {
            #expect(!text.contains(String(sealed.dropFirst(start).prefix(8))))
        }
    }

    // MARK: Many entries

    @Test("The newest entry replaces the oldest") func newestEntryReplacesTheOldest() throws {
        let log = log(capacity: 3)
        for number in 1...10 {
            let push = try Pushes.delivered("\(number)")
            try log.end(try log.begin(push), push, outcome: try open(push))
            #expect(
                try log.entries().map(\.began)
                    == (max(1, number - 2)...number).map { .example + Double($0 - 1) })
            time.advance(by: 1)
        }
        #expect(bytes.count == 8 + 3 * 192)
    }

    @Test("Entries are ordered by beginning, independent of the clock")
    func entriesAreOrderedByBeginningIndependentOfTheClock() throws {
        for step in [5.0, -100, 50, -20] {
            _ = try log.begin(try Pushes.delivered())
            time.advance(by: step)
        }
        #expect(try log.entries().map(\.began) == [0, 5, -95, -45].map { .example + $0 })
    }

    @Test("The capacity is at least one", arguments: [-1, 0, 1]) func capacityIsAtLeastOne(
        _ capacity: Int
    ) throws {
        let log = log(capacity: capacity)
        let push = try Pushes.delivered()
        let first = try log.begin(push)
        let second = try log.begin(push)
        try log.end(second, push, outcome: try open(push))
        #expect(try log.entries().map(\.outcome) == [.opened])
        // Another entry has replaced its record.
        try log.end(first, push, outcome: Self.failure(.expired))
        #expect(try log.entries().map(\.reason) == [.expired])
    }

    @Test("A reader with a smaller capacity sees all entries")
    func readerWithASmallerCapacitySeesAllEntries() throws {
        for _ in 0..<20 { _ = try log.begin(try Pushes.delivered()) }
        #expect(try log(capacity: 2).entries().count == 20)
        #expect(try log.entries().count == 20)
    }

    @Test("Concurrent writers lose no entry") func concurrentWritersLoseNoEntry() throws {
        let path = scratch.file("log")
        let pushes = try (0..<8).map { try Pushes.delivered("\($0)") }
        onThreads(8) { thread in
            let log = DeliveryLog(path: path)
            // Tries again if another thread holds the lock.
            func insist<Result>(_ body: () throws(PushCryptError) -> Result) -> Result? {
                for _ in 0..<1000 {
                    if let result = try? body() { return result }
                }
                return nil
            }
            for number in 0..<20 {
                let ticket = insist { () throws(PushCryptError) in try log.begin(pushes[thread]) }
                let outcome = Self.failure(.init(rawValue: "thread-\(thread)-\(number)"))
                _ = insist { () throws(PushCryptError) in
                    try log.end(ticket, pushes[thread], outcome: outcome)
                }
            }
        }
        let entries = try log.entries()
        #expect(entries.count == 160)
        #expect(entries.allSatisfy { $0.outcome == .fallback })
        #expect(Set(entries.map { $0.reason?.rawValue }).count == 160)
        for (thread, push) in pushes.enumerated() {
            let own = entries.filter { $0.fingerprint == log.fingerprint(of: push) }
            #expect(own.map { $0.reason?.rawValue } == (0..<20).map { "thread-\(thread)-\($0)" })
        }
    }

    // MARK: Clearing

    @Test("Clearing removes all entries") func clearingRemovesAllEntries() throws {
        for _ in 0..<5 { _ = try log.begin(try Pushes.delivered()) }
        try log.clear()
        #expect(try log.entries() == [])
        #expect(bytes.count == 8 + 192)
        try log.clear()
        #expect(try log.entries() == [])
        let push = try Pushes.delivered()
        try log.end(try log.begin(push), push, outcome: try open(push))
        #expect(try log.entries().map(\.outcome) == [.opened])
    }

    @Test(
        "An earlier entry doesn't end another notification's entry",
        arguments: ["cleared", "damaged", "removed"])
    func earlierEntryDoesntEndAnotherNotificationsEntry(_ what: String) throws {
        let (first, second) = (try Pushes.delivered("first"), try Pushes.delivered("second"))
        let ticket = try log.begin(first)
        switch what {
        case "cleared": try log.clear()
        case "damaged": scratch.write(Array("PCLOG\u{4}\r\r".utf8), to: "log")
        default: try FileManager.default.removeItem(atPath: scratch.file("log"))
        }
        _ = try log.begin(second)
        try log.end(ticket, first, outcome: Self.failure(.expired))
        let entries = try log.entries()
        #expect(entries.map(\.outcome) == [.unfinished, .fallback])
        #expect(
            entries.map(\.fingerprint) == [log.fingerprint(of: second), log.fingerprint(of: first)])
    }

    // MARK: Damage

    @Test("A file that can't be used is an error") func fileThatCantBeUsedIsAnError() throws {
        #expect(
            thrownError { try DeliveryLog(path: scratch.file("missing/log")).entries() }?.code
                == .fileNotFound)
        scratch.write(Array("PCIDS\u{1}\r\n".utf8), to: "log")
        #expect(thrownError { try log.entries() }?.code == .insecureFile)
        #expect(thrownError { try log.begin(try Pushes.delivered()) }?.code == .insecureFile)
        #expect(bytes == Array("PCIDS\u{1}\r\n".utf8))
    }

    @Test("A damaged byte affects only its own entry") func damagedByteAffectsOnlyItsOwnEntry()
        throws
    {
        let push = try Pushes.delivered()
        for code in ["one", "two", "three"] {
            try log.end(try log.begin(push), push, outcome: Self.failure(.init(rawValue: code)))
        }
        let whole = bytes
        for place in stride(from: 8, to: whole.count, by: LongRun.count(7, full: 1)) {
            for change in [0x01, 0x80, 0xFF] as [UInt8] {
                var damaged = whole
                damaged[place] ^= change
                scratch.write(damaged, to: "log")
                let hit = (place - 8) / 192
                let others = ["one", "two", "three"].enumerated().filter { $0.offset != hit }.map(
                    \.element)
                let read = try log.entries().compactMap { $0.reason?.rawValue }
                #expect(read.filter(others.contains) == others)
                // The log goes on.
                try log.end(
                    try log.begin(push), push, outcome: Self.failure(.init(rawValue: "four")))
                #expect(try log.entries().last?.reason?.rawValue == "four")
                #expect(try log.entries().count >= 3)
            }
        }
    }

    @Test("An entry whose reason isn't a code is damaged", arguments: ["One", "o_e", "on."])
    func reasonIsACode(_ reason: String) throws {
        try log.end(nil, try Pushes.delivered(), outcome: Self.failure(.init(rawValue: "one")))
        #expect(try log.entries().count == 1)
        let text = String(decoding: bytes, as: UTF8.self).replacingOccurrences(
            of: " one", with: " \(reason)")
        scratch.write(Array(text.utf8), to: "log")
        #expect(try log.entries().isEmpty)
    }

    @Test(
        "The greatest number doesn't stop the log",
        arguments: [UInt64.max, UInt64.max - 1, 1 << 62] as [UInt64])
    func greatestNumberDoesntStopTheLog(
        _ number: UInt64
    ) throws {
        let push = try Pushes.delivered()
        try log.end(nil, push, outcome: Self.failure(.init(rawValue: "one")))
        let record = String(decoding: bytes.dropFirst(8), as: UTF8.self).dropFirst(2)
        scratch.write(
            bytes.prefix(8) + Array("\(number) \(record)".utf8.prefix(191)) + [10], to: "log")
        for code in ["two", "three", "four"] {
            try log.end(nil, push, outcome: Self.failure(.init(rawValue: code)))
        }
        #expect(
            try log.entries().compactMap { $0.reason?.rawValue }.suffix(3) == [
                "two", "three", "four",
            ])
    }

    @Test("A truncated file keeps its complete entries") func truncatedFileKeepsItsCompleteEntries()
        throws
    {
        let push = try Pushes.delivered()
        for code in ["one", "two", "three"] {
            try log.end(nil, push, outcome: Self.failure(.init(rawValue: code)))
        }
        let whole = bytes
        for length in stride(from: 0, through: whole.count, by: LongRun.count(3, full: 1)) {
            scratch.write(Array(whole.prefix(length)), to: "log")
            let left = Array(["one", "two", "three"].prefix(max(length - 8, 0) / 192))
            #expect(try log.entries().map { $0.reason?.rawValue } == left)
            try log.end(nil, push, outcome: Self.failure(.init(rawValue: "four")))
            #expect(try log.entries().map { $0.reason?.rawValue } == left + ["four"])
        }
    }

    @Test("Random bytes don't crash the log") func randomBytesDontCrashTheLog() throws {
        var random = SeededRandom(seed: 3)
        let push = try Pushes.delivered()
        for _ in 0..<LongRun.count(30, full: 300) {
            scratch.write(
                Array("PCLOG\u{4}\r\n".utf8) + random.bytes(Int(random.next() % 1000)), to: "log")
            _ = try log.entries()
            try log.recordDelivered(push, at: time.now)
            try log.end(try log.begin(push), push, outcome: Self.failure(.expired))
            #expect(
                try log.entries().contains {
                    $0.reason == .expired && $0.fingerprint == log.fingerprint(of: push)
                })
        }
    }
}
