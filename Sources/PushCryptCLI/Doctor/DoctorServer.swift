internal import Foundation
internal import PushCryptSender

/// The checks of the server's own files.
struct DoctorServer {
    let now: Date

    /// Reads the keyring, and checks it.
    ///
    /// - Returns: The keyring, and warnings.
    func keyring(_ file: KeyringArgument) throws(DoctorFinding) -> (Keyring<SigningKey>, [DoctorFinding]) {
        let ring: Keyring<SigningKey>
        do throws(PushCryptError) {
            ring = try file.read(SigningKey.self)
        } catch {
            let isOfDevice = error.code == .wrongKeyType && (try? file.state()) == .plain(.enc)
            throw isOfDevice
                ? DoctorFinding(DoctorRule.keyringOfDevice) : DoctorFinding(DoctorRule.keyringUnreadable, error.reason)
        }
        let dates = [ring.primary.created] + ring.pending.map(\.created) + ring.retired.map(\.created)
        let isFromFuture = dates.contains { $0 > now + Self.clockTolerance }
        guard !isFromFuture else {
            throw DoctorFinding(DoctorRule.clockWrong, "A key of the keyring is dated in the future.")
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
            guard list.expiration > now else { throw PushCryptError(.expiredSignerList, "") }
            try list.checkListing(of: ring)
            let isShort = list.expiration.timeIntervalSince(now) < 30 * 24 * 3600
            return (list, isShort ? [DoctorFinding(DoctorRule.listExpiresSoon)] : [])
        } catch {
            switch error.code {
            case .expiredSignerList: throw DoctorFinding(DoctorRule.listExpired)
            case .unknownRoot: throw DoctorFinding(DoctorRule.listOfOtherRoot)
            case .wrongAudience: throw DoctorFinding(DoctorRule.listAudience)
            case .unlistedSigningKey: throw DoctorFinding(DoctorRule.listIncomplete)
            default: throw DoctorFinding(DoctorRule.listInvalid, error.reason)
            }
        }
    }

    /// Reads the secret of challenges.
    func secrets(_ path: String) throws(DoctorFinding) -> ChallengeSecrets {
        do throws(PushCryptError) {
            return try ChallengeSecrets(contentsOf: path)
        } catch {
            throw DoctorFinding(DoctorRule.secretInvalid, error.reason)
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
            return [DoctorFinding(DoctorRule.clockWrong, "The device's row is dated in the future.")]
        }
        let signing = ([ring.primary.key] + ring.retired.map(\.key)).map(\.publicKey)
        if let accepted = row.signers, !signing.contains(where: accepted.contains) {
            return [DoctorFinding(DoctorRule.noAcceptedKey)]
        }
        var findings: [DoctorFinding] = []
        if requiresProof, row.proved == nil { findings.append(DoctorFinding(DoctorRule.recipientUnproved)) }
        if now.timeIntervalSince(row.registered) > 30 * 24 * 3600 {
            findings.append(DoctorFinding(DoctorRule.recipientSilent))
        }
        return findings
    }

    /// The seconds by which dates in files may be ahead of the clock.
    private static let clockTolerance: TimeInterval = 300
}
