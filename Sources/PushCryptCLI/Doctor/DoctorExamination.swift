internal import Foundation
internal import PushCryptAPNs
internal import PushCryptSender

/// All steps from the server to a device, each one after those that it depends on.
struct DoctorExamination {
    let row: DoctorRow?
    let access: APNsAccess?
    let topic: String
    /// The seconds to wait for the answer.
    let wait: TimeInterval
    let hasSecret: Bool

    private(set) var report = DoctorReport()
    private let server = DoctorServer(now: Date())

    init(row: DoctorRow?, access: APNsAccess?, topic: String, wait: TimeInterval, hasSecret: Bool) {
        self.row = row
        self.access = access
        self.topic = topic
        self.wait = wait
        self.hasSecret = hasSecret
    }

    /// Examines all steps.
    ///
    /// - Throws: What has nothing to do with a step, such as missing memory.
    mutating func run(_ keyring: KeyringArgument, _ list: ListOption, secret: String?) throws {
        let ring = examineKeyring(keyring)
        examineList(list, ring)
        let secrets = try examineSecret(secret)
        let recipient = examineRecipient(ring)
        guard let access else {
            report.add(.credentials, .skipped("give '--p8', '--key-id', '--team-id' and '--topic'"))
            return
        }
        guard let ring, let recipient, let secrets else {
            let reason =
                row == nil
                ? "give '--recipient' or '--recipient-command'" : "an earlier step failed"
            return report.add(.push, .skipped(reason))
        }
        guard recipient.carrier == .apns else {
            return report.add(
                .push, .skipped("the device's pushes go through \(recipient.carrier), not APNs"))
        }
        try sendChallenge(to: recipient, signedBy: ring, secrets, access)
    }

    // MARK: The server's files

    private mutating func examineKeyring(_ file: KeyringArgument) -> Keyring<SigningKey>? {
        do throws(DoctorFinding) {
            let (ring, warnings) = try server.keyring(file)
            report.add(
                .keyring, warnings,
                passed: "\(file.path), \(ring.keys.count) \(ring.keys.count == 1 ? "key" : "keys")")
            return ring
        } catch {
            report.add(.keyring, .failed([error]))
            return nil
        }
    }

    private mutating func examineList(_ option: ListOption, _ ring: Keyring<SigningKey>?) {
        guard let path = option.list else {
            return report.add(.list, .skipped("give '--list' and '--root'"))
        }
        guard let ring else { return report.add(.list, .skipped("an earlier step failed")) }
        do throws(DoctorFinding) {
            guard let (list, warnings) = try server.list(option, for: ring) else { return }
            report.add(.list, warnings, passed: "\(path), \(list)")
        } catch {
            report.add(.list, .failed([error]))
        }
    }

    private mutating func examineSecret(_ path: String?) throws -> ChallengeSecrets? {
        guard let path else {
            report.add(
                .secret, .skipped("give '--challenge-secret' if your server requires proofs"))
            return try server.randomSecrets()
        }
        do throws(DoctorFinding) {
            let secrets = try server.secrets(path)
            report.add(.secret, .passed(path))
            return secrets
        } catch {
            report.add(.secret, .failed([error]))
            return nil
        }
    }

    private mutating func examineRecipient(_ ring: Keyring<SigningKey>?) -> Recipient? {
        guard let row else {
            report.add(.recipient, .skipped("give '--recipient' or '--recipient-command'"))
            return nil
        }
        do throws(DoctorFinding) {
            let recipient = try row.read()
            guard let ring else {
                report.add(.recipient, .skipped("an earlier step failed"))
                return nil
            }
            let findings = server.findings(in: recipient, for: ring, requiresProof: hasSecret)
            report.add(
                .recipient, findings,
                passed:
                    """
                    generation \(recipient.registration.generation), and the key \
                    \(recipient.key.keyID)
                    """)
            return findings.contains { $0.rule.severity == .error } ? nil : recipient
        } catch {
            report.add(.recipient, .failed([error]))
            return nil
        }
    }

    // MARK: The device

    #if APNs
    private mutating func sendChallenge(
        to recipient: Recipient, signedBy ring: Keyring<SigningKey>, _ secrets: ChallengeSecrets,
        _ access: APNsAccess
    ) throws {
        let client: APNsClient
        do {
            client = try access.client()
        } catch let error as PushCryptError {
            return report.add(
                .credentials,
                .failed([
                    DoctorFinding(DoctorRule.credentialsUnreadable, because: error, fix: .reason)
                ]))
        }
        report.add(
            .credentials, .passed("\(access.p8), key \(access.keyID) of the team \(access.teamID)"))
        defer { waiting { await client.shutDown() } }
        let push = try challenge(for: recipient, ring, secrets)
        let failure = waiting { () -> APNsError? in
            do throws(APNsError) {
                _ = try await client.send(push, to: recipient.deviceToken)
                return nil
            } catch {
                return error
            }
        }
        if let failure { return report.add(.push, .failed([DoctorFinding(failure)])) }
        report.add(.push, .passed("APNs has accepted a challenge for the device"))
        report.add(
            .answer, wait > 0 ? awaitAnswer(after: recipient) : .skipped("'--wait 0s' doesn't wait")
        )
    }
    #else
    private mutating func sendChallenge(
        to recipient: Recipient, signedBy ring: Keyring<SigningKey>, _ secrets: ChallengeSecrets,
        _ access: APNsAccess
    ) throws {
        report.add(.credentials, .skipped("build the tool with '\(ToolVersion.buildWithAPNs)'"))
    }
    #endif

    /// Seals a challenge in a background push, which expires with the wait.
    private func challenge(
        for recipient: Recipient, _ ring: Keyring<SigningKey>, _ secrets: ChallengeSecrets
    ) throws(PushCryptError) -> SealedPush {
        let request = RegistrationRequest(
            registration: recipient.registration.json, deviceToken: recipient.deviceToken,
            carrier: recipient.carrier)
        let challenge = try RegistrationChallenge(
            for: request, account: recipient.account, topic: topic, secrets: secrets,
            expiration: Date() + max(wait, Self.shortestChallenge))
        return try challenge.seal(with: Sealer(.signed(by: ring)))
    }

    /// Reads the row until the server has stored the answer.
    private func awaitAnswer(after before: Recipient) -> DoctorResult {
        let start = Date()
        while Date().timeIntervalSince(start) < wait {
            Thread.sleep(forTimeInterval: min(row?.period ?? wait, wait))
            guard let recipient = try? row?.read() else { continue }
            let isProved =
                hasSecret
                ? recipient.proved != before.proved : recipient.registered != before.registered
            guard isProved else { continue }
            return .passed(
                "the device answered within \(Int(Date().timeIntervalSince(start).rounded(.up))) s")
        }
        return .failed([DoctorFinding(DoctorRule.noAnswer, "It waited \(Int(wait)) s.")])
    }

    /// The shortest time in seconds in which a challenge can be answered.
    private static let shortestChallenge: TimeInterval = 60
}
