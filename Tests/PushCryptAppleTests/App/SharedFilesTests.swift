import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptApple
@testable import PushCryptReceiver

/// The files that the app and its extensions share.
@Suite struct SharedFilesTests {
    private let scratch: Scratch
    private let secrets = InMemorySecretsStore()

    init() throws { scratch = try Scratch() }

    private func inbox(_ directory: String? = nil, accounts: [String] = [""]) -> PushInbox {
        var configuration = PushConfiguration(
            accounts: accounts.map {
                PushAccount($0, keys: InMemoryKeyStore([]), senderPolicy: .anyone)
            })
        configuration.setSystemDefaults()
        configuration.secrets = secrets
        configuration.directory = directory ?? scratch.path
        return PushInbox(configuration)
    }

    private func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: scratch.file(name))[.posixPermissions]
            as? Int
    }

    @Test("The app creates each shared file at launch") func appCreatesEachFile() throws {
        let inbox = inbox()
        #expect(inbox.prepare() == nil)
        let state = try #require(inbox.store)
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
        #expect(
            Set(names) == [
                "pushcrypt.background", "pushcrypt.challenges", "pushcrypt.display",
                "pushcrypt.display.lock", "pushcrypt.ids", "pushcrypt.ledger", "pushcrypt.lock",
                "pushcrypt.outcomes", "pushcrypt.removed",
            ])
        // Each file of the library is there, so that the extension creates none before the first
        // unlock.
        #expect(throws: Never.self) { try state.deliveryLog.entries() }
        let message = GuardedMessage(
            id: try MessageID([UInt8](repeating: 7, count: 16)), issuedAt: Date(),
            expiration: Date() + 60)
        #expect(try state.replayGuard.admit(message, now: Date()) == .new)
        #expect(try state.backgroundGuard.admit(message, now: Date()) == .new)
        _ = (state.removedKeys, state.challenges, try inbox.count())
        #expect(
            try Set(FileManager.default.contentsOfDirectory(atPath: scratch.path)) == Set(names))
    }

    @Test("Each account has its guards from the launch on") func eachAccountHasItsGuards() throws {
        #expect(inbox(accounts: ["one", "two"]).prepare() == nil)
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
        #expect(names.count { $0.hasPrefix("pushcrypt.ids.") } == 2)
        #expect(names.count { $0.hasPrefix("pushcrypt.background.") } == 2)
    }

    @Test("The attributes of existing files are reset, and other files stay as they are")
    func existingFilesAreReset() throws {
        #expect(inbox().prepare() == nil)
        for name in ["pushcrypt.outcomes", "pushcrypt.ids", "pushcrypt.ledger"] {
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o644], ofItemAtPath: scratch.file(name))
        }
        scratch.write([4], to: "other")
        let other = try mode("other")
        #expect(inbox().prepare() == nil)
        for name in ["pushcrypt.outcomes", "pushcrypt.ids", "pushcrypt.ledger"] {
            #expect(try mode(name) == 0o600)
        }
        #expect(try mode("other") == other)
    }

    @Test("A missing directory is an error, and is left as it is") func missingDirectoryIsAnError()
        throws
    {
        #expect(inbox(scratch.path + "/nowhere").prepare()?.code == .fileNotFound)
        #expect(!FileManager.default.fileExists(atPath: scratch.path + "/nowhere"))
    }

    @Test("Only the log can be used before the first unlock") func protectionFitsTheContents() {
        func isUnprotected(_ name: String) -> Bool {
            let (option, type) = SharedContainer.protection(ofFile: name)
            #expect((option == .noFileProtection) == (type == .none))
            #expect(type == .none || type == .completeUntilFirstUserAuthentication)
            #expect(type == .none || option == .completeFileProtectionUntilFirstUserAuthentication)
            return type == .none
        }
        #expect(isUnprotected("pushcrypt.outcomes") && isUnprotected("pushcrypt.lock"))
        let others = [
            "pushcrypt.ids", "pushcrypt.ids.0a", "pushcrypt.removed", "pushcrypt.ledger",
            "pushcrypt.background", "pushcrypt.display", "pushcrypt.challenges",
        ]
        #expect(!others.contains(where: isUnprotected))
    }
}
