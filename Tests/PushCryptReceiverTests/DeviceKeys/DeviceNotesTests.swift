import Foundation
import PushCryptCore
import PushCryptPayload
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The small file that says what a server has confirmed.
@Suite struct DeviceNotesTests {
    private let folder: RegistrationStateDirectory
    private let notes: RegistrationState
    private let registration: Registration
    private let now = Date(timeIntervalSince1970: 1_767_225_600.75)
    private let token = String(repeating: "0a", count: 32)

    init() throws {
        folder = try RegistrationStateDirectory()
        notes = RegistrationState(path: folder.file)
        registration = Registration(key: try TestKeys.device().publicKey, generation: 1, created: now)
    }

    private func registered(_ token: String? = nil, account: String = "") throws -> RegistrationState.Registered {
        try RegistrationState.Registered(registration, token ?? self.token, account)
    }

    @Test func aNameIsMadeOnceAndKept() throws {
        let name = try notes.read().installationID
        #expect(name.utf8.count == 22, "16 random bytes")
        #expect(try notes.read().installationID == name)
        #expect(try RegistrationState(path: folder.file).read() == RegistrationState.Contents(installationID: name))
        let other = try RegistrationStateDirectory()
        #expect(try RegistrationState(path: other.file).read().installationID != name)
    }

    @Test func whatIsNotedIsReadAgain() throws {
        let name = try notes.read().installationID
        let known = try registered()
        try notes.update { $0.confirm(known, at: now) }
        let expected = RegistrationState.Contents(installationID: name, registered: known, confirmed: 1_767_225_600)
        #expect(try notes.read() == expected)
        // A clock of no number, or beyond all numbers, is no time at all.
        for clock in [Double.nan, .infinity, -.infinity, 1e300, -1e300] {
            try notes.update { $0.confirm(known, at: Date(timeIntervalSince1970: clock)) }
            #expect(try notes.read().confirmed == nil)
        }
        for clock in [0, -1e15, 1e15] {
            try notes.update { $0.confirm(known, at: Date(timeIntervalSince1970: clock)) }
            #expect(try notes.read().confirmed == Int64(clock))
        }
    }

    @Test func theHashTellsKeysTokensAndAccountsApart() throws {
        let other = Registration(key: try TestKeys.device(.bob).publicKey, generation: 1, created: now)
        let all = [
            try registered(), try registered("0b"), try registered(account: "a"), try registered(account: "b"),
            try RegistrationState.Registered(other, token, ""),
        ]
        #expect(Set(all).count == all.count)
        let later = Registration(key: registration.key, generation: 9, created: now)
        #expect(try RegistrationState.Registered(later, token, "") == registered(), "A generation is no news.")
    }

    @Test func nothingThatIsNotForOthersIsInTheFile() throws {
        let known = try registered(account: "anna@example.com")
        try notes.update { $0.confirm(known, at: now) }
        let text = String(decoding: try #require(folder.contents), as: UTF8.self)
        #expect(!text.contains(token) && !text.contains("anna") && !text.contains("0a0a"))
        let members = try #require(try JSONValue(parsing: Array(text.utf8)).objectValue)
        #expect(members.keys.sorted() == ["confirmed", "installation", "key", "token"])
        #expect(members["key"]?.stringValue == registration.key.thumbprint.description, "Of the public key.")
        // An account could be guessed by its hash; with the token in it nobody can try.
        let alone = Base64URL.encode(try SHA256.hash(Array("anna@example.com".utf8)).array)
        #expect(!text.contains(alone))
    }

    @Test func theFileIsTheOwnersAlone() throws {
        _ = try notes.read().installationID
        try notes.update { $0.registered = nil }
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
                == ["pushcrypt.device", "pushcrypt.device.lock"])
    }

    // MARK: Files that are not as they should be

