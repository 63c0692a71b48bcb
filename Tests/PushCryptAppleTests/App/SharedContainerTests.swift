import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptApple

/// The files that the app and its extensions share.
@Suite struct SharedContainerTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    private func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: scratch.file(name))[.posixPermissions] as? Int
    }

    @Test("The app creates each shared file at launch") func appCreatesEachFile() throws {
        SharedContainer.prepare(scratch.path)
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
        #expect(
            Set(names) == Set(SharedContainer.protectedFiles + SharedContainer.unprotectedFiles) && names.count >= 3)
        // Each file of the library is there, so that the extension creates none before the first unlock.
        #expect(throws: Never.self) { try DeliveryLog(inSharedDirectory: scratch.path).entries() }
        let replayGuard = FileReplayGuard(inSharedDirectory: scratch.path)
        try replayGuard.admit(
            MessageID([UInt8](repeating: 7, count: 16)), account: "", issuedAt: Date(),
            expiration: Date().addingTimeInterval(60), now: Date())
        _ = RemovedKeys(inSharedDirectory: scratch.path)
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: scratch.path)) == Set(names))
    }

    @Test("An existing file keeps its contents, and its attributes are reset")
    func existingFileIsReset() throws {
        let names = ["pushcrypt.outcomes", "pushcrypt.ids"]
        for name in names {
            scratch.write([1, 2, 3], to: name)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: scratch.file(name))
        }
        scratch.write([4], to: "other")
        let other = try mode("other")
        SharedContainer.prepare(scratch.path)
        for name in names {
            #expect(try mode(name) == 0o600)
            #expect(scratch.contents(of: name) == [1, 2, 3])
        }
        #expect(try mode("other") == other)
        // A missing directory is left as it is.
        SharedContainer.prepare(scratch.path + "/nowhere")
        #expect(!FileManager.default.fileExists(atPath: scratch.path + "/nowhere"))
    }

    @Test("Only the log can be used before the first unlock, and the user sees all content by default")
    func protectionFitsTheContents() {
        func isUnprotected(_ name: String) -> Bool {
            let (option, type) = SharedContainer.protection(ofFile: name)
            #expect((option == .noFileProtection) == (type == .none))
            #expect(type == .none || type == .completeUntilFirstUserAuthentication)
            #expect(type == .none || option == .completeFileProtectionUntilFirstUserAuthentication)
            return type == .none
        }
        #expect(isUnprotected("pushcrypt.outcomes"))
        let others = ["pushcrypt.ids", "pushcrypt.ids.0a", "pushcrypt.removed", "pushcrypt.shown", "background.ids"]
        #expect(!others.contains(where: isUnprotected))
        // An empty file would hide the content.
        SharedContainer.prepare(scratch.path)
        #expect(SharedNotifications(inSharedDirectory: scratch.path).display == .full)
    }
}
