internal import Foundation
internal import PushCryptCore
internal import PushCryptSystem

/// The decision about a notification that is about to be displayed, in one access to the store.
///
/// The device displays this for a push, in this order:
///
/// 1. If the server has withdrawn the message, or may have, nothing of it.
/// 2. If a newer message of the account is displayed at the identifier, or another one that a copy
///    would replace, that one's content again, silently. An older text never replaces a newer one,
///    and a copy never a readable one. `DisplayedComparison` finds it. If the same message is
///    displayed elsewhere, that notification is removed.
/// 3. If the app has dropped the message, or it's a withdrawal, or a copy that came after more than
///    an hour, nothing, or the quietest content.
/// 4. Otherwise the original, the part of it that the user has chosen, or the fallback. A copy
///    within an hour is silent.
///
/// The same access records the message at its place, counts the badge, writes the receipt and the
/// delivery log. Nothing can block between it and the hand-over.
struct Decision: Sendable {
    let notification: DeliveredNotification
    let inbox: PushInbox
    let host: any NotificationHost
    let record: RequestRecord

    /// Returns what is displayed, or `nil` if the system's list must be read again first.
    ///
    /// The last decision doesn't read it again: it displays the quietest content instead of an
    /// outdated one.
    func decided(_ best: Presented, isLast: Bool) -> Presented? {
        // Before the store's lock, which the beginning takes inside of this one.
        let state = record.state.withLock { state in
            state.hasEnded = true
            return state
        }
        guard let store = inbox.store else { return finished(best) }
        do throws(PushCryptError) {
            return try store.locked { (store) throws(PushCryptError) in
                // Where the secrets can't be read, the stores can't be, either.
                let settled =
                    state.hasReadSecrets ? settled(best, state, isLast: isLast, in: store) : best
                guard let settled else { return nil }
                let finished = finished(settled)
                end(finished, state, in: store)
                return finished
            }
        } catch {
            // Nothing was recorded, and the text isn't lost.
            host.log(PushEvent(.deliveryLogUnavailable(error)))
            return finished(best)
        }
    }

    /// Returns what is displayed for a notification that the app opens again; the delivery log
    /// stays as it is.
    func decidedAgain(_ best: Presented) -> Presented {
        let state = record.state.withLock { $0 }
        guard let store = inbox.store else { return finished(best) }
        let decided = try? store.locked { (store) throws(PushCryptError) in
            settled(best, state, isLast: true, in: store) ?? best
        }
        return finished(decided ?? best)
    }

    // MARK: The place

    /// The circumstances of a decision.
    private struct Circumstances {
        let state: RequestRecord.State
        let isLast: Bool
        let now: UInt64
        let hash: LedgerHash
    }

    /// Returns the notification that takes the place, after recording it; `nil` if it's outdated.
    private func settled(
        _ best: Presented, _ state: RequestRecord.State, isLast: Bool, in store: SharedStore
    ) -> Presented? {
        do throws(PushCryptError) {
            if best.outcome.kind == .challenge { try storeChallenge(in: store) }
            return try store.withLedger { (ledger, hash) throws(PushCryptError) in
                let now = store.now.millisecondsSince1970
                return try settled(
                    best, Circumstances(state: state, isLast: isLast, now: now, hash: hash),
                    ledger: &ledger)
            }
        } catch {
            host.log(PushEvent(error))
            return best
        }
    }

    /// Stores a challenge: an extension sends nothing, so the app answers it at its next launch.
    private func storeChallenge(in store: SharedStore) throws(PushCryptError) {
        guard let value = try? notification.sealedValue.get() else { return }
        try store.challenges.add(value, at: store.now)
    }

    private func settled(
        _ best: Presented, _ circumstances: Circumstances, ledger: inout Ledger
    ) throws(PushCryptError) -> Presented? {
        let state = circumstances.state
        let now = circumstances.now
        switch best.outcome.kind {
        case .opened, .reduced, .repeated:
            guard let placed = state.placed else { return best }
            let arrival = (state.found ?? LookUp()).arrival(after: ledger.start)
            let answer = ledger.show(
                try placed.entry(circumstances.hash), seeming: best.doubles, after: state.listing,
                arrival, now: now)
            return answered(best, by: answer, circumstances, ledger: &ledger)
        case .kept:
            guard let kept = best.kept, try !ledger.keep(kept, circumstances.hash, now: now) else {
                return best
            }
            return outdated(best, circumstances, ledger: &ledger)
        case .dropped:
            // The app's code doesn't run for a copy, which would be displayed otherwise.
            if let placed = state.placed {
                ledger.withdraw(try placed.droppedEntry(circumstances.hash), now: now)
            }
        case _ where best.isCopy && !circumstances.isLast && best.content.hasText:
            // The list may lack a text that a copy mustn't replace.
            if ledger.isUnsettled(notification.identifier, after: state.listing, now: now) {
                return nil
            }
        default: break
        }
        return replacing(best, circumstances, ledger: &ledger)
    }

