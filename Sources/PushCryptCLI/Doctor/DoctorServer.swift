internal import Foundation
internal import PushCryptSender

/// The checks of the server's own files.
struct DoctorServer {
    let now: Date

    /// Reads the keyring, and checks it.
    ///
    /// - Returns: The keyring, and warnings.
    func keyring(_ file: KeyringArgument) throws(DoctorFinding) -> (
        Keyring<SigningKey>, [DoctorFinding]
    ) {
        let ring: Keyring<SigningKey>
        do throws(PushCryptError) {
            ring = try file.read(SigningKey.self)
        } catch {
            let isOfDevice = error.code == .wrongKeyType && (try? file.state()) == .plain(.enc)
            throw isOfDevice
                ? DoctorFinding(DoctorRule.keyringOfDevice)
                : DoctorFinding(
                    DoctorRule.keyringUnreadable, because: error,
                    fix: error.code == .fileNotFound ? .rule : .reason)
        }
        let dates =
            [ring.primary.created] + ring.pending.map(\.created) + ring.retired.map(\.created)
        let isFromFuture = dates.contains { $0 > now + Self.clockTolerance }
        guard !isFromFuture else {
            throw clockWrong("A key of the keyring")
        }
        let isOld = now.timeIntervalSince(ring.primary.created) > 366 * 24 * 3600
        return (ring, isOld ? [DoctorFinding(DoctorRule.keyringOld)] : [])
    }

    /// Reads the list that the server hands out, and compares it with the keyring.
    ///
    /// - Returns: The list, and warnings.
    func list(
        _ option: ListOption, for ring: Keyring<SigningKey>
    ) throws(DoctorFinding) -> (SignerList, [DoctorFinding])? {
        do throws(PushCryptError) {
            guard let list = try option.read(for: ring) else { return nil }
            let end = list.expiration.isoDay
            guard list.expiration > now else {
                throw PushCryptError(.expiredSignerList, "It expired on \(end).")
            }
            try list.checkListing(of: ring)
            var warnings = Self.differences(between: list, and: ring)
            if list.expiration.timeIntervalSince(now) < 30 * 24 * 3600 {
                warnings.append(DoctorFinding(DoctorRule.listExpiresSoon, "It expires on \(end)."))
            }
            return (list, warnings)
        } catch {
            let rule =
                switch error.code {
                case .expiredSignerList: DoctorRule.listExpired
                case .unknownRoot: DoctorRule.listOfOtherRoot
                case .wrongAudience: DoctorRule.listAudience
                case .unlistedSigningKey: DoctorRule.listIncomplete
                default: DoctorRule.listInvalid
                }
            // The reason's own fix is for a device or the command that signs.
            throw DoctorFinding(rule, because: error, fix: .rule)
        }
    }

    /// Returns a warning if the list and the keyring have different keys.
    private static func differences(between list: SignerList, and ring: Keyring<SigningKey>)
        -> [DoctorFinding]
    {
        let keys = Set(ring.publicKeys)
        let missing = keys.subtracting(list.keys).map { "The list lacks \($0.keyID)." }
        let unknown = Set(list.keys).subtracting(keys).map { "The keyring lacks \($0.keyID)." }
        let details = (missing + unknown).sorted()
        return details.isEmpty
            ? [] : [DoctorFinding(DoctorRule.listDiffers, details.prefix(5).joined(separator: " "))]
    }

    private func clockWrong(_ what: String) -> DoctorFinding {
        DoctorFinding(
            DoctorRule.clockWrong, "\(what) has a date after \(now.isoDay), this machine's.")
    }

    /// Reads the secret of challenges.
    func secrets(_ path: String) throws(DoctorFinding) -> ChallengeSecrets {
        do throws(PushCryptError) {
            return try ChallengeSecrets(contentsOf: path)
        } catch {
            throw DoctorFinding(DoctorRule.secretInvalid, because: error, fix: .rule)
        }
    }

    /// Returns a secret for a server without proofs, which accepts each answer.
    func randomSecrets() throws(PushCryptError) -> ChallengeSecrets {
        var bytes = [UInt8](repeating: 0, count: 32)
        try RandomBytes.fill(&bytes, 0..<32)
        return try ChallengeSecrets(parsing: Base64URL.encode(bytes))
    }

    /// Checks the row of a device.
    func findings(
        in row: Recipient, for ring: Keyring<SigningKey>, requiresProof: Bool
    ) -> [DoctorFinding] {
        guard row.registered <= now + Self.clockTolerance else {
            return [clockWrong("The device's row")]
        }
        let signing = ([ring.primary.key] + ring.retired.map(\.key)).map(\.publicKey)
        if let accepted = row.signers, !signing.contains(where: accepted.contains) {
            let pending = ring.pending.map(\.key.publicKey).first(where: accepted.contains)
            return [
                DoctorFinding(
                    DoctorRule.noAcceptedKey,
                    pending.map { "It accepts the pending key \($0.keyID): promote it." })
            ]
        }
        guard Carrier.all.contains(row.carrier) else {
            return [
                DoctorFinding(
                    DoctorRule.recipientCarrier, "It's \(SafeText.onOneLine(row.carrier.rawValue))."
                )
            ]
        }
        var findings: [DoctorFinding] = []
        if requiresProof, row.proved == nil {
            findings.append(DoctorFinding(DoctorRule.recipientUnproved))
        }
        if now.timeIntervalSince(row.registered) > 30 * 24 * 3600 {
            findings.append(DoctorFinding(DoctorRule.recipientSilent))
        }
        return findings
    }

    /// The seconds by which dates in files may be ahead of the clock.
    private static let clockTolerance: TimeInterval = 300
}
