public import PushCryptCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// The life of a key: pending, primary, retired, destroyed. Each step raises the generation by one, or changes nothing.
//
// No step of an operator's is dated before the last one: a retirement by a clock that was set back would be over as soon as it is right.
extension Keyring {
    /// Makes a new primary key and retires the old one, in one step: for senders, and where nobody has to confirm.
    ///
    /// - Parameter now: the time to note for both.
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable` or `malformedKeyring`; the keyring is then unchanged.
    public mutating func rotate(at now: Date) throws(PushCryptError) {
        let next = try nextGeneration()
        let date = max(now, lastChange)
        let fresh = Entry(key: try Key(), created: date)
        putFirst(fresh, at: date)
        generation = next
    }

    /// Makes a new key and leaves the primary one in use.
    ///
    /// - Parameter now: the time to note for it.
    /// - Returns: the new key.
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable` or `malformedKeyring`; the keyring is then unchanged.
    @discardableResult
    public mutating func prepare(at now: Date) throws(PushCryptError) -> Entry {
        try prepare(dated: max(now, lastChange))
    }

    /// The same by a time that is watched, whatever else is noted.
    @discardableResult
    package mutating func prepare(dated date: Date) throws(PushCryptError) -> Entry {
        let next = try nextGeneration()
        let fresh = Entry(key: try Key(), created: date)
        pending.append(fresh)
        generation = next
        return fresh
    }

    /// Makes a pending key the primary one and retires the old one.
    ///
    /// - Parameters:
    ///   - id: the pending key.
    ///   - now: the time to note for the retirement.
    /// - Throws: ``PushCryptError`` with `unknownKey`, `wrongKeyState` where the key is not pending, or `malformedKeyring`;
    ///   the keyring is then unchanged.
    public mutating func promote(_ id: KeyID, at now: Date) throws(PushCryptError) {
        try promote(id, dated: max(now, lastChange), isDateKnown: false)
    }

    mutating func promote(_ id: KeyID, dated date: Date, isDateKnown: Bool) throws(PushCryptError) {
        let next = try nextGeneration()
        guard let index = pending.firstIndex(where: { $0.key.publicKey.keyID == id }) else {
            throw try wrongState(id, "promoted: only a pending key can be.")
        }
        let entry = pending.remove(at: index)
        putFirst(entry, at: date, isDateKnown: isDateKnown)
        generation = next
    }

    /// Gives up a pending key.
    ///
    /// It opens what may have been sealed to it for as long as any retired key does.
    ///
    /// - Parameters:
    ///   - id: the pending key.
    ///   - now: the time to note.
    /// - Throws: ``PushCryptError`` with `unknownKey`, `wrongKeyState` where the key is not pending, or `malformedKeyring`;
    ///   the keyring is then unchanged.
    public mutating func retire(_ id: KeyID, at now: Date) throws(PushCryptError) {
        try retire(id, dated: max(now, lastChange))
    }

    mutating func retire(_ id: KeyID, dated date: Date) throws(PushCryptError) {
        let next = try nextGeneration()
        guard let index = pending.firstIndex(where: { $0.key.publicKey.keyID == id }) else {
            throw try wrongState(
                id, "retired: only a pending key can be. The primary key is retired when another takes its place.")
        }
        let entry = pending.remove(at: index)
        retired.insert(RetiredEntry(key: entry.key, created: entry.created, retired: date), at: 0)
        generation = next
    }

    /// Destroys a retired key at once, due or not: because it has leaked.
    ///
    /// What is under way to it will not open.
    ///
    /// - Parameter id: the retired key.
    /// - Throws: ``PushCryptError`` with `unknownKey`, `wrongKeyState` where the key is not retired, or `malformedKeyring`;
    ///   the keyring is then unchanged.
    public mutating func destroy(_ id: KeyID) throws(PushCryptError) {
        let next = try nextGeneration()
        guard let index = retired.firstIndex(where: { $0.key.publicKey.keyID == id }) else {
            throw try wrongState(id, "destroyed: only a retired key can be. Rotate first.")
        }
        retired.remove(at: index)
        generation = next
    }

    // MARK: Steps that they share

    func nextGeneration() throws(PushCryptError) -> UInt64 {
        guard generation < ExactInteger.maximum else {
            throw PushCryptError(
                .malformedKeyring, "The keyring's generation is \(generation) and cannot grow. Make a new one.")
        }
        return generation + 1
    }

    private mutating func putFirst(_ entry: Entry, at now: Date, isDateKnown: Bool = false) {
        let old = RetiredEntry(
            key: primary.key, created: primary.created, retired: now, isDateKnown: isDateKnown)
        retired.insert(old, at: 0)
        primary = entry
    }

    /// Why a key is not among those that a step is for.
    private func wrongState(_ id: KeyID, _ cannotBe: String) throws(PushCryptError) -> PushCryptError {
        _ = try key(id)
        let state =
            primary.key.publicKey.keyID == id
            ? "primary" : pending.contains { $0.key.publicKey.keyID == id } ? "pending" : "retired"
        return PushCryptError(.wrongKeyState, "The key \(id) is \(state) and cannot be \(cannotBe)")
    }
}