    /// Returns the notification for the ledger's answer.
    private func answered(
        _ best: Presented, by answer: Ledger.Answer, _ circumstances: Circumstances,
        ledger: inout Ledger
    ) -> Presented? {
        switch answer {
        case .shown(let doubles):
            var shown = best
            shown.doubles = doubles
            let isCounted = inbox.configuration.countsBadge && !best.outcome.isRepeated
            if isCounted, best.content.badge == nil { shown.badge = ledger.shownCount }
            return shown
        case .withdrawn:
            guard let push = best.outcome.push else { return best }
            return replacing(inbox.originals.withdrawn(push), circumstances, ledger: &ledger)
        case .possiblyWithdrawn:
            let fallback = inbox.originals.presented(
                notification, failing: Originals.possiblyWithdrawn)
            return replacing(fallback, circumstances, ledger: &ledger)
        case .outdated:
            return outdated(best, circumstances, ledger: &ledger)
        }
    }

    /// Returns the notification after recording that its visible content replaces another one, so
    /// that a withdrawal doesn't remove this content.
    private func replacing(
        _ presented: Presented, _ circumstances: Circumstances, ledger: inout Ledger
    ) -> Presented {
        if presented.content.hasText {
            ledger.leave(notification.identifier, now: circumstances.now)
        }
        return presented
    }

    /// Returns the quietest content instead of an outdated one, or `nil` to read the system's list
    /// again.
    private func outdated(
        _ best: Presented, _ circumstances: Circumstances, ledger: inout Ledger
    ) -> Presented? {
        guard circumstances.isLast else { return nil }
        guard let push = best.outcome.push else { return best }
        return replacing(inbox.originals.dropped(push), circumstances, ledger: &ledger)
    }

    // MARK: The object

    /// Returns the notification with the system's object, which has the badge and the receipt.
    private func finished(_ presented: Presented) -> Presented {
        var finished = presented
        let object = presented.object ?? host.object(for: presented.content)
        finished.object = object
        // As it is read back, after the app's customization.
        let text = object.text
        finished.content = text
        guard let push = presented.outcome.push, let state = presented.state(of: text) else {
            return finished
        }
        let receipt = ReceiptWriter(secrets: inbox.secrets).receipt(
            for: push, state, displaying: text,
            source: object.source(from: inbox.configuration.carrier),
            identifier: notification.identifier)
        let final = object.finished(badge: presented.badge, receipt: receipt)
        finished.object = final
        finished.content = final.text
        finished.hasReceipt = receipt != nil
        return finished
    }

    // MARK: The log

    /// Records the outcome before the content is handed over.
    ///
    /// Afterwards the system may suspend or end the process, and ends one that holds the lock of a
    /// shared file.
    private func end(_ presented: Presented, _ state: RequestRecord.State, in store: SharedStore) {
        do throws(PushCryptError) {
            try store.deliveryLog.end(
                state.begun, state.fingerprint, outcome: presented.outcome,
                hasReceipt: presented.hasReceipt)
        } catch {
            host.log(PushEvent(.deliveryLogUnavailable(error)))
        }
    }
}

extension Ledger {
    /// Records that a displayed notification stays in its place; returns `false` if it can't.
    fileprivate mutating func keep(
        _ kept: KeptNotification, _ hash: LedgerHash, now: UInt64
    ) throws(PushCryptError) -> Bool {
        var entry = Entry(
            account: try hash(nil, kept.account), target: try hash(.collapseIDs, kept.identifier),
            issuedAt: .max, end: .max)
        entry.identifier = Array(kept.identifier.utf8)
        entry.message = Ledger.Digest(kept.messageID)
        return keep(entry, after: kept.listing, now: now)
    }
}
