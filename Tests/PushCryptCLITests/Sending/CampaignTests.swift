import Foundation
import PushCryptSender
import TestSupport
import Testing

@testable import PushCryptCLI

/// Campaigns whose server can be reached.
@Suite(.toolThreads) struct CampaignTests {
    @Test(
        "Answers are in the order of the lines, whatever the order of the results",
        arguments: [1, 7, 500])
    func answersAreInOrder(concurrency: Int) throws {
        var fixture = try CampaignFixture()
        fixture.settings.concurrency = concurrency
        // Results are collected before a turn.
        fixture.settings.collection = 0.0001
        let sender = FakeSender(holding: { _ in true }) {
            $0.number % 5 == 3
                ? .failed(.unregistered) : .accepted(mayArriveTwice: $0.number % 5 == 4)
        }
        #expect(try fixture.run(CampaignFixture.lines(1...600), sender).isComplete)
        let answers = try fixture.answers()
        try #require(answers.count == 600)
        for (answer, number) in zip(answers, 1...) {
            #expect(
                answer.contains(#""error""#) == (number % 5 == 3)
                    && answer.hasPrefix(#"{"id":\#(number),"#))
            #expect(answer.contains("may-arrive-twice") == (number % 5 == 4))
            #expect(!answer.contains("payload"))
        }
        #expect(
            sender.numbers == Array(1...600) && sender.mostHeld <= concurrency
                && !fixture.hasJournal)
        #expect(Set(sender.submissions.map(\.id)).count == 600)
        #expect(answers.compactMap(id) == sender.submissions.map(\.id))
    }

    @Test("Without an order, each answer comes at once and has its number") func withoutAnOrder()
        throws
    {
        var fixture = try CampaignFixture()
        fixture.settings.keepsOrder = false
        fixture.settings.concurrency = 10
        let refused = #"{"line":1,"error":{"code":"invalid-key"}}"#
        let lines = CampaignFixture.lines(1...10) + [refused, "["] + CampaignFixture.lines(13...30)
        let sender = FakeSender(holding: { _ in true })
        #expect(try fixture.run(lines, sender).isComplete)
        let numbers = try fixture.answers().map { answer in
            try #require(answer.firstMatch(of: /"line":(\d+)/).flatMap { Int($0.output.1) })
        }
        #expect(numbers.sorted() == Array(1...30) && numbers != Array(1...30))
    }

    @Test("Lines without a push are answered, however many they are") func linesWithoutPushes()
        throws
    {
        let fixture = try CampaignFixture()
        let refused = #"{"id":1,"line":1,"error":{"code":"invalid-key"}}"#
        let lines =
            Array(repeating: refused, count: 1000) + CampaignFixture.lines([1001]) + ["x", ""]
        let sender = FakeSender()
        let campaign = try fixture.campaign(lines, sender)
        #expect(try campaign.run().isComplete)
        let answers = try fixture.answers()
        #expect(
            answers.count == 1003 && answers[..<1000].allSatisfy { $0 == refused }
                && sender.numbers == [1001])
        #expect(campaign.writer.counts == AnswerCounts(accepted: 1, refused: 1002, unsent: 0))
        #expect(campaign.writer.counts.status == .input)
    }

    @Test("An unsent line keeps its payload, and the command fails") func unsentLines() throws {
        let fixture = try CampaignFixture()
        let sender = FakeSender {
            $0.number == 2 ? .failed(.busy) : $0.number == 3 ? .failed(.wrongTopic) : .success
        }
        let campaign = try fixture.campaign(CampaignFixture.lines(1...4), sender)
        #expect(try campaign.run().isComplete)
        let answers = try fixture.answers()
        #expect(
            answers.map { $0.contains(#""payload":{"ENCRYPTED_DATA":"AQ"}"#) } == [
                false, true, true, false,
            ])
        #expect(campaign.writer.counts == AnswerCounts(accepted: 2, refused: 0, unsent: 2))
        #expect(campaign.writer.counts.status == .failure)
    }

    @Test("Answers that wait for one line take limited memory, and the others come after it")
    func limitedMemory()
        throws
    {
        var fixture = try CampaignFixture()
        fixture.settings.maximumSize = 20_000
        fixture.settings.grace = 0
        // Each push is accepted at once but the first one, which is cancelled.
        let sender = FakeSender { $0.number == 1 && $0.attempt == 0 ? nil : .success }
        let ending = try fixture.run(CampaignFixture.lines(1...5000), sender) { inbox in
            // No more pushes come when the memory is full.
            var count = -1
            while sender.submissions.count != count || count < 50 {
                count = sender.submissions.count
                usleep(100_000)
            }
            inbox.post(.interruption)
        }
        guard case .interrupted = ending else { return #expect(Bool(false), "\(ending)") }
        let count = sender.submissions.count
        #expect((50..<700).contains(count), "\(count)")
        #expect(try fixture.answers().isEmpty)
        let other = FakeSender()
        #expect(
            try fixture.resumption().run(CampaignFixture.lines(1...5000, seal: "other"), other)
                .isComplete)
        #expect(other.numbers == [1] + Array(count + 1...5000))
        #expect(
            try zip(fixture.answers(), 1...).allSatisfy { isAccepted($0, $1) }
                && fixture.answers().count == 5000)
    }

    @Test("An answer is written while the next line is missing") func answersInPauses() throws {
        let fixture = try CampaignFixture()
        let pipe = Pipe()
        let lines = CampaignFixture.lines(1...3)
        let input = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
        let campaign = try fixture.campaign(reading: input, FakeSender())
        let thread = Thread {
            for (count, line) in zip(1..., lines) {
                try? pipe.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
                while (try? fixture.answers().count) != count { usleep(1000) }
            }
            try? pipe.fileHandleForWriting.close()
        }
        thread.start()
        #expect(try campaign.run().isComplete)
    }
}

extension PushResult {
    static let success = PushResult.accepted(mayArriveTwice: false)
}
