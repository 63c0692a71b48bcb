internal import ArgumentParser
internal import Foundation
internal import PushCryptSender

/// The list that the server hands out, for a command that compares it with the keyring.
struct ListOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("The list that the server hands out.", valueName: "file"),
        completion: .file())
    var list: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            """
            The public key of a root that the app pins. May be repeated. Default: the keyring's \
            keys.
            """,
            valueName: "key"),
        completion: .file())
    var root: [String] = []

    @Option(
        help: ArgumentHelp(
            "The audience that the app pins, which the list must have. Default: any.",
            valueName: "text"))
    var audience: String?

    func validate() throws {
        try PathArgument.check(list, for: "--list")
        guard list != nil || audience == nil else {
            throw ValidationError("'--audience' checks a list. Add '--list FILE'.")
        }
        guard list != nil || root.isEmpty else {
            throw ValidationError("'--root' verifies a list. Add '--list FILE'.")
        }
    }

    /// The roots that were given, or the keys of the keyring, because one of these may be the root.
    func roots(for ring: Keyring<SigningKey>) throws(PushCryptError) -> [VerificationKey] {
        guard !root.isEmpty else { return ring.publicKeys }
        do {
            return try KeyArgument.verificationKeys(root, for: "--root")
        } catch let error as PushCryptError {
            throw error
        } catch {
            throw PushCryptError(
                .malformedJWK, "The value of '--root' isn't a public key or its file. Correct it.")
        }
    }

    /// Reads and verifies the list; `nil` without the option.
    func read(for ring: Keyring<SigningKey>) throws(PushCryptError) -> SignerList? {
        guard let list else { return nil }
        let roots = try roots(for: ring)
        do throws(PushCryptError) {
            return try naming("--list") { () throws(PushCryptError) in
                try checkAudience(of: Input.signerList(list, roots: roots))
            }
        } catch {
            guard error.code == .unknownRoot else { throw error }
            throw PushCryptError(
                .unknownRoot,
                """
                --list \(list): Its list is signed by another \
                root\(root.isEmpty ? " than the keyring's keys" : ""). \
                Give the root's public key with '--root'.
                """)
        }
    }

    private func checkAudience(of list: SignerList) throws(PushCryptError) -> SignerList {
        guard let audience, list.audience.map({ Array($0.utf8) }) != Array(audience.utf8) else {
            return list
        }
        throw PushCryptError(
            .wrongAudience,
            "The list is for "
                + "\(list.audience.map { "the audience \"\($0)\"" } ?? "no audience"), so devices "
                + "refuse it. "
                + "Announce it for this app.")
    }

    /// Returns the reason for which devices may not accept a key by the list, if there is one.
    func obstacle(to key: KeyID, in ring: Keyring<SigningKey>) throws(PushCryptError)
        -> PushCryptError?
    {
        guard let list else { return nil }
        guard FileManager.default.fileExists(atPath: list) else {
            return PushCryptError(
                .fileNotFound,
                """
                --list \(list) doesn't exist, so no device accepts a pending key. Announce the \
                keys first.
                """)
        }
        guard let announced = try read(for: ring) else { return nil }
        guard announced.expiration > Date() else {
            return PushCryptError(
                .expiredSignerList, "--list \(list) has expired. Announce the keys again.")
        }
        guard announced.keys.contains(where: { $0.keyID == key }) else {
            return PushCryptError(
                .unlistedSigningKey,
                "--list \(list) doesn't have the pending key \(key). Announce the keys first.")
        }
        return nil
    }
}
