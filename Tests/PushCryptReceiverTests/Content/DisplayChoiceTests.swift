import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The user's choice of display, over launches, losses and restored backups.
@Suite(.ownThread) struct DisplayChoiceTests {
    private let scratch: Scratch
    private let secrets = InMemorySecretsStore()

    init() throws { scratch = try Scratch() }

    /// Returns the inbox of a new process.
    private func inbox(_ secrets: InMemorySecretsStore? = nil) throws -> PushInbox {
        var configuration = PushConfiguration(
            keys: InMemoryKeyStore([try TestKeys.device()]),
            senderPolicy: .signed(by: [try TestKeys.sender().publicKey]))
        configuration.directory = scratch.path
        configuration.secrets = secrets ?? self.secrets
        configuration.mostPrivateDisplay = .nothing
        return PushInbox(configuration)
    }

    @Test("The whole original is displayed before the user has chosen") func fullIsTheFirstChoice()
        throws
    {
        #expect(try inbox().prepare() == nil)
        #expect(try inbox().display == .full)
    }

    @Test("A launch keeps the choice", arguments: [NotificationDisplay.nothing, .titleOnly, .full])
    func launchKeepsTheChoice(display: NotificationDisplay) throws {
        #expect(try inbox().prepare() == nil)
        try inbox().setDisplay(display)
        for _ in 1...2 { #expect(try inbox().prepare() == nil) }
        #expect(try inbox().display == display)
    }

    @Test("A choice that the app passes at the launch replaces the stored one")
    func passedChoiceReplacesTheStoredOne()
        throws
    {
        #expect(try inbox().prepare() == nil)
        try inbox().setDisplay(.full)
        #expect(try inbox().prepare(display: .titleOnly) == nil)
        #expect(try inbox().display == .titleOnly)
    }

    @Test("After the app is installed again, the user hasn't chosen yet") func installedAgain()
        throws
    {
        #expect(try inbox().prepare() == nil)
        try inbox().setDisplay(.titleOnly)
        try FileManager.default.removeItem(atPath: scratch.file("pushcrypt.display"))
        #expect(
            try inbox().display == .nothing, "The extension doesn't know why the file is missing.")
        #expect(try inbox().prepare() == nil)
        #expect(try inbox().display == .full)
    }

    @Test("A choice from a backup counts from the launch on") func choiceFromABackup() throws {
        #expect(try inbox().prepare() == nil)
        try inbox().setDisplay(.titleOnly)
        let newDevice = InMemorySecretsStore()
        #expect(try inbox(newDevice).prepare() == nil)
        #expect(try inbox(newDevice).display == .titleOnly)
    }

    @Test("A damaged choice becomes the most private one") func damagedChoice() throws {
        #expect(try inbox().prepare() == nil)
        scratch.write(Array("fulL".utf8), to: "pushcrypt.display")
        #expect(try inbox().prepare() == nil)
        #expect(try inbox().display == .nothing)
    }

    @Test("The inbox follows the app from its first launch on, once") func inboxFollowsTheAppOnce()
        throws
    {
        let followed = LockedValue(0)
        var configuration = try inbox().configuration
        configuration.followApp = { _ in followed.withLock { $0 += 1 } }
        let inbox = PushInbox(configuration)
        #expect(followed.withLock { $0 } == 0)
        inbox.prepare()
        inbox.prepareAgain()
        inbox.prepare()
        #expect(followed.withLock { $0 } == 1)
    }
}
