import Foundation
import PushCryptCore
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

@Suite struct RecordFileTests {
    let scratch: Scratch
    let records: TestRecords

    init() throws {
        scratch = try Scratch()
        records = TestRecords(scratch.file("records"))
    }

    private static let mark = Array(TestRecords.mark.utf8)

    private var contents: [UInt8]? { scratch.contents(of: "records") }

    // MARK: What is in the file

    @Test("A new file contains only its mark") func newFile() throws {
        #expect(try records.all == [])
        #expect(contents == Self.mark)
        #expect(scratch.mode(of: "records") == 0o600)
        #expect(try scratch.names == ["records"])
        #expect(try !records.wasDamaged)
    }

    @Test("Records follow each other") func order() throws {
        for number in UInt64(1)...3 { try records.add(number) }
        #expect(try records.all == [1, 2, 3])
        #expect(contents == Self.mark + (1...3).flatMap { TestRecords.record($0) })
        try records.file.withRecords { (records) throws(PushCryptError) in
            try records.write(TestRecords.record(0x0102_0304_0506_0708), at: 1)
            #expect(records.number(at: 2, of: 1) == 0x0102_0304_0506_0708)
            #expect(Array(records[1]) == [0xAA, 0xBB, 1, 2, 3, 4, 5, 6, 7, 8])
            #expect(records.firstIndex(beginningWith: [0xAA, 0xBB], where: { _ in true }) == 0)
            #expect(records.firstIndex(beginningWith: [0xAA, 0xBB], where: { $0 > 1 }) == 2)
            #expect(records.firstIndex(beginningWith: [0xAA, 0xBB], where: { _ in false }) == nil)
            #expect(records.firstIndex(beginningWith: [0xBB], where: { _ in true }) == nil)
        }
        #expect(try records.all == [1, 0x0102_0304_0506_0708, 3])
    }

    @Test("Cutting removes the last records", arguments: 0...4)
    func cutting(_ count: Int) throws {
        for number in UInt64(1)...4 { try records.add(number) }
        try records.file.withRecords { (records) throws(PushCryptError) in
            try records.cut(to: count)
            #expect(records.count == count)
        }
        #expect(try records.all == (1...4).prefix(count).map { $0 })
        #expect(contents?.count == 8 + 10 * count)
    }

    @Test("A file has room for its capacity") func capacity() throws {
        let small = TestRecords(records.path, capacity: 3)
        for number in UInt64(1)...3 {
            #expect(try small.hasRoom)
            try small.add(number)
        }
        #expect(try !small.hasRoom)
    }

    @Test(
        "A file of another program's capacity is read up to 1 MiB",
        arguments: [(104_856, false), (104_857, true)])
    func largestFile(_ count: Int, _ isDamaged: Bool) throws {
        scratch.write(Self.mark + [UInt8](repeating: 0, count: 10 * count), to: "records")
        #expect(try records.wasDamaged == isDamaged)
        #expect(try records.all.count == (isDamaged ? 0 : count))
    }

    @Test("A full file of more than 1 MiB is read") func largeCapacity() throws {
        let large = TestRecords(records.path, capacity: 110_000)
        scratch.write(Self.mark + [UInt8](repeating: 0, count: 10 * 110_000), to: "records")
        #expect(try !large.wasDamaged)
        #expect(try large.all.count == 110_000 && !large.hasRoom)
    }

    @Test("A smaller capacity still reads all records") func smallerCapacity() throws {
        for number in UInt64(1)...50 { try records.add(number) }
        let small = TestRecords(records.path, capacity: 3)
        #expect(try !small.wasDamaged)
        #expect(try small.all == Array(1...50))
        #expect(try !small.hasRoom)
    }

    // MARK: Damaged files and other files

    @Test("A damaged mark resets the file") func damagedMark() throws {
        for bit in 0..<64 {
            scratch.write(flipping(bit: bit, of: Self.mark + TestRecords.record(7)), to: "records")
            #expect(try records.wasDamaged)
            #expect(contents == Self.mark)
            #expect(try !records.wasDamaged)
        }
        scratch.write([UInt8](repeating: 0, count: 300), to: "records")
        #expect(try records.wasDamaged)
        #expect(contents == Self.mark)
    }

