internal import PushCryptCore
internal import PushCryptFoundation
internal import PushCryptKeyring

extension DeviceRegistrar {
    /// Finds the steps between the server and this device that fail.
    ///
    /// It reads what the registrar has stored. It changes nothing, and sends nothing.
    ///
    /// - Parameter token: The token that the carrier has issued for this device; `nil` if there
    ///   isn't one.
    /// - Returns: The findings, the first step first; empty if everything works.
    func findings(token: DeviceToken?) -> [DeviceFinding] {
        do throws(PushCryptError) {
            return try findingsOfKeys(token: token)
        } catch {
            return [DeviceFinding("The device's keys or its registration can't be read.", error)]
        }
    }

    // MARK: Keys and registration

    private func findingsOfKeys(token: DeviceToken?) throws(PushCryptError) -> [DeviceFinding] {
        try checkDeviceID()
        let text = try token?.text(for: carrier)
        let roots = try senderPolicy.roots
        guard let ring = try store.keyring() else { return [.keysMissing] }
        guard let record = try store.record() else { return [.keysOfAnotherDevice] }
        try ring.keyring.checkFormat()
        let machine = machine(of: record.installation, roots)
        guard ring.owner == (try machine.rotation.installation.owner()) else {
            return [.keysOfAnotherDevice]
        }
        var findings = try self.findings(in: ring, roots)
        if let clock = record.clock, abs(clock) > Self.clockTolerance {
            findings.append(.clockDiffers)
        }
        if let begun = record.begun {
            findings += self.findings(of: begun, record.arrival)
        } else if let registered = record.registered, let text {
            let now = try machine.hashes(machine.rotation.registration(of: ring), token: text)
            findings += self.findings(of: registered, confirmed: record.confirmed, now: now)
        } else if record.registered == nil {
            findings.append(.notRegistered)
        }
        return findings
    }

    private func findings(in ring: DeviceKeyring, _ roots: SignerRoots?) throws(PushCryptError)
        -> [DeviceFinding]
    {
        guard let roots, !ring.signerLists.isEmpty else { return [] }
        guard (try? roots.acceptedKeys(with: ring.signerLists)) != nil else {
            return [.listDamaged]
        }
        let isExpired =
            try roots.decidingList(in: ring.signerLists).map { $0.expiration <= time.now } ?? false
        return isExpired ? [.listExpired] : []
    }

    /// Returns the finding of a registration that the server hasn't confirmed.
    ///
    /// Shortly after a request, its answer or its challenge may still come.
    private func findings(
        of begun: RegistrationRecord.Begun, _ arrival: RegistrationRecord.Arrival?
    ) -> [DeviceFinding] {
        let waited = time.now.timeIntervalSince1970 - TimeInterval(begun.asked)
        guard waited > Self.answerTime else { return [] }
        guard begun.waiting else { return [.registrationUnanswered] }
        if let arrival, arrival.date >= begun.asked {
            guard let problem = arrival.problem else { return [.answerRejected] }
            let advice = DiagnosisAdvice.text(for: PushCryptError.Code(rawValue: problem))
            let message = "\(DeviceFinding.challengeNotOpened.message.dropLast()) (\(problem))."
            return [DeviceFinding(.challengeNotOpened, message: message, remedy: advice)]
        }
        if !storedChallenges(since: begun.since).isEmpty { return [.challengeWaiting] }
        return waited > RegistrationMachine.patience ? [.challengeMissing] : []
    }

    /// Returns the finding of a registration that the server has confirmed.
    private func findings(
        of known: RegisteredHashes, confirmed: Int64?, now current: RegisteredHashes
    ) -> [DeviceFinding] {
        guard known.token == current.token else { return [.tokenNotRegistered] }
        guard known == current else { return [.keyNotRegistered] }
        guard let confirmed else { return [.registrationUnanswered] }
        let age = time.now.timeIntervalSince1970 - TimeInterval(confirmed)
        return age > Self.week + 24 * 3600 ? [.registrationOld] : []
    }

    /// The seconds for which an answer of the server may take.
    private static let answerTime: TimeInterval = 60

    /// The seconds by which clocks may differ: the shortest tolerance of a message's age.
    private static let clockTolerance: Int64 = 300
}
