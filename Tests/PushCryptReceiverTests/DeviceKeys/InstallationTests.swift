import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

@Suite struct InstallationTests {
    private func owner(_ device: String, _ installation: String) throws -> String {
        try Installation(deviceID: device, installationID: installation).owner()
    }

    @Test("The owner consists of two hashes") func ownerConsistsOfTwoHashes() throws {
        let note = try owner("secret device", "secret installation")
        #expect(!note.contains("secret") && !note.contains("device"))
        #expect(note.split(separator: ".").map(\.count) == [16, 16])
        #expect(
            try owner("secret device", "secret installation") == note, "The same in every process.")
    }

    @Test("Each name changes the owner") func eachNameChangesTheOwner() throws {
        let notes = try Set([
            owner("a", "b"), owner("b", "a"), owner("a", "a"), owner("a", "ab"), owner("ab", "a"),
        ])
        #expect(notes.count == 5)
        for (device, installation) in [("", "ab"), ("ab", ""), ("", "")] {
            #expect(thrownError { try owner(device, installation) }?.code == .keyUnreadable)
        }
        let halves = try owner("a", "a").split(separator: ".")
        #expect(halves[0] != halves[1], "A device and an installation with the same name differ.")
    }

    @Test("A device is recognized in any installation") func deviceIsRecognizedInAnyInstallation()
        throws
    {
        let installation = Installation(deviceID: "a", installationID: "new")
        #expect(try installation.isOnSameDevice(as: owner("a", "old")))
        #expect(try installation.isOnSameDevice(as: owner("a", "new")))
        #expect(try !installation.isOnSameDevice(as: owner("b", "new")))
    }

    @Test(
        "An invalid owner is another device", arguments: ["", ".", "..", "x", ".x", "a.b.c", "\0"])
    func invalidOwnerIsAnotherDevice(note: String) throws {
        #expect(try !Installation(deviceID: "a", installationID: "b").isOnSameDevice(as: note))
    }
}
