internal import Foundation
internal import PushCryptCore
internal import PushCryptSystem

/// The decision about a notification that is about to be displayed, in one access to the store.
///
/// The device displays this for a push, in this order:
///
/// 1. If the server has withdrawn the message, or may have, nothing of it.
/// 2. If a newer message of the account is displayed at the identifier, or another one that a copy would replace, that
///    one's content again, silently. An older text never replaces a newer one, and a copy never a readable one.
/// 3. If the app has dropped the message, or it's a withdrawal or a replayed one, nothing, or the quietest content.
/// 4. Otherwise the original, the part of it that the user has chosen, or the fallback.
///
/// The same access records the message at its place, counts the badge, writes the receipt and the delivery log. Nothing
/// can block between it and the hand-over.
struct Decision: Sendable {
    let notification: DeliveredNotification
    let inbox: PushInbox
    let host: any NotificationHost
    let record: RequestRecord

    /// Returns what is displayed, or `nil` if the system's list must be read again first.
    ///
    /// The last decision doesn't read it again: it displays the quietest content instead of an outdated one.
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
                let settled = state.hasReadSecrets ? settled(best, state, isLast: isLast, in: store) : best
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

    /// Returns what is displayed for a notification that the app opens again; the delivery log stays as it is.
    func decidedAgain(_ best: Presented) -> Presented {
        let state = record.state.withLock { $0 }
        guard let store = inbox.store else { return finished(best) }
        let decided = try? store.locked { (store) throws(PushCryptError) in
            settled(best, state, isLast: true, in: store) ?? best
        }
        return finished(decided ?? best)
    }

    // MARK: The place

    /// Returns the notification that takes the place, after recording it; `nil` if it's outdated.
    private func settled(
        _ best: Presented, _ state: RequestRecord.State, isLast: Bool, in store: SharedStore
    ) -> Presented? {
        do throws(PushCryptError) {
            return try store.withLedger { (ledger, hash) throws(PushCryptError) in
                let now = store.now.millisecondsSince1970
                let placed = try state.placed.map { (placed) throws(PushCryptError) in (placed, try placed.entry(hash))
                }
                switch best.outcome.kind {
                case .opened, .reduced, .repeated:
                    guard let (placed, entry) = placed else { return best }
                    let answer = ledger.show(
                        entry, seeming: best.doubles, after: state.listing,
                        (state.found ?? LookUp()).arrival(after: ledger.start), now: now)
                    return answered(answer, best, placed.push, &ledger, isLast: isLast, now: now)
                case .kept:
                    guard let kept = best.kept, try !ledger.keep(kept, hash, now: now) else { return best }
                    return isLast ? quiet(best, in: &ledger, now: now) : nil
                case _ where best.isCopy && !isLast && best.content.hasText:
                    // The list may lack a text that a copy mustn't replace.
                    let identifier = notification.identifier
                    if ledger.isUnsettled(identifier, after: state.listing, now: now) { return nil }
                case .dropped:
                    // The app's code doesn't run for a copy, which would be displayed otherwise.
                    if let placed { ledger.withdraw(try placed.0.droppedEntry(hash), now: now) }
                case .challenge:
                    // An extension sends nothing, so the app answers it at its next launch.
                    if let value = try? notification.sealedValue.get() {
                        try store.challenges.add(value, at: store.now)
                    }
                default: break
                }
                replace(by: best, in: &ledger, now: now)
                return best
            }
        } catch {
            host.log(PushEvent(error))
            return best
        }
    }

    /// Returns the notification for the ledger's answer.
    private func answered(
        _ answer: Ledger.Answer, _ best: Presented, _ push: OpenedPush, _ ledger: inout Ledger, isLast: Bool,
        now: UInt64
    ) -> Presented? {
        switch answer {
        case .shown(let doubles):
            var shown = best
            shown.doubles = doubles
            let isCounted = inbox.configuration.countsBadge && !best.outcome.isRepeated
            if isCounted, best.content.badge == nil { shown.badge = ledger.shownCount }
            return shown
        case .withdrawn:
            let withdrawn = inbox.originals.withdrawn(push)
            replace(by: withdrawn, in: &ledger, now: now)
            return withdrawn
        case .possiblyWithdrawn:
            let fallback = inbox.originals.presented(notification, failing: Originals.possiblyWithdrawn)
            replace(by: fallback, in: &ledger, now: now)
            return fallback
        case .outdated:
            return isLast ? quiet(best, in: &ledger, now: now) : nil
        }
    }

    /// Records that visible content replaces a notification, so that a withdrawal doesn't remove this content.
    private func replace(by presented: Presented, in ledger: inout Ledger, now: UInt64) {
        if presented.content.hasText { ledger.leave(notification.identifier, now: now) }
    }

    /// Returns the quietest content instead of an outdated one.
    private func quiet(_ best: Presented, in ledger: inout Ledger, now: UInt64) -> Presented {
        guard let push = best.outcome.push else { return best }
        let quiet = inbox.originals.dropped(push)
        replace(by: quiet, in: &ledger, now: now)
        return quiet
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
        guard let push = presented.outcome.push, let state = presented.state(of: text) else { return finished }
        let receipt = ReceiptWriter(secrets: inbox.secrets).receipt(
            for: push, state, displaying: text, source: object.source(from: inbox.configuration.carrier),
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
    /// Afterwards the system may suspend or end the process, and ends one that holds the lock of a shared file.
    private func end(_ presented: Presented, _ state: RequestRecord.State, in store: SharedStore) {
        do throws(PushCryptError) {
            try store.deliveryLog.end(
                state.begun, state.fingerprint, outcome: presented.outcome, hasReceipt: presented.hasReceipt)
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
        entry.message = kept.messageID.bytes
        return keep(entry, after: kept.listing, now: now)
    }
}
