internal import PushCryptCore
internal import PushCryptFoundation
internal import PushCryptKeyring

// What a step asks of the state and of the clock.
extension RegistrationMachine {
    func hashes(_ registration: Registration, _ state: State) throws(PushCryptError)
        -> RegisteredHashes
    {
        try hashes(registration, token: state.conversation.token)
    }

    /// Returns the hashes of a registration with a token.
    func hashes(_ registration: Registration, token: String) throws(PushCryptError)
        -> RegisteredHashes
    {
        try RegisteredHashes(
            registration, token: token, from: carrier, account: account, roots: rotation.roots)
    }

    /// Returns a Boolean value that indicates whether the server has confirmed the registration
    /// within a week.
    func isKnown(_ registration: Registration, _ state: State) throws(PushCryptError)
        -> Bool
    {
        guard let confirmed = state.record.confirmed, isWithin(Self.week, since: confirmed) else {
            return false
        }
        return try hashes(registration, state) == state.record.registered
    }

    /// Returns a Boolean value that indicates whether a push may ask again, after the last one did.
    func isDue(after last: Int64?) -> Bool {
        last.map { !isWithin(Self.requestPeriod, since: $0) } ?? true
    }

    /// Returns a Boolean value that indicates whether a time was within the last seconds.
    ///
    /// A time in the future doesn't count: the clock was set back.
    func isWithin(_ seconds: TimeInterval, since time: Int64) -> Bool {
        (0..<seconds).contains(now.timeIntervalSince1970 - TimeInterval(time))
    }

    /// The age at which a confirmation is repeated, in seconds.
    static let week: TimeInterval = 7 * 24 * 3600

    /// The period in seconds within which a push can ask for one registration.
    private static let requestPeriod: TimeInterval = 3600
}
