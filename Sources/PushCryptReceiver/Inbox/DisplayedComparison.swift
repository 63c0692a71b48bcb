internal import Foundation
internal import PushCryptCore
internal import PushCryptSystem

/// The comparison of a copy or an older message with the displayed notifications.
///
/// A sender sends again after a lost answer, and an attacker replays. A copy never replaces a newer
/// or a readable text, and an older message never a newer one. So the displayed notifications
/// decide what is handed over:
///
/// | Displayed | Handed over |
/// |---|---|
/// | another notification with the push's identifier and a valid receipt | its content again |
/// | the same message elsewhere, at most an hour ago | its content; the other is removed |
/// | neither | the original, silently if it's a copy; after an hour nothing, or the quietest text |
struct DisplayedComparison: Sendable {
    let notification: DeliveredNotification
    let inbox: PushInbox
    let host: any NotificationHost
    let record: RequestRecord

    /// The number of times that the list is read, because the system displays a notification some
    /// time after its hand-over.
    private static let attempts = 10

    /// Returns what is handed over instead of a candidate.
    func presented(instead candidate: Presented, _ attempt: Int) async -> Presented {
        // The system displays a notification some time after its hand-over.
        if attempt > 0 { try? await Task.sleep(nanoseconds: 250_000_000) }
        let asked = inbox.configuration.time.now.millisecondsSince1970
        // A list that never has the newer notification doesn't hold the older one for ever.
        let listing = Ledger.Listing(time: asked, isLast: attempt >= Self.attempts)
        let displayed = await host.displayedNotifications().compactMap { proved($0) }
        // After the end of the request, no lock may be taken.
        guard !Task.isCancelled else { return candidate }
        if let own = displayed.first(where: { $0.identifier == notification.identifier }),
            candidate.isCopy || own.receipt.messageID != candidate.outcome.push?.messageID,
            !isWithdrawn(own)
        {
            return kept(own, instead: candidate, listing)
        }
        // Not before: at the deadline, a list with the newer notification mustn't count as one
        // without it.
        record.state.withLock { $0.listing = listing }
        guard candidate.outcome.kind == .repeated, let push = candidate.outcome.push else {
            return candidate
        }
        let doubles = displayed.filter { $0.receipt.messageID == push.messageID }
        guard let double = doubles.last else { return candidate }
        // Otherwise the user has chosen to see less since.
        let isFull = candidate.earlier != .reduced || double.receipt.state == .reduced
        var presented = isFull ? candidate.displaying(double.content.silent) : candidate
        if isFull { presented.earlier = double.receipt.state }
        presented.doubles = doubles.map(\.identifier)
        return presented
    }

    private func kept(_ own: Proved, instead candidate: Presented, _ listing: Ledger.Listing)
        -> Presented
    {
        let outcome = PushOutcome(.kept, candidate.outcome.push, failure: candidate.outcome.failure)
        var kept = Presented(own.content.text, outcome).displaying(own.content.silent)
        kept.withdrawal = candidate.withdrawal
        kept.kept = KeptNotification(
            identifier: own.identifier, messageID: own.receipt.messageID, account: own.account,
            listing: listing)
        return kept
    }

    private func isWithdrawn(_ own: Proved) -> Bool {
        let isWithdrawn = try? inbox.store?.withLedger { (ledger, _) throws(PushCryptError) in
            let now = inbox.configuration.time.now.millisecondsSince1970
            return ledger.withdrawn(now: now).contains { $0.name == own.identifier }
        }
        return isWithdrawn ?? false
    }

    /// A displayed notification whose receipt is proved.
    private struct Proved {
        let identifier: String
        let content: any SystemContent
        let receipt: Receipt
        let account: String
    }

    private func proved(_ displayed: DisplayedNotification) -> Proved? {
        let judgment = inbox.receiptReader.judgment(of: displayed.notification)
        guard let receipt = judgment.receipt, let account = judgment.account else { return nil }
        return Proved(
            identifier: displayed.notification.identifier, content: displayed.content,
            receipt: receipt,
            account: account)
    }
}
