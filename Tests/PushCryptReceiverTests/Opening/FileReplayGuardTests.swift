import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// The IDs that a file keeps.
@Suite struct FileReplayGuardTests {
    let file: GuardFile

    init() throws {
        file = try GuardFile()
    }

    private func makeGuard(age: Double = 100, lead: Double = 10, capacity: Int = 10_000) -> FileReplayGuard {
        FileReplayGuard(
            path: file.path, freshness: Freshness(maximumLifetime: age, maximumLead: lead), capacity: capacity)
    }

    // MARK: Repetition

    @Test("Instances that share a file admit an ID once") func instancesThatShareAFileAdmitAnIDOnce() throws {
        let first = makeGuard()
        #expect(try first.isNew(1))
        #expect(try !first.isNew(1))
        #expect(try !first.isNew(1, at: .example + 50))
        let second = makeGuard()
        #expect(try !second.isNew(1))
        #expect(try second.isNew(2))
        #expect(try !first.isNew(2))
        #expect(file.bytes.count == 8 + 2 * 24)
        #expect(Array(file.bytes.prefix(8)) == GuardFile.mark)
        #expect(try Array(file.bytes.dropFirst(8).prefix(16)) == GuardFile.id(1).bytes)
        #expect(file.places.map(\.time) == [1_767_225_600_000, 1_767_225_600_000])
    }

