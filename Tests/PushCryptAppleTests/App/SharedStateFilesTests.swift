import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptApple

/// The files that the app and its extensions share.
@Suite struct SharedStateFilesTests {
    private let scratch: Scratch
    private let secrets = InMemorySecretsStore()

    init() throws { scratch = try Scratch() }

    private var state: SharedState { SharedState(inSharedDirectory: scratch.path, secrets: secrets) }

    private func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: scratch.file(name))[.posixPermissions] as? Int
    }

    @Test("The app creates each shared file at launch") func appCreatesEachFile() throws {
        try state.prepare(display: .full)
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
        #expect(
            Set(names) == [
                "pushcrypt.background", "pushcrypt.display", "pushcrypt.display.lock", "pushcrypt.ids",
                "pushcrypt.outcomes", "pushcrypt.removed", "pushcrypt.shown",
            ])
        // Each file of the library is there, so that the extension creates none before the first unlock.
        #expect(throws: Never.self) { try state.deliveryLog.entries() }
        let message = GuardedMessage(
            id: try MessageID([UInt8](repeating: 7, count: 16)), issuedAt: Date(), expiration: Date() + 60)
        #expect(try state.replayGuard.admit(message, now: Date()) == .new)
        #expect(try state.backgroundGuard.admit(message, now: Date()) == .new)
        _ = state.removedKeys
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: scratch.path)) == Set(names))
    }

    @Test("Each account has its guards from the launch on") func eachAccountHasItsGuards() throws {
        try state.prepare(accounts: ["one", "two"], display: .full)
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
        #expect(names.count { $0.hasPrefix("pushcrypt.ids.") } == 2)
        #expect(names.count { $0.hasPrefix("pushcrypt.background.") } == 2)
    }

    @Test("The attributes of existing files are reset, and other files stay as they are")
    func existingFilesAreReset() throws {
        try state.prepare(display: .full)
        for name in ["pushcrypt.outcomes", "pushcrypt.ids", "pushcrypt.shown"] {
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: scratch.file(name))
        }
        scratch.write([4], to: "other")
        let other = try mode("other")
        try state.prepare(display: .full)
        for name in ["pushcrypt.outcomes", "pushcrypt.ids", "pushcrypt.shown"] {
            #expect(try mode(name) == 0o600)
        }
        #expect(try mode("other") == other)
    }

    @Test("A missing directory is an error, and is left as it is") func missingDirectoryIsAnError() throws {
        let nowhere = SharedState(inSharedDirectory: scratch.path + "/nowhere", secrets: secrets)
        #expect(throws: PushCryptError(.fileNotFound, "")) { try nowhere.prepare(display: .full) }
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
        #expect(isUnprotected("pushcrypt.outcomes"))
        let others = [
            "pushcrypt.ids", "pushcrypt.ids.0a", "pushcrypt.removed", "pushcrypt.shown", "pushcrypt.background",
            "pushcrypt.display",
        ]
        #expect(!others.contains(where: isUnprotected))
    }
}
