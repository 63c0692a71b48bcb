internal import ArgumentParser
internal import Foundation
internal import PushCryptSender
internal import PushCryptSystem

/// The keyring that a command works on.
struct KeyringOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The keyring. Default: $PUSHCRYPT_KEYRING, or Keys/keyring.jwks.", valueName: "file"),
        completion: .file())
    var keyring: String?

    // Not a group of its own, which ArgumentParser would check many times per run in a debug build.
    @Option(help: PassphraseInput.fileHelp, completion: .file()) var passphraseFile: String?
    @Option(help: PassphraseInput.descriptorHelp) var passphraseFd: Int32?

    var passphrase: PassphraseInput {
        PassphraseInput(file: passphraseFile, descriptor: passphraseFd)
    }

    func validate() throws {
        try passphrase.validate()
        try PathArgument.check(path, for: keyring == nil ? "$PUSHCRYPT_KEYRING" : "--keyring")
        guard !path.contains("\u{FFFD}") else {
            throw ValidationError("The keyring's file name isn't UTF-8. Rename the file.")
        }
    }

    /// The path of the file.
    var path: String {
        if let keyring { return keyring }
        let variable = ProcessInfo.processInfo.environment["PUSHCRYPT_KEYRING"] ?? ""
        return variable.isEmpty ? "Keys/keyring.jwks" : variable
    }

    func file(isMounted: Bool = false) -> KeyringArgument {
        KeyringArgument(name: "keyring", path: path, passphrase: passphrase, isMounted: isMounted)
    }

    /// The help of the flag `--mounted`, which commands that write a keyring don't have.
    static let mountedHelp: ArgumentHelp =
        """
        The keyring is a mounted secret: a link, or a file that others may read. You must protect \
        it.
        """
}

extension PushCryptError {
    /// Returns the error with the name of a file, which its reason may have already.
    func naming(_ kind: String, _ path: String) -> PushCryptError {
        if reason.hasPrefix(path + " ") { return PushCryptError(code, "\(kind) \(reason)") }
        let isNamed =
            [.insecureFile, .lockTimeout, .fileSystemError].contains(code) && reason.contains(path)
        return PushCryptError(code, isNamed ? "\(kind): \(reason)" : "\(kind) \(path): \(reason)")
    }
}

/// A keyring file that the command line names.
struct KeyringArgument {
    /// The name in messages: "keyring", or an option.
    let name: String
    let path: String
    let passphrase: PassphraseInput
    var isMounted = false

    /// The contents of a file, as far as they show without the passphrase.
    enum State: Equatable {
        case missing
        case protected
        case plain(KeyUse)

        var use: KeyUse? { if case .plain(let use) = self { use } else { nil } }
    }

    func state() throws(PushCryptError) -> State {
        guard let contents = try SecretFile(path).readIfPresent(isPrivate: !isMounted) else {
            return .missing
        }
        return try contents.withSpan { (bytes) throws(PushCryptError) in
            if ProtectedKeyring.isProtected(bytes) { return .protected }
            let document = try JSONDocument(scanningKeyring: bytes)
            var keys = document.children(of: document.member("keys", in: bytes)).makeIterator()
            let curve = document.string(
                document.member("crv", of: keys.next(), in: bytes), in: bytes)
            return .plain(curve == Curve.ed25519.rawValue ? .sig : .enc)
        }
    }

    /// Reads a keyring with keys of one kind, with a function that has read the passphrase before
    /// or with another one.
    func read<Key: PrivateKey>(
        _: Key.Type, passphrase: PassphraseInput.Source? = nil
    ) throws(PushCryptError) -> Keyring<Key> {
        try explainingErrors { () throws(PushCryptError) in
            // Not `??`: on macOS 13 and 14, a function with a typed error can't be a generic
            // argument.
            let source = if let passphrase { passphrase } else { passphraseSource }
            let ring = try KeyringFile<Key>(path: path, isMounted: isMounted, passphrase: source)
                .read()
            try warnOfUselessPassphrase()
            return ring
        }
    }

    /// A function that reads the passphrase on its first call only.
    var passphraseSource: PassphraseInput.Source {
        passphrase.source(for: path, isMounted: isMounted)
    }

    /// Runs a step, and has its error name the keyring and say how to get one.
    func explainingErrors<Result>(_ body: () throws(PushCryptError) -> Result)
        throws(PushCryptError) -> Result
    {
        do throws(PushCryptError) {
            return try body()
        } catch {
            // The reason of an error of the passphrase names its option and its file.
            if error.reason.hasPrefix("--") { throw error }
            var code = error.code
            var reason = error.reason
            if [.insecureFile, .malformedJWK, .wrongKeyType].contains(code), isPublicKey {
                code = .wrongKeyType
                reason = "This is a public key. Name the keyring that 'pushcrypt keygen' created."
            } else if code == .fileNotFound {
                reason =
                    """
                    \(path) does not exist. Name your keyring, restore it, or create one with \
                    'pushcrypt keygen'.
                    """
            }
            throw PushCryptError(code, reason).naming(name, path)
        }
    }

    /// Warns if a passphrase is given for a keyring without one.
    func warnOfUselessPassphrase() throws(PushCryptError) {
        if let uselessPassphrase = try uselessPassphrase { Output.warning(uselessPassphrase) }
    }

    /// The warning for a keyring without a passphrase, if one is given.
    var uselessPassphrase: String? {
        get throws(PushCryptError) {
            guard passphrase.isGiven, try state().use != nil else { return nil }
            return "\(path) has no passphrase, though one was given"
        }
    }

    /// A Boolean value that indicates whether the file, which may be a pipe, is a public JWK or a
    /// set of them.
    private var isPublicKey: Bool {
        guard let file = try? SecretFile(path).read(isPrivate: false) else { return false }
        return file.withSpan { bytes in
            if let jwk = try? JWK(parsing: bytes) { return jwk.privateKey == nil }
            return (try? JWKSet(parsing: bytes))?.elements.allSatisfy { $0.jwk.privateKey == nil }
                ?? false
        }
    }
}