    @Test("An ID survives its process") func idSurvivesItsProcess() async throws {
        let path = file.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let answers = try (0..<2).map { _ in try FileReplayGuard(path: path).isNew(1) }
            #expect(answers == [true, false])
        }
        #expect(try !FileReplayGuard(path: file.path).isNew(1))
        #expect(try FileReplayGuard(path: file.path).isNew(2))
    }

    @Test("The ID of zeros is admitted once") func idOfZerosIsAdmittedOnce() throws {
        let zeros = try MessageID([UInt8](repeating: 0, count: 16))
        let replayGuard = makeGuard()
        // A free record consists of zeros.
        for number in 1...3 { _ = try replayGuard.isNew(number, at: .example + Double(200 * (number % 2))) }
        file.write(file.bytes + [UInt8](repeating: 0, count: 24))
        try replayGuard.admit(zeros, issuedAt: .example)
        #expect(throws: PushCryptError(.replayed, "")) { try replayGuard.admit(zeros, issuedAt: .example) }
    }

    // Seconds instead of dates, because Foundation crashes when it describes some dates.
    @Test(
        "Any time is accepted",
        arguments: [-6e10, 0, 0.001, 1_767_225_600, 1_767_225_610, 6e10, 1.8e16, 1e300, .infinity, -.infinity, .nan],
        [Freshness.standard, Freshness(maximumLifetime: 0, maximumLead: 0)])
    func anyTimeIsAccepted(_ seconds: Double, _ freshness: Freshness) throws {
        let date = Date(timeIntervalSince1970: seconds)
        let replayGuard = FileReplayGuard(path: file.path, freshness: freshness)
        for number in 1...3 {
            #expect(try replayGuard.isNew(number, at: date))
            #expect(try !replayGuard.isNew(number, at: date))
        }
        #expect(file.numbers == [1, 2, 3])
    }

    // MARK: Expiry

    @Test("An ID leaves when its message is older than the window") func idLeavesWhenItsMessageIsOlderThanTheWindow()
        throws
    {
        let replayGuard = makeGuard()
        #expect(try replayGuard.isNew(1))
        #expect(try replayGuard.isNew(2, at: .example + 410))
        #expect(file.numbers == [1, 2], "A sender's clock may be ahead by the lead, so this is just fresh.")
        #expect(try !replayGuard.isNew(1))
        #expect(try replayGuard.isNew(3, at: .example + 410.001))
        #expect(file.numbers == [2, 3])
    }

    @Test("An ID stays while its message could open") func idStaysWhileItsMessageCouldOpen() throws {
        // In the worst case the sender's clock is ahead by the lead, and the other message has the greatest age.
        let time = TestClock()
        let freshness = Freshness(maximumLifetime: 100, maximumLead: 10)
        let device = try TestKeys.device()
        let opener = Opener(
            keys: InMemoryKeyStore([device]), senderPolicy: .anyone, freshness: freshness,
            replayGuard: FileReplayGuard(path: file.path, freshness: freshness), time: time)
        let push = { (date: Date) in
            try Sealer(.anonymous, time: TestClock(date)).seal(
                json: #"{"aps":{"alert":"a"}}"#.utf8, for: device.publicKey)
        }
        let old = try push(time.now)
        _ = try opener.open(json: old.payload)
        time.advance(by: 400)
        _ = try opener.open(json: try push(time.now + 10).payload)
        #expect(throws: PushCryptError(.replayed, "")) { try opener.open(json: old.payload) }
        time.advance(by: 0.001)
        #expect(throws: PushCryptError(.expired, "")) { try opener.open(json: old.payload) }
        // A clock that is far ahead for a while removes no ID.
        time.advance(by: 400 * 86_400)
        #expect(throws: PushCryptError(.expired, "")) { try opener.open(json: old.payload) }
        time.advance(by: -400 * 86_400 - 1)
        #expect(throws: PushCryptError(.replayed, "")) { try opener.open(json: old.payload) }
    }

    @Test("A late message removes no ID") func lateMessageRemovesNoID() throws {
        let replayGuard = makeGuard()
        #expect(try replayGuard.isNew(1, at: .example + 1000))
        // These come from a time when the device's clock was behind.
        for number in 2...4 { #expect(try replayGuard.isNew(number)) }
        for number in 2...4 { #expect(try !replayGuard.isNew(number)) }
        #expect(file.numbers == [1, 2, 3, 4])
    }

    @Test("A damaged time removes no ID") func damagedTimeRemovesNoID() throws {
        let replayGuard = makeGuard()
        for number in 1...5 { #expect(try replayGuard.isNew(number)) }
        var bytes = file.bytes
        for place in 0..<8 { bytes[8 + 2 * 24 + 16 + place] = 0xFF }
        file.write(bytes)
        #expect(try replayGuard.isNew(6))
        for number in 1...6 { #expect(try !replayGuard.isNew(number)) }
    }

    @Test(
        "Unusual limits remove no fresh ID",
        arguments: [
            (Double.infinity, 0), (.greatestFiniteMagnitude, .greatestFiniteMagnitude), (1e17, -1e17), (1000, -1000),
            (1000, .nan), (1000, -Double.infinity),
        ])
    func unusualLimitsRemoveNoFreshID(_ age: Double, _ lead: Double) throws {
        let replayGuard = makeGuard(age: age, lead: lead)
        #expect(try replayGuard.isNew(1))
        #expect(try replayGuard.isNew(2, at: .example + 1000))
        #expect(file.numbers == [1, 2])
    }

    // MARK: Capacity

    @Test("Beyond the capacity the oldest ID leaves") func beyondTheCapacityTheOldestIDLeaves() throws {
        let replayGuard = makeGuard(capacity: 4)
        for (number, time) in [(1, 30), (2, 10), (3, 40), (4, 20)] {
            #expect(try replayGuard.isNew(number, at: .example + Double(time)))
        }
        for (number, left) in [(5, 2), (6, 4), (7, 1)] {
            let before = file.places.map(\.number)
            #expect(try replayGuard.isNew(number, at: .example + Double(50 + number)))
            #expect(file.places.map(\.number) == before.map { $0 == left ? number : $0 })
        }
        #expect(file.bytes.count == 8 + 4 * 24)
    }

    @Test("The capacity is at least one", arguments: [-5, 0, 1]) func capacityIsAtLeastOne(_ capacity: Int) throws {
        let replayGuard = makeGuard(capacity: capacity)
        for number in 1...3 {
            #expect(try replayGuard.isNew(number))
            #expect(try !replayGuard.isNew(number))
            #expect(file.numbers == [number])
        }
    }

    @Test("A smaller capacity removes no ID at once") func smallerCapacityRemovesNoIDAtOnce() throws {
        for number in 1...20 { #expect(try makeGuard().isNew(number)) }
        let small = makeGuard(capacity: 5)
        #expect(try small.isNew(21))
        #expect(file.bytes.count == 8 + 20 * 24)
        #expect(file.numbers.count == 20 && file.numbers.contains(21))
    }

    @Test("Free records are used again, and the last ones are cut") func freeRecordsAreUsedAgainAndTheLastOnesAreCut()
        throws
    {
        let replayGuard = makeGuard()
        for number in 1...10 { #expect(try replayGuard.isNew(number, at: .example + (number % 5 == 0 ? 360 : 0))) }
        // All IDs except 5 and 10 leave.
        #expect(try replayGuard.isNew(11, at: .example + 420))
        #expect(file.places.map(\.number) == [11, 0, 0, 0, 5, 0, 0, 0, 0, 10])
        #expect(try replayGuard.isNew(12, at: .example + 420))
        #expect(file.places.map(\.number) == [11, 12, 0, 0, 5, 0, 0, 0, 0, 10])
        // 5 and 10 leave, and the free records at the end.
        #expect(try replayGuard.isNew(13, at: .example + 780))
        #expect(file.places.map(\.number) == [11, 12, 13])
        #expect(try replayGuard.isNew(14, at: .example + 2000))
        #expect(file.places.map(\.number) == [14])
    }

    @Test("The file stays small over many messages") func fileStaysSmallOverManyMessages() throws {
        let replayGuard = makeGuard()
        var longest = 0
        let count = LongRun.count(5000, full: 50_000)
        for number in 1...count {
            try replayGuard.admit(try GuardFile.id(number), issuedAt: .example + Double(number))
            if number % 97 == 0 { longest = max(longest, file.bytes.count) }
        }
        #expect(longest <= 8 + 411 * 24)
        #expect(file.numbers == Set((count - 410)...count))
    }

    @Test("The file stays within its capacity") func fileStaysWithinItsCapacity() throws {
        let replayGuard = makeGuard(capacity: 50)
        for number in 1...500 { try replayGuard.admit(try GuardFile.id(number), issuedAt: .example) }
        #expect(file.bytes.count == 8 + 50 * 24)
        #expect(file.numbers.contains(500))
    }
}