    @Test(
        "A file of a newer version stays unchanged, and one of an earlier version is reset",
        arguments: [1, 2, 100])
    func newerVersion(step: UInt8) throws {
        var newer = Self.mark + TestRecords.record(7)
        newer[5] += step
        newer[7] += step
        scratch.write(newer, to: "records")
        #expect(thrownError { try records.wasDamaged }?.code == .newerFormat)
        #expect(contents == newer)
        newer[5] = Self.mark[5] - 1
        newer[7] = Self.mark[7] - 1
        scratch.write(newer, to: "records")
        #expect(try records.wasDamaged)
        #expect(contents == Self.mark)
    }

    @Test("A truncated mark is damage, and an empty file is not") func truncatedMark() throws {
        for length in 0..<8 {
            scratch.write(Array(Self.mark.prefix(length)), to: "records")
            #expect(try records.wasDamaged == (length > 0))
            #expect(contents == Self.mark)
        }
    }

    @Test(
        "A file of another type stays unchanged",
        arguments: [
            "{\"keys\":[]}", "x", "ab", "testing\n and more", "PCIDS\u{1}\r\n", "\0\0\0\0\0key",
        ])
    func otherFile(_ text: String) throws {
        scratch.write(Array(text.utf8), to: "records")
        #expect(errorCode { try records.add(1) } == .insecureFile)
        #expect(contents == Array(text.utf8))
    }

    @Test("A partial record is ignored and overwritten") func partialRecord() throws {
        for number in UInt64(1)...4 { try records.add(number) }
        let whole = try #require(contents)
        for length in 8...whole.count {
            scratch.write(Array(whole.prefix(length)), to: "records")
            let left = (1...4).prefix((length - 8) / 10).map { UInt64($0) }
            #expect(try records.all == left)
            try records.file.withRecords { (records) throws(PushCryptError) in
                try records.write(TestRecords.record(9), at: records.count)
                // The change is visible before the file is read again.
                #expect(records.number(at: 2, of: left.count) == 9)
            }
            #expect(try records.all == left + [9])
        }
    }

    @Test("A file that is much too large is reset") func hugeFile() throws {
        try records.add(1)
        #expect(unsafe truncate(records.path, 10 << 30) == 0)
        let clock = ContinuousClock()
        let start = clock.now
        #expect(try records.wasDamaged)
        #expect(clock.now - start < .seconds(600))
        #expect(contents == Self.mark)
    }

    @Test(
        "Only a regular file is opened", .timeLimit(.minutes(20)),
        arguments: ["link", "dangling", "directory", "pipe", "device"])
    func regularFile(_ kind: String) throws {
        let path = records.path
        scratch.write(Array("other".utf8), to: "other")
        switch kind {
        case "link":
            try FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: scratch.file("other"))
        case "dangling":
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "nowhere")
        case "directory":
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false)
        case "pipe": #expect(unsafe mkfifo(path, 0o600) == 0)
        default: break
        }
        let file = kind == "device" ? TestRecords("/dev/zero") : records
        #expect(
            errorCode { try file.add(1) }
                == (kind == "directory" ? .fileSystemError : .insecureFile))
        #expect(scratch.contents(of: "other") == Array("other".utf8))
    }

    @Test("A missing directory is an error") func missingDirectory() {
        #expect(
            errorCode { try TestRecords(scratch.file("missing/records")).add(1) } == .fileNotFound)
        scratch.write([], to: "plain")
        #expect(
            errorCode { try TestRecords(scratch.file("plain/records")).add(1) } == .fileSystemError)
    }

    @Test(
        "A file without permission is an error",
        .enabled(
            if: Rights.includeOtherUsers,
            "Only root can become another user, and root can open every file."))
    func missingPermission() async {
        await #expect(processExitsWith: .success) { [path = scratch.path as String] in
            // Another user cannot remove the directory.
            let scratch = Scratch(at: path)
            #expect(unsafe chmod(scratch.path, 0o777) == 0)
            scratch.write(Array(TestRecords.mark.utf8), to: "records", mode: 0o600)
            try #require(setuid(65_534) == 0)
            #expect(
                errorCode { try TestRecords(scratch.file("records")).add(1) } == .fileSystemError)
            scratch.write(Array(TestRecords.mark.utf8), to: "own", mode: 0o400)
            #expect(errorCode { try TestRecords(scratch.file("own")).add(1) } == .fileSystemError)
            // Under a umask that excludes the owner, a new file can be opened again.
            _ = umask(0o777)
            let records = TestRecords(scratch.file("strange"))
            try records.add(1)
            try records.add(2)
            #expect(try records.all == [1, 2])
            #expect(scratch.mode(of: "strange") == 0o600)
        }
    }
}
