import Foundation
import PushCryptCore
import PushCryptPayload
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The file with the registration that the server has confirmed.
@Suite struct RegistrationStateTests {
    private let directory: RegistrationStateDirectory
    private let state: RegistrationState
    private let registration: Registration
    private let now = Date(timeIntervalSince1970: 1_767_225_600.75)
    private let token = String(repeating: "0a", count: 32)

    init() throws {
        directory = try RegistrationStateDirectory()
        state = RegistrationState(path: directory.file)
        registration = Registration(
            key: try TestKeys.device().publicKey, generation: 1, created: now)
    }

    private func registered(_ token: String? = nil, account: String = "") throws -> RegisteredHashes
    {
        try RegisteredHashes(registration, token: token ?? self.token, account: account)
    }

    @Test("The installation's name is created once") func installationsNameIsCreatedOnce() throws {
        let name = try state.read().installation
        #expect(name.utf8.count == 22, "16 random bytes")
        #expect(try state.read().installation == name)
        #expect(
            try RegistrationState(path: directory.file).read()
                == RegistrationRecord(installation: name))
        let other = try RegistrationStateDirectory()
        #expect(try RegistrationState(path: other.file).read().installation != name)
    }

    @Test("A confirmed registration is read again") func confirmedRegistrationIsReadAgain() throws {
        let name = try state.read().installation
        let known = try registered()
        try state.update { $0.confirm(known, at: now) }
        var expected = RegistrationRecord(installation: name)
        expected.registered = known
        expected.confirmed = 1_767_225_600
        #expect(try state.read() == expected)
        // A time that isn't a number, or is too great, counts as missing.
        for clock in [Double.nan, .infinity, -.infinity, 1e300, -1e300] {
            try state.update { $0.confirm(known, at: Date(timeIntervalSince1970: clock)) }
            #expect(try state.read().confirmed == nil)
        }
        for clock in [0, -1e15, 1e15] {
            try state.update { $0.confirm(known, at: Date(timeIntervalSince1970: clock)) }
            #expect(try state.read().confirmed == Int64(clock))
        }
    }

    @Test("Keys, tokens and accounts have different hashes")
    func keysTokensAndAccountsHaveDifferentHashes() throws {
        let other = Registration(
            key: try TestKeys.device(.bob).publicKey, generation: 1, created: now)
        let all = [
            try registered(), try registered("0b"), try registered(account: "a"),
            try registered(account: "b"),
            try RegisteredHashes(other, token: token, account: ""),
        ]
        #expect(Set(all).count == all.count)
        let later = Registration(key: registration.key, generation: 9, created: now)
        let registeredLater = try RegisteredHashes(later, token: token, account: "")
        #expect(try registeredLater == registered(), "The generation doesn't count.")
    }

    @Test("The file contains only hashes") func fileContainsOnlyHashes() throws {
        let known = try registered(account: "anna@example.com")
        try state.update { $0.confirm(known, at: now) }
        let text = String(decoding: try #require(directory.contents), as: UTF8.self)
        #expect(!text.contains(token) && !text.contains("anna") && !text.contains("0a0a0a0a"))
        let members = try #require(try JSONValue(parsing: Array(text.utf8)).objectValue)
        #expect(members.keys.sorted() == ["confirmed", "installation", "key", "token"])
        #expect(members["key"]?.stringValue == registration.key.kid, "Of the public key.")
        // An attacker could guess an account by its hash. The token in the hash prevents this.
        let alone = Base64URL.encode(try SHA256.hash(Array("anna@example.com".utf8)).array)
        #expect(!text.contains(alone))
    }

    @Test("The file is private") func fileIsPrivate() throws {
        _ = try state.read().installation
        try state.update { $0.registered = nil }
        let attributes = try FileManager.default.attributesOfItem(atPath: directory.file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
                == ["pushcrypt.device", "pushcrypt.device.lock"])
    }

    // MARK: Invalid files

    @Test("A truncated file is replaced") func truncatedFileIsReplaced() throws {
        let known = try registered()
        try state.update { $0.confirm(known, at: now) }
        let name = try state.read().installation
        let whole = try #require(directory.contents)
        for length in 0..<whole.count {
            try directory.put(Array(whole.prefix(length)))
            let contents = try state.read()
            #expect(contents.registered == nil && contents.installation != name, "\(length)")
            #expect(try state.read() == contents)
        }
        try directory.put(whole)
        #expect(try state.read().installation == name)
    }

    @Test(
        "An invalid file is replaced",
        arguments: [
            "", "null", "[]", "{}", #"{"installation":""}"#, #"{"installation":1}"#,
            #"{"installation":"a","installation":"b"}"#,
            "\u{FEFF}{}", "\0", #"{"installation":"a"}}"#,
        ])
    func invalidFileIsReplaced(text: String) throws {
        try directory.put(Array(text.utf8))
        #expect(try state.read().installation.utf8.count == 22)
        #expect(try state.read().registered == nil)
    }

    @Test("A changed byte doesn't crash") func changedByteDoesntCrash() throws {
        let known = try registered()
        try state.update { $0.confirm(known, at: now) }
        let whole = try #require(directory.contents)
        var random = SeededRandom(seed: 7)
        for place in whole.indices {
            var bytes = whole
            bytes[place] = UInt8.random(in: 0...255, using: &random)
            try directory.put(bytes)
            do throws(PushCryptError) {
                _ = try state.read()
                try state.update { $0.registered = nil }
            } catch {
                // Another name of a member may be one of a newer version.
                #expect(error.code == .newerFormat)
            }
        }
    }

    @Test(
        "An incomplete registration counts as missing",
        arguments: [
            (#"{"installation":"a","key":"k"}"#, false),
            (#"{"installation":"a","token":"t"}"#, false),
            (#"{"installation":"a","key":"k","token":"t"}"#, true),
            (#"{"installation":"a","key":1,"token":"t"}"#, false),
            (#"{"installation":"a","begun":{}}"#, false),
            (#"{"installation":"a","key":"k","token":"t","confirmed":18446744073709551615}"#, true),
            (#"{"installation":"a","key":"k","token":"t","confirmed":"soon","arrival":7}"#, true),
            (#"{"installation":"a","key":"k","token":"t","confirmed":9223372036854775807}"#, true),
        ])
    func incompleteRegistrationCountsAsMissing(text: String, hasKey: Bool) throws {
        try directory.put(Array(text.utf8))
        let contents = try state.read()
        #expect(contents.installation == "a")
        #expect((contents.registered != nil) == hasKey)
        try state.update { _ in }
        #expect(try state.read() == contents)
    }

    @Test(
        "A file of a newer version is neither replaced nor changed",
        arguments: [
            #""version":2"#, #""version":"1""#, #""secret":"s""#, #""Key":"k""#,
            #""begun":{"secret":"s"}"#,
            #""arrival":{"date":1,"secret":"s"}"#,
        ])
    func newerFile(member: String) throws {
        let text = Array(#"{"installation":"a",\#(member)}"#.utf8)
        try directory.put(text)
        #expect(thrownError { try state.read() }?.code == .newerFormat)
        #expect(thrownError { try state.update { $0.asked = 1 } }?.code == .newerFormat)
        #expect(directory.contents == text)
        try directory.put(Array(#"{"installation":"a","version":1}"#.utf8))
        #expect(try state.read().installation == "a")
    }

    /// The stored text of the version before the record was one table.
    @Test("A file of an earlier version keeps its bytes") func earlierBytes() throws {
        let begun =
            #"{"asked":2,"challenges":1,"registration":"{\"key\":\"a/b\"}","since":1,"token":"t","waiting":true}"#
        let text =
            #"{"answered":4,"arrival":{"date":3,"problem":"replayed"},"asked":2,"begun":\#(begun),"clock":-5,"#
            + #""confirmed":6,"installation":"a","key":"k","signers":"s","token":"t"}"#
        let record = try #require(try RegistrationRecord(parsing: Array(text.utf8)))
        #expect(
            record.begun?.waiting == true && record.arrival?.problem == "replayed"
                && record.clock == -5)
        #expect(try String(decoding: record.json, as: UTF8.self) == text)
    }

    @Test("An unreadable file isn't replaced") func unreadableFileIsntReplaced() throws {
        let name = try state.read().installation
        let whole = try #require(directory.contents)
        try directory.put(whole, mode: 0o644)
        #expect(thrownError { try state.read().installation }?.code == .insecureFile)
        #expect(thrownError { try state.update { _ in } }?.code == .insecureFile)
        #expect(directory.contents == whole)
        try directory.put(whole)
        #expect(try state.read().installation == name)

        try directory.put([UInt8](repeating: 0x20, count: 1 << 20 + 1))
        #expect(thrownError { try state.read().installation }?.code == .fileSystemError)
        #expect(directory.contents?.count == 1 << 20 + 1)

        try directory.put(nil)
        try FileManager.default.createDirectory(
            atPath: directory.file, withIntermediateDirectories: false)
        #expect(thrownError { try state.read().installation }?.code == .insecureFile)
        try FileManager.default.removeItem(atPath: directory.file)
        try FileManager.default.createSymbolicLink(
            atPath: directory.file, withDestinationPath: "/etc/hostname")
        #expect(thrownError { try state.read().installation } != nil)
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: directory.file)
                == "/etc/hostname")
    }

    @Test("A missing directory is an error") func missingDirectoryIsAnError() {
        let state = RegistrationState(path: directory.path + "/none/pushcrypt.device")
        #expect(thrownError { try state.read().installation }?.code == .fileNotFound)
    }

    @Test("Concurrent readers create one name") func concurrentReadersCreateOneName() {
        let names = LockedValue<Set<String>>([])
        let state = state
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            guard let name = try? state.read().installation else { return }
            names.withLock { _ = $0.insert(name) }
        }
        #expect(names.withLock { $0.count } == 1)
    }
}
