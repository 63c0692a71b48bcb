import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

@Suite struct InstallationTests {
    private func owner(_ device: String, _ installation: String) throws -> String {
        try Installation(deviceID: device, installationID: installation).owner()
    }

    @Test func theNoteIsTwoHashesAndNoName() throws {
        let note = try owner("secret device", "secret installation")
        #expect(!note.contains("secret") && !note.contains("device"))
        #expect(note.split(separator: ".").map(\.count) == [16, 16])
        #expect(try owner("secret device", "secret installation") == note, "The same in every process.")
    }

    @Test func eachNameMakesADifference() throws {
        let notes = try Set([owner("a", "b"), owner("b", "a"), owner("a", "a"), owner("a", "ab"), owner("ab", "a")])
        #expect(notes.count == 5)
        for (device, installation) in [("", "ab"), ("ab", ""), ("", "")] {
            #expect(thrownError { try owner(device, installation) }?.code == .keyUnreadable)
        }
        let halves = try owner("a", "a").split(separator: ".")
        #expect(halves[0] != halves[1], "A device is never taken for an installation of the same name.")
    }

    @Test func theDeviceIsKnownWhateverTheInstallation() throws {
        let installation = Installation(deviceID: "a", installationID: "new")
        #expect(try installation.isOnSameDevice(as: owner("a", "old")))
        #expect(try installation.isOnSameDevice(as: owner("a", "new")))
        #expect(try !installation.isOnSameDevice(as: owner("b", "new")))
    }

    @Test(arguments: ["", ".", "..", "x", ".x", "a.b.c", "\0"])
    func whatIsNoNoteIsOfAnotherDevice(note: String) throws {
        #expect(try !Installation(deviceID: "a", installationID: "b").isOnSameDevice(as: note))
    }
}
