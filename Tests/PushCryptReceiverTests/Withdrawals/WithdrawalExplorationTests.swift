import TestSupport
import Testing

/// All orders of messages, a withdrawal, failures, deadlines, kills, and of what the system does
/// later.
///
/// The exact numbers prove that the search is complete.
@Suite(.thorough) struct WithdrawalExplorationTests {
    private typealias Message = WithdrawalWorld.Message

    @Test("A message and its withdrawal end correctly in each order") func messageAndWithdrawal()
        throws
    {
        let explorer = try Explorer(
            WithdrawalWorld(
                [
                    Message(account: 1, identifier: 1, issuedAt: 1),
                    Message(account: 1, identifier: 2, issuedAt: 2, target: 1),
                ], kills: 1, troubles: 2))
        #expect(explorer.states == 10_309)
    }

    @Test("A withdrawal under the collapse ID of its message ends correctly in each order")
    func withdrawalUnderTheSameIdentifier() throws {
        let explorer = try Explorer(
            WithdrawalWorld(
                [
                    Message(account: 1, identifier: 1, issuedAt: 2),
                    Message(account: 1, identifier: 1, issuedAt: 2, target: 1),
                ], kills: 1, troubles: 2, splitsHandOver: false))
        #expect(explorer.states == 4_360)
    }

    @Test(
        "A later message, another account and a dropped message survive in each order",
        .longRun)
    func laterMessageAndAnotherAccountSurvive() throws {
        let explorer = try Explorer(
            WithdrawalWorld(
                [
                    Message(account: 1, identifier: 1, issuedAt: 1),
                    Message(account: 1, identifier: 2, issuedAt: 2, target: 1),
                    Message(account: 1, identifier: 1, issuedAt: 3),
                ], kills: 1, troubles: 2, splitsHandOver: false))
        #expect(explorer.states == 211_661)
        let accounts = try Explorer(
            WithdrawalWorld(
                [
                    Message(account: 1, identifier: 1, issuedAt: 1),
                    Message(account: 1, identifier: 2, issuedAt: 3, target: 1),
                    Message(account: 2, identifier: 1, issuedAt: 1),
                    Message(account: 1, identifier: 3, issuedAt: 1, isDropped: true),
                ], kills: 1, troubles: 1, splitsHandOver: false))
        #expect(accounts.states == 101_687)
    }
}
