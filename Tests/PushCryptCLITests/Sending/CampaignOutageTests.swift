import Foundation
import PushCryptSender
import PushCryptSystem
import TestSupport
import Testing

@testable import PushCryptCLI

/// Campaigns whose server can't be reached for a while.
@Suite(.toolThreads) struct CampaignOutageTests {
    /// A server that fails from a submission on, until a number of pushes has failed.
    private static func outage(from start: Int, count: Int, _ failure: PushFailure) -> FakeSender {
        FakeSender { (start..<start + count).contains($0.index) ? .failed(failure) : .success }
    }

    @Test("Pushes that didn't reach the server wait in their order, and one probes it")
    func pushesWait() throws {
        var fixture = try CampaignFixture()
        fixture.settings.concurrency = 5
        // The five pushes in flight fail, and then the first one three times more.
        let sender = Self.outage(from: 5, count: 8, .unreachable)
        #expect(try fixture.run(CampaignFixture.lines(1...20), sender).isComplete)
        #expect(sender.numbers == Array(1...10) + [6, 6, 6] + [6, 7, 8, 9, 10] + Array(11...20))
        let answers = try fixture.answers()
        #expect(answers.count == 20 && zip(answers, 1...).allSatisfy { isAccepted($0, $1) })
        #expect(!answers.joined().contains("may-arrive-twice"))
        let ids = Dictionary(grouping: sender.submissions, by: \.number).mapValues {
            Set($0.map(\.id)).count
        }
        #expect(ids.values.allSatisfy { $0 == 1 })
    }

    @Test("A push that may have been accepted before the outage says so") func aPushWasCut() throws
    {
        var fixture = try CampaignFixture()
        fixture.settings.concurrency = 3
        let sender = FakeSender { submission in
            guard (3..<8).contains(submission.index) else { return .success }
            return .failed(submission.number == 5 ? .unreachableAfterCut : .unreachable)
        }
        #expect(try fixture.run(CampaignFixture.lines(1...9), sender).isComplete)
        let answers = try fixture.answers()
        #expect(answers.map { $0.contains("may-arrive-twice") } == (1...9).map { $0 == 5 })
        #expect(zip(answers, 1...).allSatisfy { isAccepted($0, $1) })
    }

