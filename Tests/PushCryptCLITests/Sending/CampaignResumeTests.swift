import Foundation
import PushCryptSender
import PushCryptSystem
import TestSupport
import Testing

@testable import PushCryptCLI

/// Kills at any place, and the runs after them.
@Suite(.toolThreads) struct CampaignResumeTests {
    /// Copies the files of a campaign as a kill at this moment would leave them.
    private static func kill(_ output: String, to copy: String) {
        for end in ["", ".journal"] {
            try? FileManager.default.removeItem(atPath: copy + end)
            try? FileManager.default.copyItem(atPath: output + end, toPath: copy + end)
        }
    }

    @Test(
        "After a kill at any push, none is lost, and at most those in flight are repeated, with the same ID",
        arguments: [true, false], LongRun.cases(Array(0..<60), usually: 12))
    func aKill(keepsOrder: Bool, place: Int) throws {
        var fixture = try CampaignFixture()
        fixture.settings.concurrency = 6
        fixture.settings.keepsOrder = keepsOrder
        let lines = { (seal: String) in
            (1...60).map { number in
                number % 9 == 5
                    ? #"{"line":\#(number),"error":{"code":"x"}}"#
                    : CampaignFixture.line(number, seal: seal)
            }
        }
        let copy = fixture.scratch.file("copy")
        let output = fixture.output
        // Results come late and in another order, so that the kill leaves pushes in flight and
        // answers that wait.
        let sender = FakeSender(holding: { $0.number % 2 == 0 }) { submission in
            if submission.index == place { Self.kill(output, to: copy) }
            return submission.number % 7 == 3 ? .failed(.unregistered) : .success
        }
        try fixture.run(lines("first"), sender)
        let total = sender.submissions.count
        guard place < total else { return }
        let before = sender.submissions.prefix(place)

        let resumption = try fixture.resumption(copying: copy)
        let other = FakeSender()
        #expect(try resumption.run(lines("second"), other).isComplete)
        let answers = try resumption.answers()
        #expect(answers.count == 60)
        if keepsOrder { #expect(zip(answers, 1...).allSatisfy { $0.contains(":\($1),") }) }
        let sent = before.map(\.number) + other.numbers
        #expect(Set(sent) == Set((1...60).filter { $0 % 9 != 5 }), "a push is lost")
        let repeated = Set(before.map(\.number)).intersection(other.numbers)
        #expect(repeated.count <= 6 && other.numbers.count == Set(other.numbers).count)
        for submission in other.submissions where repeated.contains(submission.number) {
            let first = before.first { $0.number == submission.number }
            #expect(first?.id == submission.id && first?.push.payload == submission.push.payload)
        }
        // The journal has the pushes of the whole turn, and can't tell which of them the client
        // got.
        let doubtful = (1...60).filter { number in
            answers.contains {
                $0.hasPrefix(#"{"id":\#(number),"#) && $0.contains("may-arrive-twice")
            }
        }
        #expect(doubtful.count <= 6 && repeated.isSubset(of: doubtful))
        #expect(!resumption.hasJournal)
    }

    @Test(
        "A torn output and a torn journal are continued",
        arguments: LongRun.cases(Array(0..<200), usually: 25))
    func tornFiles(cut: Int) throws {
        let fixture = try CampaignFixture()
        let sender = FakeSender { $0.number < 4 || $0.number == 6 ? .success : nil }
        let copy = fixture.scratch.file("copy")
        let output = fixture.output
        _ = try fixture.run(CampaignFixture.lines(1...8), sender) { inbox in
            // The journal has the answer to line 6 when it has all of the first two turns.
            while !((try? String(contentsOfFile: "\(output).journal", encoding: .utf8)) ?? "")
                .contains("\na ")
            {
                usleep(500)
            }
            Self.kill(output, to: copy)
            inbox.post(.interruption)
            inbox.post(.interruption)
        }
        let journal = "\(copy).journal"
        let whole = try Data(contentsOf: URL(fileURLWithPath: journal))
        try whole.dropLast(cut % whole.count).write(to: URL(fileURLWithPath: journal))
        try (Data(contentsOf: URL(fileURLWithPath: copy)) + Data(#"{"id":4,"tok"#.utf8)).write(
            to: URL(fileURLWithPath: copy))
        let other = FakeSender()
        let resumption = try fixture.resumption(copying: copy)
        do {
            #expect(try resumption.run(CampaignFixture.lines(1...8), other).isComplete)
        } catch {
            // Without the whole first line, it isn't a journal.
            #expect(whole.count - cut % whole.count < 30, "\(error)")
            return
        }
        let answers = try resumption.answers()
        #expect(answers.count == 8 && zip(answers, 1...).allSatisfy { isAccepted($0, $1) })
    }

    @Test("A complete output has nothing to send, and a longer input is continued")
    func aCompleteOutput() throws {
        let fixture = try CampaignFixture()
        try fixture.run(CampaignFixture.lines(1...5), FakeSender())
        let resumption = try fixture.resumption()
        let none = FakeSender()
        #expect(
            try resumption.run(CampaignFixture.lines(1...5), none).isComplete
                && none.submissions.isEmpty)
        let more = FakeSender()
        #expect(
            try resumption.run(CampaignFixture.lines(1...7), more).isComplete
                && more.numbers == [6, 7])
        #expect(try fixture.answers().count == 7 && !fixture.hasJournal)
        #expect(throws: PushCryptError(.fileExists, "")) {
            try resumption.run(CampaignFixture.lines(1...6), FakeSender())
        }
    }

    @Test("The status counts the lines of earlier runs") func theStatusCountsAll() throws {
        let fixture = try CampaignFixture()
        let sender = FakeSender { $0.number == 2 ? .failed(.busy) : .failed(.unregistered) }
        try fixture.run(CampaignFixture.lines(1...3), sender)
        let campaign = try fixture.resumption().campaign(CampaignFixture.lines(1...4), FakeSender())
        #expect(try campaign.run().isComplete)
        #expect(campaign.writer.counts == AnswerCounts(accepted: 1, refused: 2, unsent: 1))
        #expect(campaign.writer.counts.status == .failure)
    }
}
