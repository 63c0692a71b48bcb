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

/// The lock of a key file is a file of its user with one name, and no process waits for it forever.
@Suite struct LockTests {
    let scratch: Scratch
    private var path: String { scratch.file("key.lock") }

    init() throws {
        scratch = try Scratch()
        scratch.write([1], to: "other")
    }

    /// Returns the error of locking, which another process would have to end.
    private func lockError(patience: Int = 10) -> PushCryptError? {
        thrownError { try SecretFile(scratch.file("key"), lockPatience: patience).withLock {} }
    }

    @Test(
        "A lock that isn't an own file with one name is refused", .timeLimit(.minutes(20)),
        arguments: ["symbolic link", "dangling link", "hard link", "directory", "pipe"])
    func foreignLocks(_ kind: String) throws {
        switch kind {
        case "symbolic link":
            try FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: scratch.file("other"))
        case "dangling link":
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "new")
        case "hard link":
            try FileManager.default.linkItem(atPath: scratch.file("other"), toPath: path)
        case "directory":
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false)
        default: #expect(unsafe mkfifo(path, 0o600) == 0)
        }
        let error = lockError()
        #expect(error?.code == (kind == "directory" ? .fileSystemError : .insecureFile))
        #expect(error?.reason.contains("\(path)") == true, "\(error?.reason ?? "")")
        #expect(try scratch.names == ["key.lock", "other"])
    }

    @Test(
        "A lock of another user is refused",
        .enabled(if: Rights.includeOtherUsers, "Only root can change owners."))
    func anotherUsersLock() {
        scratch.write([], to: "key.lock")
        #expect(unsafe chown(path, 65_534, 65_534) == 0)
        #expect(lockError()?.code == .insecureFile)
    }

    @Test("The wait for the lock has a limit, and the error names the lock")
    func limitedWait() throws {
        let other = unsafe open(scratch.write([], to: "key.lock"), O_RDWR | O_CLOEXEC)
        #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
        let waited = ContinuousClock().measure {
            let error = lockError(patience: 50)
            #expect(error?.code == .lockTimeout)
            #expect(error?.reason.contains(path) == true)
        }
        #expect(waited > .milliseconds(50), "\(waited)")
        close(other)
        // Another test's child process can hold a copy of the descriptor until it executes its
        // program.
        #expect(lockError(patience: 5000) == nil)
    }

    // A child process has a copy of each descriptor until it executes its program.
    @Test("A copy of the descriptor doesn't keep the lock") func copiedDescriptor() throws {
        let path = path
        var copy: Int32 = -1
        defer { if copy >= 0 { close(copy) } }
        try SecretFile(scratch.file("key"), lockPatience: 5000).withLock {
            var (lock, other) = (stat(), stat())
            #expect(unsafe stat(path, &lock) == 0)
            let descriptor = (Int32(0)..<4096).first { number in
                unsafe fstat(number, &other) == 0 && other.st_ino == lock.st_ino
                    && other.st_dev == lock.st_dev
            }
            copy = dup(descriptor ?? -1)
        }
        #expect(copy >= 0)
        #expect(lockError() == nil)
    }

    @Test("A lock that another process replaces during the wait is locked again")
    func replacedLock() throws {
        let first = unsafe open(scratch.write([], to: "key.lock"), O_RDWR | O_CLOEXEC)
        #expect(flock(first, LOCK_EX | LOCK_NB) == 0)
        let (file, done) = (
            SecretFile(scratch.file("key"), lockPatience: 5000), DispatchSemaphore(value: 0)
        )
        let secondIsFree = LockedValue<Bool?>(nil)
        let path = path
        Thread {
            _ = errorCode {
                try file.withLock {
                    let second = unsafe open(path, O_RDWR | O_CLOEXEC)
                    let isFree = flock(second, LOCK_EX | LOCK_NB) == 0
                    secondIsFree.withLock { $0 = isFree }
                    close(second)
                }
            }
            done.signal()
        }.start()
        // Time to open the first file and wait for its lock.
        usleep(30_000)
        #expect(unsafe unlink(path) == 0)
        scratch.write([], to: "key.lock")
        close(first)
        done.wait()
        #expect(
            secondIsFree.withLock { $0 } == false,
            "The closure ran under the lock of a removed file.")
    }
}
