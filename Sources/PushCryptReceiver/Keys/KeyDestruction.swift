internal import PushCryptCore
internal import PushCryptFoundation
internal import PushCryptKeyring

// The end of a device's key.
//
// A retired key is destroyed by `destroyExpiredKeys` when the app calls `PushInbox.register` or
// `renew`: at its beginning, and after each answer of the server. An app that calls neither
// destroys no key.
//
// The key expires after the longest lifetime of messages to it, and 48 hours more, as counted since
// its retirement. Two clocks count: the estimate, which the dates of the server's answers correct,
// and the device's own count, which no answer moves. The one that expires the key first decides.
//
// Besides, a new key drops the oldest of more than 64 retired keys, unless a backup was restored,
// and `removeAccount` deletes all. If the user deletes the app, its keychain item remains.
extension DeviceKeyring {
    /// Destroys the keys that have expired.
    @discardableResult
    mutating func destroyExpiredKeys() throws(PushCryptError) -> [RecipientKeyring.RetiredEntry] {
        guard let elapsedTime else { return [] }
        return try keyring.destroyKeys { key in
            elapsedTime.elapsed(since: key.retired, of: key.id) >= key.lifetime
                + KeyLifetime.clockTolerance
        }
    }

    /// The age of the primary key by the elapsed time, in seconds; `nil` for a keyring without
    /// elapsed time.
    var primaryAge: TimeInterval? {
        elapsedTime?.elapsed(since: keyring.primary.created, of: keyring.primary.id)
    }

    /// Updates the estimate of the elapsed time, and returns it.
    ///
    /// The clock may have missed time before a key was retired. The method shifts the retirement
    /// date by the missed time, unless the date is a server's. It corrects a date that is more than
    /// 48 hours in the future.
    @discardableResult
    mutating func observe(_ clock: Date, answer: Date? = nil) -> Date {
        // The first estimate is the last change, because the clock may be years ahead.
        var elapsed = elapsedTime ?? ElapsedTime(startingAt: clock, estimate: keyring.lastChange)
        let current = [keyring.primary] + keyring.pending
        elapsed.mark(
            current.map { ($0.id, $0.created) } + keyring.retired.map { ($0.id, $0.retired) })
        let missed = elapsed.observe(clock, answer: answer)
        elapsedTime = elapsed
        // A key from the future, by a clock that was ahead, would never become old.
        keyring.primary.created = min(keyring.primary.created, elapsed.estimate)
        if missed != 0 {
            keyring.retired = keyring.retired.map {
                $0.corrected(by: missed, estimate: elapsed.estimate)
            }
        }
        return elapsed.estimate
    }
}

extension Keyring.RetiredEntry {
    /// Returns the key with a retirement date that is shifted by the time that the clock has
    /// missed.
    fileprivate func corrected(by missed: TimeInterval, estimate: Date) -> Self {
        var entry = self
        if !entry.isDateKnown { entry.retired.addTimeInterval(missed) }
        if entry.retired > estimate + KeyLifetime.clockTolerance {
            entry.retired = estimate
            entry.isDateKnown = false
        }
        return entry
    }
}
