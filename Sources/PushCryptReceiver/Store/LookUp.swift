internal import Foundation
internal import PushCryptCore
internal import PushCryptPayload

/// The store's knowledge about an opened message, before anything is done for it.
struct LookUp: Sendable {
    /// The replay guard's answer; `nil` if the guard wasn't asked, or failed.
    var answer: ReplayGuardAnswer?

    /// The relation between the message and the withdrawals.
    var verdict = Ledger.Verdict.free

    /// A Boolean value that indicates whether a newer message of the account is displayed at the
    /// identifier.
    var isOutdated = false

    /// The part of the message to display, as the user has chosen.
    var display = NotificationDisplay.full

    /// The age of the message's key, if the key store was asked for it.
    var keyAge: KeyAge?

    /// The error of a replay guard that can't be used.
    var guardFailure: PushCryptError?

    /// The error of a ledger that can't be used.
    var ledgerFailure: PushCryptError?

    /// The circumstances of the message's arrival, for the ledger.
    func arrival(after start: UInt64) -> Ledger.Arrival {
        Ledger.Arrival(
            isCopy: answer == .repeated,
            isKeyNewer: { keyAge?.isNewer(than: Date(millisecondsSince1970: start)) ?? false })
    }
}

/// A message about which the store is asked, and which it records.
struct ArrivedMessage: Sendable {
    let message: PlacedMessage
    /// The accounts, with the stores of their keys.
    let accounts: [PushAccount]
    /// The date of an earlier delivery; `nil` if the message arrives now.
    let delivery: Date?
    /// A Boolean value that indicates whether the replay guard is asked: a message without an ID of
    /// its own can't be.
    let isGuarded: Bool
    /// The notifications that the message withdraws; `nil` if it's no withdrawal that acts.
    let withdrawal: Withdrawal?
}

extension SharedStore {
    /// Records a message in the replay guard and the ledger, or the notifications that it
    /// withdraws, and returns what the store knows of it.
    ///
    /// The guard's record stays, even if the extension is killed later: a message alerts the user
    /// once.
    ///
    /// - Throws: ``PushCryptError`` with `replayed`, `possiblyReplayed` or `invalidConfiguration`
    ///   if the guard rejects the message. Any other failure is in the result.
    func lookUp(_ arrival: ArrivedMessage) throws(PushCryptError) -> LookUp {
        var damage: PushCryptError?
        if let found = try lookUp(arrival, keyAge: nil, &damage) { return found }
        // Not under the lock, because the key store may block.
        let keyAge = KeyAge(creation: arrival.accounts.keyCreation(of: arrival.message.push))
        return try lookUp(arrival, keyAge: keyAge, &damage)
            ?? LookUp(display: display, keyAge: keyAge)
    }

    /// Looks a message up; returns `nil` if the result depends on the age of its key.
    private func lookUp(
        _ arrival: ArrivedMessage, keyAge: KeyAge?, _ damage: inout PushCryptError?
    ) throws(PushCryptError) -> LookUp? {
        do throws(PushCryptError) {
            return try locked { (store) throws(PushCryptError) in
                try store.record(arrival, keyAge: keyAge, &damage)
            }
        } catch {
            let failure = try PushCryptError.replayGuardFailure(error)
            return LookUp(
                display: display, keyAge: keyAge, guardFailure: failure, ledgerFailure: error)
        }
    }

    private func record(
        _ arrival: ArrivedMessage, keyAge: KeyAge?, _ damage: inout PushCryptError?
    ) throws(PushCryptError) -> LookUp? {
        var found = LookUp(display: display, keyAge: keyAge)
        guard arrival.isGuarded else { return recordInLedger(arrival, &found) ? found : nil }
        do throws(PushCryptError) {
            let message = GuardedMessage(
                arrival.message.push, of: arrival.accounts, deliveredAt: arrival.delivery)
            // The ledger first: if the process is killed between the two, the message is still
            // known.
            let attempt = try replayGuard.attempt(message, under: epoch(), keyAge: keyAge, now: now)
            { answer in
                found.answer = answer
                return recordInLedger(arrival, &found)
            }
            damage = damage ?? attempt.damage
            guard attempt.answer != nil else { return nil }
            if let damage { throw damage }
        } catch {
            found.guardFailure = try .replayGuardFailure(error)
            if found.answer == nil { _ = recordInLedger(arrival, &found) }
            found.answer = nil
        }
        return found
    }

    /// Records a message in the ledger; returns `false` if that depends on the age of its key.
    private func recordInLedger(_ arrival: ArrivedMessage, _ found: inout LookUp) -> Bool {
        let now = now.millisecondsSince1970
        do throws(PushCryptError) {
            return try withLedger { (ledger, hash) throws(PushCryptError) in
                let push = arrival.message.push
                if let withdrawal = arrival.withdrawal {
                    try ledger.withdraw(
                        withdrawal, account: push.account, issuedAt: push.issuedAt, hash, now: now)
                    return true
                }
                guard push.kind == .notification else { return true }
                let entry = try arrival.message.entry(hash)
                let needsKeyAge = ledger.asksForKey(of: entry)
                guard !needsKeyAge || found.keyAge != nil else { return false }
                found.verdict = ledger.lookUp(entry, found.arrival(after: ledger.start), now: now)
                found.isOutdated = ledger.isOutdated(entry, now: now)
                return true
            }
        } catch {
            found.ledgerFailure = error
            return true
        }
    }
}