    /// Cut off at each length, the file is of no use, and another begins; it never says that something was confirmed.
    @Test func aTruncatedFileIsBegunAnew() throws {
        let known = try registered()
        try notes.update { $0.confirm(known, at: now) }
        let name = try notes.read().installationID
        let whole = try #require(folder.contents)
        for length in 0..<whole.count {
            try folder.put(Array(whole.prefix(length)))
            let contents = try notes.read()
            #expect(contents.registered == nil && contents.installationID != name, "\(length)")
            #expect(try notes.read() == contents)
        }
        try folder.put(whole)
        #expect(try notes.read().installationID == name)
    }

    @Test(arguments: [
        "", "null", "[]", "{}", #"{"installation":""}"#, #"{"installation":1}"#,
        #"{"installation":"a","installation":"b"}"#,
        "\u{FEFF}{}", "\0", #"{"installation":"a"}}"#,
    ])
    func aFileThatSaysNothingIsBegunAnew(text: String) throws {
        try folder.put(Array(text.utf8))
        #expect(try notes.read().installationID.utf8.count == 22)
        #expect(try notes.read().registered == nil)
    }

    @Test func aByteThatHasChangedNeverCrashes() throws {
        let known = try registered()
        try notes.update { $0.confirm(known, at: now) }
        let whole = try #require(folder.contents)
        var random = SeededRandom(seed: 7)
        for place in whole.indices {
            var bytes = whole
            bytes[place] = UInt8.random(in: 0...255, using: &random)
            try folder.put(bytes)
            _ = try notes.read()
            try notes.update { $0.registered = nil }
        }
    }

    @Test(arguments: [
        (#"{"installation":"a","key":"k"}"#, false), (#"{"installation":"a","token":"t"}"#, false),
        (#"{"installation":"a","key":1,"token":"t"}"#, false), (#"{"installation":"a","key":"k","token":"t"}"#, true),
        (#"{"installation":"a","key":"k","token":"t","confirmed":9223372036854775807}"#, true),
        (#"{"installation":"a","key":"k","token":"t","confirmed":18446744073709551615}"#, true),
        (#"{"installation":"a","key":"k","token":"t","confirmed":"soon"}"#, true),
    ])
    func halfANoteIsNone(text: String, hasKey: Bool) throws {
        try folder.put(Array(text.utf8))
        let contents = try notes.read()
        #expect(contents.installationID == "a")
        #expect((contents.registered != nil) == hasKey)
        try notes.update { _ in }
        #expect(try notes.read() == contents)
    }

    /// What cannot be read now is not missing: no other name is made.
    @Test func aFileThatCannotBeReadIsLeftAlone() throws {
        let name = try notes.read().installationID
        let whole = try #require(folder.contents)
        try folder.put(whole, mode: 0o644)
        #expect(thrownError { try notes.read().installationID }?.code == .insecureFile)
        #expect(thrownError { try notes.update { _ in } }?.code == .insecureFile)
        #expect(folder.contents == whole)
        try folder.put(whole)
        #expect(try notes.read().installationID == name)

        try folder.put([UInt8](repeating: 0x20, count: 1 << 20 + 1))
        #expect(thrownError { try notes.read().installationID }?.code == .fileSystemError)
        #expect(folder.contents?.count == 1 << 20 + 1)

        try folder.put(nil)
        try FileManager.default.createDirectory(atPath: folder.file, withIntermediateDirectories: false)
        #expect(thrownError { try notes.read().installationID }?.code == .insecureFile)
        try FileManager.default.removeItem(atPath: folder.file)
        try FileManager.default.createSymbolicLink(atPath: folder.file, withDestinationPath: "/etc/hostname")
        #expect(thrownError { try notes.read().installationID } != nil)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file) == "/etc/hostname")
    }

    @Test func withoutAFolderNothingIsNoted() {
        let notes = RegistrationState(path: folder.path + "/none/pushcrypt.device")
        #expect(thrownError { try notes.read().installationID }?.code == .fileNotFound)
    }

    @Test func severalThreadsMakeOneName() {
        let names = LockedValue<Set<String>>([])
        let notes = notes
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            guard let name = try? notes.read().installationID else { return }
            names.withLock { _ = $0.insert(name) }
        }
        #expect(names.withLock { $0.count } == 1)
    }
}
