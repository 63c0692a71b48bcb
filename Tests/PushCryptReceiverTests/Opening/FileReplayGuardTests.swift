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

    private func makeGuard(capacity: Int = 10_000) -> FileReplayGuard {
        FileReplayGuard(path: file.path, capacity: capacity)
    }

    // MARK: Repetition

    @Test("Instances that share a file admit an ID once")
    func instancesThatShareAFileAdmitAnIDOnce() throws {
        let first = makeGuard()
        #expect(try first.isNew(1))
        #expect(try !first.isNew(1))
        #expect(try !first.isNew(1, at: .example + 50))
        let second = makeGuard()
        #expect(try !second.isNew(1))
        #expect(try second.isNew(2))
        #expect(try !first.isNew(2))
        #expect(file.bytes.count == 8 + 4 * GuardFile.recordLength)
        #expect(Array(file.bytes.prefix(8)) == GuardFile.mark)
        #expect(
            try Array(file.bytes.dropFirst(8 + 2 * GuardFile.recordLength).prefix(16))
                == GuardFile.id(1).bytes)
        #expect(file.places.map(\.issued) == [1_767_225_600_000, 1_767_225_600_000])
        #expect(file.places.map(\.expiration) == [1_767_225_700_000, 1_767_225_700_000])
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
        // A power failure can leave zeros, which aren't a record.
        #expect(try replayGuard.isNew(1))
        file.write(file.bytes + [UInt8](repeating: 0, count: 40))
        for isFirst in [true, false] {
            let message = GuardedMessage(id: zeros, issuedAt: .example, expiration: .example + 1)
            #expect(try replayGuard.admit(message, now: .example) == (isFirst ? .new : .repeated))
        }
    }

    // Seconds instead of dates, because Foundation crashes when it describes some dates.
    @Test(
        "Any time is accepted",
        arguments: [
            -6e10, 0, 0.001, 1_767_225_600, 1_767_225_610, 6e10, 1.8e16, 1e300, .infinity,
            -.infinity, .nan,
        ])
    func anyTimeIsAccepted(_ seconds: Double) throws {
        let date = Date(timeIntervalSince1970: seconds)
        let replayGuard = makeGuard()
        for number in 1...3 {
            #expect(try replayGuard.isNew(number, at: date))
            #expect(try !replayGuard.isNew(number, at: date))
        }
        #expect(file.numbers == [1, 2, 3])
    }

    // MARK: Expiry

    @Test("An ID leaves when its message has expired by both clocks")
    func idLeavesWhenItsMessageHasExpired() throws {
        let replayGuard = makeGuard()
        #expect(try replayGuard.isNew(1))
        #expect(try replayGuard.isNew(2, at: .example + 100))
        // Only the sender's clock or only the device's is later.
        #expect(try replayGuard.isNew(3, at: .example + 100.001, now: .example + 50))
        #expect(try replayGuard.isNew(4, at: .example + 50, now: .example + 1000))
        #expect(file.numbers == [1, 2, 3, 4])
        #expect(file.forgotten == [0, 0])
        #expect(try replayGuard.isNew(5, at: .example + 100.001))
        #expect(file.numbers == [2, 3, 4, 5])
        #expect(file.forgotten == [0, 1_767_225_700_000])
        #expect(replayGuard.code(1) == .possiblyReplayed)
    }

    @Test("A forgotten short message doesn't reject an older one with a longer lifetime")
    func forgottenShortMessageDoesntRejectAnOlderOne() throws {
        let replayGuard = makeGuard()
        #expect(try replayGuard.isNew(1, at: .example + 10, age: 5))
        #expect(try replayGuard.isNew(2, at: .example + 50))
        #expect(file.numbers == [2])
        #expect(try replayGuard.isNew(3, now: .example + 60))
        #expect(replayGuard.code(4, age: 15, now: .example + 5) == .possiblyReplayed)
        #expect(try replayGuard.isNew(5, age: 15.001, now: .example + 5))
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
        for place in 0..<16 { bytes[8 + 4 * GuardFile.recordLength + 16 + place] = 0xFF }
        // Only one of the two copies.
        for place in 0..<16 { bytes[8 + 24 + place] = 0xFF }
        file.write(bytes)
        #expect(try replayGuard.isNew(6))
        for number in 1...6 { #expect(try !replayGuard.isNew(number)) }
    }

    // MARK: Capacity

    @Test("Beyond the capacity the oldest ID leaves, and older messages are rejected")
    func beyondTheCapacityTheOldestIDLeaves() throws {
        let replayGuard = makeGuard(capacity: 4)
        for (number, time) in [(1, 30), (2, 10), (3, 40), (4, 20)] {
            #expect(try replayGuard.isNew(number, at: .example + Double(time)))
        }
        for (number, left, time) in [(5, 2, 10), (6, 4, 20), (7, 1, 30)] {
            let before = file.places.map(\.number)
            #expect(try replayGuard.isNew(number, at: .example + Double(50 + number)))
            #expect(file.places.map(\.number) == before.map { $0 == left ? number : $0 })
            #expect(file.forgotten == [1_767_225_600_000 + UInt64(time) * 1000, 0])
            // The message that left, and another one of the same time.
            for number in [left, 99] {
                let code = replayGuard.code(number, at: .example + Double(time), now: .example + 60)
                #expect(code == .possiblyReplayed)
            }
        }
        #expect(file.bytes.count == 8 + 6 * GuardFile.recordLength)
    }

    @Test("A smaller capacity removes no ID at once") func smallerCapacityRemovesNoIDAtOnce() throws
    {
        for number in 1...20 { #expect(try makeGuard().isNew(number)) }
        let small = makeGuard(capacity: 5)
        #expect(try small.isNew(21, at: .example + 1))
        #expect(file.bytes.count == 8 + 22 * GuardFile.recordLength)
        #expect(file.numbers.count == 20 && file.numbers.contains(21))
    }

    @Test("The file stays small over many messages") func fileStaysSmallOverManyMessages() throws {
        let replayGuard = makeGuard()
        let count = LongRun.count(2000, full: 50_000)
        for number in 1...count { try replayGuard.admit(number, at: .example + Double(number)) }
        #expect(file.bytes.count <= 8 + 104 * GuardFile.recordLength)
        #expect(file.numbers.isSuperset(of: (count - 100)...count))
    }

    @Test("The file stays within its capacity") func fileStaysWithinItsCapacity() throws {
        let replayGuard = makeGuard(capacity: 50)
        for number in 1...500 { try replayGuard.admit(number, at: .example + Double(number) / 10) }
        #expect(file.bytes.count == 8 + 52 * GuardFile.recordLength)
        #expect(file.numbers == Set(451...500))
    }

    @Test("Each account has its own file, whose name reveals a hash")
    func eachAccountHasItsOwnFile() throws {
        for account in ["", "anna@example.com", "../b"] {
            try makeGuard().admit(1, account: account)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: file.scratch.path).sorted()
        #expect(names.count == 3 && names.first == "ids")
        #expect(names.dropFirst().allSatisfy { $0.hasPrefix("ids.") && $0.utf8.count == 20 })
    }
}
