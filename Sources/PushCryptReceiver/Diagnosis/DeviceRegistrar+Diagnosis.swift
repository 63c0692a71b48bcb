internal import Foundation
internal import PushCryptCore
internal import PushCryptKeyring

extension DeviceRegistrar {
    /// Finds the steps between the server and this device that fail.
    ///
    /// It reads what the registrar has stored. It changes no key, and sends nothing.
    ///
    /// - Parameter token: The token that the carrier has issued for this device; `nil` if there isn't one.
    /// - Returns: The findings, the first step first; empty if everything works.
    public func diagnose(token: String?) -> [DeviceFinding] {
        let missing: [DeviceFinding] = token == nil ? [.deviceTokenMissing] : []
        return missing + findings(token: token)
    }

    func findings(token: String?) -> [DeviceFinding] {
        do throws(PushCryptError) {
            return try findingsOfKeys(token: token)
        } catch {
            return [DeviceFinding("The device's keys or its registration can't be read.", error)]
        }
    }

    // MARK: Keys and registration

    private func findingsOfKeys(token: String?) throws(PushCryptError) -> [DeviceFinding] {
        let keys = try keys()
        guard let ring = try keys.keyring() else { return [.keysMissing] }
        guard ring.owner == (try keys.installation.owner()) else { return [.keysOfAnotherDevice] }
        var findings = try self.findings(in: ring)
        let contents = try state.read()
        if let clock = contents.clock, abs(clock) > Self.clockTolerance { findings.append(.clockDiffers) }
        if let begun = contents.begun {
            findings += self.findings(of: begun, contents.arrival)
        } else if let registered = contents.registered, let token {
            findings += try self.findings(
                of: registered, confirmed: contents.confirmed, now: keys.registration(), token: token)
        } else if contents.registered == nil {
            findings.append(.notRegistered)
        }
        return findings
    }

    private func findings(in ring: Keyring<RecipientPrivateKey>) throws(PushCryptError) -> [DeviceFinding] {
        guard let roots = try senderPolicy.roots, !ring.signerLists.isEmpty else { return [] }
        guard (try? roots.acceptedKeys(with: ring.signerLists)) != nil else { return [.listDamaged] }
        let isExpired = try roots.decidingList(in: ring.signerLists).map { $0.expiration <= time.now } ?? false
        return isExpired ? [.listExpired] : []
    }

    /// Returns the finding of a registration that the server hasn't confirmed.
    ///
    /// Shortly after a request, its answer or its challenge may still come.
    private func findings(
        of begun: RegistrationState.Begun, _ arrival: RegistrationState.Arrival?
    ) -> [DeviceFinding] {
        let waited = time.now.timeIntervalSince1970 - TimeInterval(begun.asked)
        guard waited > Self.answerTime else { return [] }
        guard begun.isWaiting else { return [.registrationUnanswered] }
        if let arrival, arrival.date >= begun.asked {
            guard let problem = arrival.problem else { return [.answerRejected] }
            let advice = DiagnosisAdvice.text(for: PushCryptError.Code(rawValue: problem))
            let message = "\(DeviceFinding.challengeNotOpened.message.dropLast()) (\(problem))."
            return [DeviceFinding(.challengeNotOpened, message: message, remedy: advice)]
        }
        let stored = try? challenges?.values(since: Date(timeIntervalSince1970: TimeInterval(begun.since)))
        if stored?.contains(where: { challenge(in: $0) != nil }) == true { return [.challengeWaiting] }
        return waited > Self.patience ? [.challengeMissing] : []
    }

    /// Returns the finding of a registration that the server has confirmed.
    private func findings(
        of known: RegistrationState.Registered, confirmed: Int64?, now registration: Registration, token: String
    ) throws(PushCryptError) -> [DeviceFinding] {
        let current = try registered(registration, token)
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