    @Test("Pushes without an answer at the start of an outage are sent again after it")
    func silenceThenOutage() throws {
        var fixture = try CampaignFixture()
        fixture.settings.concurrency = 4
        // Three pushes get no answer, the fourth one tells of the outage, and the first one fails
        // as a probe.
        let failures: [PushFailure] = [.noAnswer, .noAnswer, .noAnswer, .unreachable, .unreachable]
        let sender = FakeSender {
            $0.index < failures.count ? .failed(failures[$0.index]) : .success
        }
        #expect(try fixture.run(CampaignFixture.lines(1...6), sender).isComplete)
        #expect(sender.numbers == [1, 2, 3, 4, 1, 1, 2, 3, 4, 5, 6])
        let answers = try fixture.answers()
        #expect(zip(answers, 1...).allSatisfy { isAccepted($0, $1) })
        #expect(
            answers.map { $0.contains("may-arrive-twice") } == [
                true, true, true, false, false, false,
            ])
    }

    @Test("If nothing has an answer, one push probes the server") func onlySilence() throws {
        let fixture = try CampaignFixture()
        let sender = Self.outage(from: 0, count: 3, .noAnswer)
        #expect(try fixture.run(CampaignFixture.lines(1...3), sender).isComplete)
        #expect(sender.numbers == [1, 2, 3, 1, 2, 3])
        #expect(try zip(fixture.answers(), 1...).allSatisfy { isAccepted($0, $1) })
    }

    @Test("A push without an answer is unsent if the server answers others") func aLonelySilence()
        throws
    {
        var fixture = try CampaignFixture()
        fixture.settings.concurrency = 2
        let sender = FakeSender { $0.number == 2 ? .failed(.noAnswer) : .success }
        let campaign = try fixture.campaign(CampaignFixture.lines(1...9), sender)
        #expect(try campaign.run().isComplete)
        #expect(sender.numbers == Array(1...9) && campaign.writer.counts.unsent == 1)
        #expect(try fixture.answers()[1].contains(#""may-be-accepted":true"#))
    }

    @Test("Pushes that never get an answer are given up, one after the other") func everySilence()
        throws
    {
        let fixture = try CampaignFixture()
        let sender = FakeSender { $0.number == 3 ? .success : .failed(.noAnswer) }
        let campaign = try fixture.campaign(CampaignFixture.lines([1, 2, 4]), sender)
        #expect(try campaign.run().isComplete)
        #expect(sender.numbers == [1, 2, 4, 1, 2, 4] && campaign.writer.counts.unsent == 3)
    }

    @Test("Any answer ends an outage, also a refusal and one to another push")
    func anyAnswerEndsIt() throws {
        for answer in [PushResult.failed(.busy), .failed(.unregistered), .success] {
            var fixture = try CampaignFixture()
            fixture.settings.concurrency = 2
            // Nobody probes in this test: the answer comes from a push that was in flight.
            fixture.settings.pauses = Outage.Pauses(first: 1000, longest: 1000)
            let sender = FakeSender(holding: { $0.index == 1 }) { submission in
                submission.index == 0
                    ? .failed(.unreachable) : submission.index == 1 ? answer : .success
            }
            #expect(try fixture.run(CampaignFixture.lines(1...4), sender).isComplete)
            #expect(sender.numbers == [1, 2, 1, 3, 4])
        }
    }

    @Test("The end of the patience ends the campaign, and all is sent later", arguments: [0, 0.02])
    func patience(seconds: Double) throws {
        var fixture = try CampaignFixture()
        fixture.settings.concurrency = 5
        fixture.settings.patience = seconds
        let sender = Self.outage(from: 7, count: .max - 7, .unreachable)
        let ending = try fixture.run(CampaignFixture.lines(1...20), sender)
        guard case .unreachable = ending else { return #expect(Bool(false), "\(ending)") }
        #expect(ending.code == "no-connection" && fixture.hasJournal)
        #expect(try fixture.answers().count == 7)
        let other = FakeSender()
        #expect(
            try fixture.resumption().run(CampaignFixture.lines(1...20, seal: "other"), other)
                .isComplete)
        #expect(other.numbers == Array(8...20))
        let answers = try fixture.answers()
        #expect(answers.count == 20 && zip(answers, 1...).allSatisfy { isAccepted($0, $1) })
        // They surely weren't accepted before.
        #expect(!answers.joined().contains("may-arrive-twice"))
    }

    @Test("The progress tells why nothing is sent, and for how long") func progress() throws {
        let fixture = try CampaignFixture()
        let campaign = try fixture.campaign([], FakeSender())
        let line = Line.bytes(Array(CampaignFixture.line(1).utf8))
        guard case .push(let push) = try campaign.reader.read(line, number: 1) else {
            return #expect(Bool(false))
        }
        campaign.window.send(push)
        #expect(campaign.state(at: Clock.now) == nil)
        campaign.receive(NumberedResult(number: 1, result: .failed(.unreachable)))
        #expect(campaign.state(at: Clock.now + 25) == "waiting for APNs for 25 s (no-connection)")
        campaign.close(.interrupted)
        #expect(campaign.state(at: Clock.now) == "waiting for 0 answers; interrupt again to end")
    }

    @Test("Two outages have the patience of each") func twoOutages() throws {
        var fixture = try CampaignFixture()
        fixture.settings.concurrency = 1
        let sender = FakeSender {
            [2, 3, 6, 7, 8].contains($0.index) ? .failed(.unreachable) : .success
        }
        #expect(try fixture.run(CampaignFixture.lines(1...8), sender).isComplete)
        #expect(sender.numbers == [1, 2, 3, 3, 3, 4, 5, 5, 5, 5, 6, 7, 8])
    }
}
