internal import PushCryptCore
internal import PushCryptFoundation
internal import PushCryptKeyring

// Opening challenges: section 14 of the format.
extension DeviceRegistrar {
    /// Returns the event of a push with a sealed value; `nil` if it's another message or of another
    /// account.
    func event(of value: SealedValue) -> RegistrationMachine.Event? {
        do throws(PushCryptError) {
            return .challenged(try challenge(in: value))
        } catch {
            let isOther = [.wrongKind, .unknownKey, .wrongAccount].contains(error.code)
            return isOther ? nil : .challengeNotOpened(error.code)
        }
    }

    /// Returns the challenges of this account that the extension has stored since a time, the
    /// newest first.
    func storedChallenges(since seconds: Int64) -> [(value: SealedValue, content: ChallengeContent)]
    {
        let date = Date(timeIntervalSince1970: TimeInterval(seconds))
        let values = (try? challenges?.values(since: date)) ?? []
        return values.compactMap { value in (try? challenge(in: value)).map { (value, $0) } }
    }

    /// Removes the stored challenges of a registration that the server has answered.
    func forget(_ stored: [SealedValue]) {
        for value in stored { try? challenges?.remove(value) }
    }

    /// Returns the challenge in a sealed value.
    ///
    /// The signer is checked as for any push. A challenge can be opened any number of times: the
    /// server judges its age.
    ///
    /// - Throws: ``PushCryptError`` if it can't be opened, is another message, or is of another
    ///   account.
    func challenge(in value: SealedValue) throws(PushCryptError) -> ChallengeContent {
        let opener = Opener(keys: store.keys, senderPolicy: senderPolicy, time: time)
        return try ChallengeContent(parsing: opener.open(value, as: [.challenge]).payload)
    }
}
