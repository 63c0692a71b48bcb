internal import ArgumentParser
internal import PushCryptSender

struct KeysAnnounceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "announce",
        abstract: "Sign the list of the keys that devices accept, with a root that the app pins.",
        discussion: """
            The server hands the list out in its answers to registrations. It has all keys of the \
            keyring. For a root on another machine, copy what 'pushcrypt keys public --all' prints \
            there, and name the file as INPUT. The list has a higher number than the last one in \
            the output file.

            Example: pushcrypt keys announce --root server.jwks --keyring server.jwks -o signers.jws
            Example: pushcrypt keys announce --root offline.jwks all.jwk -o signers.jws
            """)

    @OptionGroup var options: RootOptions
    @OptionGroup var keyring: KeyringOption

    @Argument(
        help: ArgumentHelp(
            "The server's public keys, instead of its keyring. - is standard input.",
            valueName: "input"),
        completion: .file())
    var input: String?

    func validate() throws {
        guard options.root != nil else {
            throw ValidationError("The root is missing. Add '--root KEYRING'.")
        }
        guard input == nil || keyring.keyring == nil && !keyring.passphrase.isGiven else {
            throw ValidationError(
                "Give the server's keyring or a file with its public keys, not both.")
        }
        try PathArgument.check(input, for: "input")
        try options.check(beside: keyring)
    }

    func run() throws {
        let root = try options.ring(options.root ?? "")
        if let input {
            let keys = try PublicKeysFile.read(input)
            return try options.announce(root) { () throws(PushCryptError) in keys }
        }
        // A passphrase is typed before the list is locked.
        let passphrase = keyring.passphrase.source(for: keyring.path)
        let file = keyring.file()
        if try file.explainingErrors({ () throws(PushCryptError) in try file.state() })
            == .protected
        {
            _ = try passphrase()
        }
        try options.announce(root) { () throws(PushCryptError) in
            try file.read(SigningKey.self, passphrase: passphrase).publicKeys
        }
    }
}

/// A file with the public keys of a server.
enum PublicKeysFile {
    static func read(_ path: String) throws(PushCryptError) -> [VerificationKey] {
        let name = path == "-" ? "standard input" : path
        let file = try Input.read(path)
        return try file.withSpan { (bytes) throws(PushCryptError) in
            guard !KeyMaterial.isKeysWithPrivateHalf(bytes), !ProtectedKeyring.isProtected(bytes)
            else {
                throw PushCryptError(
                    .wrongKeyType,
                    """
                    \(name) has private keys, which stay on their machine. Give what 'pushcrypt \
                    keys public --all' prints.
                    """)
            }
            let keys = try naming(name) { () throws(PushCryptError) in
                try VerificationKeys(parsing: bytes).keys
            }
            return keys.reduce(into: []) { keys, key in if !keys.contains(key) { keys.append(key) }
            }
        }
    }
}
