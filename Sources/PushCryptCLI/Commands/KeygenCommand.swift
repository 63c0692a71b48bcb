internal import ArgumentParser
internal import Foundation
internal import PushCryptSender
internal import PushCryptSystem

struct KeygenCommand: KeyringCommand {
    static let configuration = CommandConfiguration(
        commandName: "keygen",
        abstract: "Create a keyring, or rotate its keys, and print the new public key.",
        discussion: """
            Without a keyring, this creates one with a new key. With one, it adds a new primary \
            key and retires the old one, which still opens messages that are on their way. \
            Standard output gets the new public key, a JWK on one line. The file has mode 0600. A \
            missing directory is created.

            A keyring of signing keys isn't changed without '--pending' or '--now', because \
            devices reject a key that they don't know.

            Example: pushcrypt keygen --use sig --keyring server.jwks > server.jwk
            Example: pushcrypt keygen --pending --keyring server.jwks > next.jwk
            """)

    @OptionGroup var keyring: KeyringOption

    @Option(
        help:
            """
            The use of the keys: enc (a device opens) or sig (a server signs). Default: the \
            keyring's, or enc.
            """)
    var use: KeyUse?

    @Flag(help: "Fail if the keyring exists, instead of rotating its keys.") var new = false
    @Flag(help: "Create a key for later. 'pushcrypt keys promote' puts it into use.") var pending =
        false
    @Flag(help: "Replace the primary key of an existing keyring at once.") var now = false
    @Flag(help: "With --pending: do nothing if the keyring has a pending key. For schedules.")
    var unlessPending = false

    @Flag(
        help:
            "Encrypt the new keyring with a passphrase. 'pushcrypt keys passphrase' does it later.")
    var protect = false

    func validate() throws {
        guard pending || !unlessPending else {
            throw ValidationError("'--unless-pending' requires '--pending'.")
        }
        guard !pending || !protect && !new else {
            throw ValidationError(
                """
                '--pending' needs an existing keyring. Remove it, or remove \
                '--\(protect ? "protect" : "new")'.
                """)
        }
        guard !now || !pending && !protect && !new else {
            throw ValidationError(
                "'--now' replaces the key of an existing keyring. Remove the other option.")
        }
    }

    func describe() throws(PushCryptError) -> String {
        let file = keyring.file()
        return try file.explainingErrors { () throws(PushCryptError) in
            let state = try file.state()
            let isNew = state == .missing
            try check(state)
            let passphrase = keyring.passphrase.source(for: file.path, confirming: isNew)
            // Ask before the file is locked: typing may take long.
            if isNew ? protect : state == .protected { _ = try passphrase() }
            let directory = FileSystem.directory(of: file.path)
            if isNew, !FileManager.default.fileExists(atPath: directory) {
                try FileSystem.createDirectory(directory)
            }
            try file.warnOfUselessPassphrase()
            // A new keyring has a use, so that one of another use, created meanwhile, is an error.
            let use = use ?? (isNew ? .enc : state.use)
            let opened = try file.open(
                as: use, passphrase: passphrase, protectsNewFiles: isNew && protect)
            return try opened.run(self)
        }
    }

    private func check(_ state: KeyringArgument.State) throws(PushCryptError) {
        if let use, let own = state.use, use != own {
            throw PushCryptError(
                .wrongKeyType,
                "It holds keys with the use \(own.rawValue). Name another file with '--keyring'.")
        }
        switch state {
        case .missing where pending || now:
            throw PushCryptError(.fileNotFound, "There is no keyring yet.")
        case .missing where !protect && keyring.passphrase.isGiven:
            throw PushCryptError(
                .passphraseRequired,
                "A passphrase was given, but the keyring is new. Add '--protect' to encrypt it.")
        case .plain where protect && !new:
            throw PushCryptError(
                .fileExists,
                """
                It exists and has no passphrase. Add one with 'pushcrypt keys passphrase'. Nothing \
                was changed.
                """)
        case .plain where new, .protected where new:
            throw PushCryptError(
                .fileExists,
                """
                It already exists. Name another file, or print its key with 'pushcrypt keys \
                public'. Nothing was changed.
                """)
        default: break
        }
    }

    func run<Key: PrivateKey>(with file: KeyringFile<Key>) throws(PushCryptError) -> String {
        let date = Date()
        guard !pending else { return try addPendingKey(to: file, date) }
        let isSigning = KeyUse(Key.self) == .sig
        if isSigning, !now, FileManager.default.fileExists(atPath: file.path) {
            throw PushCryptError(
                .riskyChange,
                """
                Devices reject a signing key that they don't know. Add '--pending' for a key that \
                'pushcrypt keys promote' puts into use later, or '--now' to replace the key at \
                once. Nothing was changed.
                """)
        }
        // Another process may create the file meanwhile.
        let ring = try file.createOrRotate(
            at: date, isNew: new || file.protectsNewFiles || isSigning && !now)
        if ring.generation == 1 {
            Output.hint("created \(file.path); keep it secret and back it up")
        } else {
            let old =
                isSigning
                ? """
                the old key still signs for devices that accept no newer one, if you seal for \
                their registrations
                """
                : "the old key still opens messages"
            Output.hint("rotated \(file.path) to generation \(ring.generation); \(old)")
        }
        return ring.primary.key.publicKey.jwk
    }

    private func addPendingKey<Key: PrivateKey>(
        to file: KeyringFile<Key>, _ now: Date
    ) throws(PushCryptError) -> String {
        var key: Key?
        let ring = try file.update { (ring) throws(PushCryptError) in
            if unlessPending, !ring.pending.isEmpty { return }
            // The age of the new key counts from this time.
            try ring.checkClockIsNotEarly(now)
            key = try ring.addPendingKey(at: now).key
        }
        guard let key else {
            Output.hint("the keyring has a pending key: nothing was changed")
            return ""
        }
        Output.hint(
            "added a pending key to \(file.path), generation \(ring.generation); "
                + "'pushcrypt keys promote' puts it into use")
        return key.publicKey.jwk
    }
}
