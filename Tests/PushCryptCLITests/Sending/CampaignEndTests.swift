import Foundation
import PushCryptSender
import PushCryptSystem
import TestSupport
import Testing

@testable import PushCryptCLI

/// Campaigns that end before all lines have answers.
@Suite(.toolThreads) struct CampaignEndTests {
    @Test("Wrong credentials end the campaign, but not the pushes in flight")
    func wrongCredentials() throws {
        var fixture = try CampaignFixture()
        fixture.settings.concurrency = 10
        let sender = FakeSender(holding: { $0.number == 15 }) {
            $0.number >= 14 && $0.number != 15 ? .failed(.credentials) : .success
        }
        let ending = try fixture.run(CampaignFixture.lines(1...40), sender)
        guard case .failed = ending else { return #expect(Bool(false), "\(ending)") }
        #expect(ending.code == "invalid-provider-token" && sender.submissions.count <= 20)
        #expect(try fixture.answers().count == 13)
        let other = FakeSender()
        #expect(
            try fixture.resumption().run(CampaignFixture.lines(1...40, seal: "other"), other)
                .isComplete)
        // The journal has the answer to line 15.
        #expect(other.numbers == [14] + Array(16...40))
        let answers = try fixture.answers()
        #expect(answers.count == 40 && zip(answers, 1...).allSatisfy { isAccepted($0, $1) })
        #expect(!answers.joined().contains("may-arrive-twice"))
    }

    @Test("An interruption waits for the answers in flight") func interruption() throws {
        var fixture = try CampaignFixture()
        fixture.settings.concurrency = 8
        let sender = FakeSender(holding: { _ in true })
        let ending = try fixture.run(CampaignFixture.lines(1...40), sender) { inbox in
            sender.wait(toHold: 8)
            inbox.post(.interruption)
            sender.release()
        }
        guard case .interrupted = ending else { return #expect(Bool(false), "\(ending)") }
        #expect(
            try fixture.answers().count == 8 && sender.submissions.count == 8
                && sender.cancellations == 0)
        let other = FakeSender()
        #expect(try fixture.resumption().run(CampaignFixture.lines(1...40), other).isComplete)
        #expect(other.numbers == Array(9...40))
    }

    @Test("A second interruption cancels the pushes in flight, which are sent again later")
    func secondInterruption() throws {
        var fixture = try CampaignFixture()
        fixture.settings.concurrency = 8
        fixture.settings.grace = 3600
        let sender = FakeSender { _ in nil }
        let ending = try fixture.run(CampaignFixture.lines(1...40), sender) { inbox in
            sender.wait(toHold: 8)
            inbox.post(.interruption)
            inbox.post(.interruption)
        }
        guard case .interrupted = ending else { return #expect(Bool(false), "\(ending)") }
        #expect(try fixture.answers().isEmpty && sender.cancellations == 1)
        let other = FakeSender()
        #expect(
            try fixture.resumption().run(CampaignFixture.lines(1...40, seal: "other"), other)
                .isComplete)
        #expect(other.numbers == Array(1...40))
        #expect(other.submissions.prefix(8).map(\.id) == sender.submissions.map(\.id))
        let answers = try fixture.answers()
        #expect(answers.map { $0.contains("may-arrive-twice") } == (1...40).map { $0 <= 8 })
    }

    @Test("A client that never ends its pushes doesn't hold up the end") func aHangingClient()
        throws
    {
        var fixture = try CampaignFixture()
        fixture.settings.grace = 0.01
        let sender = FakeSender { _ in nil }
        let ending = try fixture.run(CampaignFixture.lines(1...3), sender) { inbox in
            sender.wait(toHold: 3)
            inbox.post(.interruption)
        }
        guard case .interrupted = ending else { return #expect(Bool(false), "\(ending)") }
        #expect(sender.cancellations == 1)
    }

    @Test(
        "An error of the input comes after the answers to the lines before it, and the rest can be sent later"
    )
    func inputFails() throws {
        let fixture = try CampaignFixture()
        let sender = FakeSender()
        let ending = try fixture.run(reading: fixture.scratch.path, sender)
        #expect(ending.code == PushCryptError.Code.fileSystemError.rawValue && fixture.hasJournal)
        #expect(try fixture.resumption().run(CampaignFixture.lines(1...3), sender).isComplete)
        #expect(!fixture.hasJournal)
    }

    @Test(
        "A part of a line at the end of the input has no answer, and the whole line is sent later")
    func tornInput() throws {
        let fixture = try CampaignFixture()
        let lines = CampaignFixture.lines(1...5)
        let whole = lines.joined(separator: "\n")
        fixture.scratch.write(Array(whole.utf8.dropLast(30)), to: "torn")
        let ending = try fixture.run(reading: fixture.scratch.file("torn"), FakeSender())
        #expect(ending.code == PushCryptError.Code.malformedJSON.rawValue)
        #expect(try fixture.answers().count == 4 && fixture.hasJournal)
        // Only the line break is missing.
        fixture.scratch.write(Array(whole.utf8), to: "whole")
        let sender = FakeSender()
        #expect(
            try fixture.resumption().run(reading: fixture.scratch.file("whole"), sender).isComplete)
        #expect(sender.numbers == [5])
    }

    @Test(
        "An output or a journal that can't be written ends the campaign",
        arguments: ["output", "output.journal"])
    func fileFails(name: String) throws {
        guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
        let fixture = try CampaignFixture()
        let sender = FakeSender()
        let campaign = try fixture.campaign(CampaignFixture.lines(1...3), sender)
        try OpenFile.replace(fixture.scratch.file(name), by: "/dev/full")
        #expect(throws: PushCryptError(.fileSystemError, "")) { _ = try campaign.run() }
        #expect(sender.submissions.isEmpty == (name == "output.journal"))
    }
}
