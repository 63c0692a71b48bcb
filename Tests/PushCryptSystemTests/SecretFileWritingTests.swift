import Foundation
import PushCryptCore
import PushCryptKeyring
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

@Suite struct SecretFileWritingTests {
    let scratch: Scratch
    let contents: SecretBytes

    init() throws {
        scratch = try Scratch()
        contents = try SecretBytes(Array("new".utf8))
    }

    private var file: SecretFile { SecretFile(scratch.file("key")) }

    @Test("A file is created with mode 0600") func makesAFile() throws {
        try file.create(contents)
        #expect(scratch.contents(of: "key") == Array("new".utf8))
        #expect(scratch.mode(of: "key") == 0o600)
        #expect(try scratch.names == ["key"])
    }

    @Test(
        "A file that couldn't be read again is not written",
        arguments: [(1 << 20, nil), (1 << 20 + 1, .fileSystemError)]
            as [(Int, PushCryptError.Code?)])
    func largestFile(_ count: Int, _ code: PushCryptError.Code?) throws {
        let contents = try SecretBytes([UInt8](repeating: 7, count: count))
        #expect(errorCode { try file.create(contents) } == code)
        #expect(try scratch.names == (code == nil ? ["key"] : []))
    }

    @Test("An existing file is not overwritten") func neverMakesAFileThatIsThere() throws {
        scratch.write(Array("old".utf8), to: "key", mode: 0o640)
        #expect(errorCode { try file.create(contents) } == .fileExists)
        #expect(scratch.contents(of: "key") == Array("old".utf8))
        #expect(scratch.mode(of: "key") == 0o640)
        #expect(try scratch.names == ["key"], "No temporary file is left.")
    }

    @Test(
        "A link, a directory or a pipe is not overwritten",
        arguments: ["link", "directory", "pipe"])
    func neverMakesAFileInThePlaceOfAnythingElse(_ kind: String) throws {
        let path = scratch.file("key")
        switch kind {
        case "link":
            try FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: scratch.file("other"))
        case "directory":
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false)
        default: #expect(unsafe mkfifo(path, 0o600) == 0)
        }
        #expect(errorCode { try file.create(contents) } == .fileExists)
        #expect(try scratch.names == ["key"])
    }

    @Test("A replaced file gets mode 0600", arguments: [0o600, 0o644, 0o400])
    func replacesAFileByAPrivateOne(_ mode: Int) throws {
        scratch.write(Array("old and longer".utf8), to: "key", mode: mode)
        try file.replace(contents)
        #expect(scratch.contents(of: "key") == Array("new".utf8))
        #expect(scratch.mode(of: "key") == 0o600)
        #expect(try scratch.names == ["key"])
    }

    @Test("Hard links to a replaced file keep the old contents")
    func replacesTheNameAndNotWhatElseHasTheFile() throws {
        scratch.write(Array("old".utf8), to: "key")
        try FileManager.default.linkItem(
            atPath: scratch.file("key"), toPath: scratch.file("backup"))
        try file.replace(contents)
        #expect(scratch.contents(of: "backup") == Array("old".utf8), "The old file is not written.")
        #expect(scratch.contents(of: "key") == Array("new".utf8))
    }

    @Test("A failure leaves no temporary file") func aFailureLeavesNoTemporaryFile() throws {
        try FileManager.default.createDirectory(
            atPath: scratch.file("key/full"), withIntermediateDirectories: true)
        #expect(errorCode { try file.replace(contents) } == .fileSystemError)
        #expect(try scratch.names == ["key"])
        let nowhere = SecretFile(scratch.file("missing/key"))
        #expect(errorCode { try nowhere.create(contents) } == .fileNotFound)
    }

    @Test("Only one thread holds the lock") func theLockKeepsOthersOut() throws {
        let file = file
        let inside = LockedValue<Int>(0)
        let most = LockedValue<Int>(0)
        onThreads(16) { _ in
            _ = errorCode {
                try file.withLock { () throws(PushCryptError) in
                    let now = inside.withLock { (count) in
                        count += 1
                        return count
                    }
                    most.withLock { $0 = max($0, now) }
                    usleep(500)
                    inside.withLock { $0 -= 1 }
                }
            }
        }
        #expect(most.withLock { $0 } == 1)
        #expect(try scratch.names == ["key.lock"])
    }

    @Test("An error releases the lock") func theLockEndsWithAnError() throws {
        let code = errorCode {
            try file.withLock { () throws(PushCryptError) in
                throw PushCryptError(.malformedKeyring, "No.")
            }
        }
        #expect(code == .malformedKeyring)
        #expect(try file.withLock { () throws(PushCryptError) in 5 } == 5)
    }

    @Test(
        "A temporary file is never opened, truncated or followed if its name exists",
        arguments: ["file", "link"])
    func aTemporaryFileIsNew(_ kind: String) async {
        await #expect(processExitsWith: .success) { [kind = kind as String] in
            let scratch = try Scratch()
            let contents = try SecretBytes(Array("new".utf8))
            RawSodium.removeRandomness()
            let temporary = "key.pushcrypt-AAAAAAAAAAAA.tmp"
            scratch.write(Array("old and longer".utf8), to: kind == "file" ? temporary : "other")
            if kind == "link" { #expect(unsafe symlink("other", scratch.file(temporary)) == 0) }
            let (file, names) = (SecretFile(scratch.file("key")), try scratch.names)
            #expect([.fileExists, .insecureFile].contains(errorCode { try file.create(contents) }))
            #expect(
                [.fileExists, .insecureFile].contains(errorCode { try file.replace(contents) }))
            #expect(try scratch.names == names)
            #expect(scratch.contents(of: names[0]) == Array("old and longer".utf8))
            // The name was predicted correctly.
            #expect(unsafe unlink(scratch.file(temporary)) == 0)
            #expect(errorCode { try file.create(contents) } == nil)
        }
    }
}
