import Foundation
import PushCryptSender
import TestSupport
import Testing

@testable import PushCryptCLI

/// Lines of an earlier output that are sent again.
@Suite(.toolThreads) struct RetryTests {
    /// Runs a campaign of which lines 2, 4 and 6 aren't sent, and returns one that retries them.
    private static func retry(keepsOrder: Bool = true) throws -> (
        first: FakeSender, retry: CampaignFixture
    ) {
        var fixture = try CampaignFixture()
        fixture.settings.keepsOrder = keepsOrder
        let sender = FakeSender { submission in
            switch submission.number {
            case 2: .failed(.busy)
            case 4: .failed(.wrongTopic)
            case 5: .failed(.unregistered)
            case 6: .failed(.noAnswer)
            default: .success
            }
        }
        let lines = CampaignFixture.lines(1...7) + [#"{"line":8,"error":{"code":"invalid-key"}}"#]
        #expect(try fixture.run(lines, sender).isComplete)
        var retry = fixture
        retry.retry = fixture.output
        retry.output = fixture.scratch.file("new")
        retry.settings.keepsOrder = true
        return (sender, retry)
    }

    @Test("Only unsent lines are sent again, and the others stay as they are") func unsentLines()
        throws
    {
        let (first, retry) = try Self.retry()
        let old = try retry.answers(of: retry.retry)
        let sender = FakeSender()
        let campaign = try retry.campaign(reading: "-", sender)
        #expect(try campaign.run().isComplete)
        #expect(sender.numbers == [2, 4, 6])
        let new = try retry.answers()
        try #require(new.count == 8)
        for (index, answer) in new.enumerated() {
            let isSent = [1, 3, 5].contains(index)
            #expect(isSent ? isAccepted(answer, index + 1) : answer == old[index])
            #expect(answer.contains("may-arrive-twice") == (index == 5))
        }
        for submission in sender.submissions {
            #expect(submission.id == first.submissions.first { $0.number == submission.number }?.id)
        }
        #expect(campaign.writer.counts == AnswerCounts(accepted: 6, refused: 2, unsent: 0))
        #expect(campaign.writer.counts.status == .input)
    }

    @Test("A line that fails again can be retried again, with the same ID and number") func again()
        throws
    {
        let (first, retry) = try Self.retry(keepsOrder: false)
        let sender = FakeSender { $0.number == 4 ? .success : .failed(.busy) }
        #expect(try retry.run([], sender).isComplete)
        var again = retry
        again.retry = retry.output
        again.output = retry.scratch.file("newest")
        let last = FakeSender()
        #expect(try again.run([], last).isComplete)
        #expect(Set(last.numbers) == [2, 6])
        for submission in last.submissions {
            #expect(submission.id == first.submissions.first { $0.number == submission.number }?.id)
            let answer = try again.answers().first { isAccepted($0, submission.number) }
            #expect(answer?.contains(#""line":\#(submission.number),"#) == true, "\(answer ?? "")")
        }
    }

    @Test("A retry is resumed as any campaign") func resumption() throws {
        let (_, retry) = try Self.retry()
        let failing = FakeSender { $0.number == 2 ? .success : .failed(.credentials) }
        #expect(try retry.run([], failing).code == "invalid-provider-token")
        let sender = FakeSender()
        #expect(try retry.resumption().run([], sender).isComplete)
        #expect(sender.numbers == [4, 6])
        #expect(try retry.answers().count == 8)
    }

    @Test("An incomplete output is to be resumed first, and other files are refused")
    func otherFiles() throws {
        let (_, retry) = try Self.retry()
        let journal = "\(try #require(retry.retry)).journal"
        try Data().write(to: URL(fileURLWithPath: journal))
        #expect(throws: PushCryptError(.fileExists, "")) { try retry.run([], FakeSender()) }
        try FileManager.default.removeItem(atPath: journal)
        var other = retry
        other.retry = retry.scratch.write(Array("\(CampaignFixture.line(1))\n".utf8), to: "sealed")
        let sender = FakeSender()
        #expect(try other.run([], sender).code == "file-exists")
        #expect(sender.submissions.isEmpty)
    }
}
