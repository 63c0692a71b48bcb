internal import ArgumentParser
internal import Foundation
internal import PushCryptSender

/// The root that signs a list of accepted keys, and the properties of the list.
struct RootOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The keyring of the root, whose first key signs the list. The server's own is an online root.",
            valueName: "keyring"),
        completion: .file())
    var root: String?

    @Option(
        help: ArgumentHelp("Read the passphrase of the root's keyring from this file.", valueName: "file"),
        completion: .file())
    var rootPassphraseFile: String?

    @Option(help: ArgumentHelp("Read that passphrase from an open file descriptor.", valueName: "number"))
    var rootPassphraseFd: Int32?

    @Option(
        help: ArgumentHelp("The time for which devices take the list. Default: 365d.", valueName: "period"),
        transform: Period.seconds)
    var valid: TimeInterval?

    @Option(
        help: ArgumentHelp(
            "The text that the app pins beside its roots. Default: the text of the last list, or none.",
            valueName: "text"))
    var audience: String?

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("Replace this list atomically. Default: standard output.", valueName: "file"),
        completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp(
            "Sign a list with a higher number than this one, if the file of the last list is lost.", valueName: "number"
        ))
    var numberAbove: UInt64?

    @Flag(help: "Sign a list although the root's last one is more than two years old.") var clockIsRight = false

    func validate() throws {
        try passphrase.validate()
        try PathArgument.check(root, for: "--root")
        try PathArgument.check(output, for: "--output")
        guard output != "-" else { throw ValidationError("'-o' names a file. Remove it for standard output.") }
        guard (3600...3650 * 24 * 3600).contains(validity) else {
            throw ValidationError("'--valid' is a period from 1h to 3650d. A device takes the list until then.")
        }
        let isGiven = valid != nil || audience != nil || output != nil || numberAbove != nil || clockIsRight
        guard root != nil || !passphrase.isGiven && !isGiven else {
            throw ValidationError("The root is missing. Add '--root KEYRING'.")
        }
    }

    private var validity: TimeInterval { valid ?? 365 * 24 * 3600 }

    private var passphrase: PassphraseInput {
        PassphraseInput(option: "--root-passphrase", file: rootPassphraseFile, descriptor: rootPassphraseFd)
    }

    /// Checks that the output replaces no file that the command reads, and that descriptors aren't shared.
    func check(beside keyring: KeyringOption) throws {
        guard rootPassphraseFd == nil || rootPassphraseFd != keyring.passphrase.descriptor else {
            throw ValidationError("'--root-passphrase-fd' and '--passphrase-fd' need different descriptors.")
        }
        guard let output else { return }
        let paths = [keyring.path, root, rootPassphraseFile, keyring.passphrase.file]
        for case let path? in paths where URL(fileURLWithPath: path).path == URL(fileURLWithPath: output).path {
            throw ValidationError("The output is a file that the command reads. Name another.")
        }
    }

    /// Reads the keyring of the root.
    func ring(_ path: String) throws(PushCryptError) -> Keyring<SigningKey> {
        try KeyringArgument(name: "--root", path: path, passphrase: passphrase).read(SigningKey.self)
    }

    /// Signs a list after the last one in the output file, and replaces it.
    ///
    /// The list also follows a given one, if the output file is missing or has an older one. The keys are read while
    /// the file is locked.
    func announce(
        _ ring: Keyring<SigningKey>, following given: SignerList? = nil,
        keys: () throws(PushCryptError) -> [VerificationKey]
    ) throws(PushCryptError) {
        guard let output else { return try Output.line(sign(ring, after: given, keys()).text) }
        try KeyFileGuard.check(output)
        let file = SignerListFile(path: output)
        try file.withLock { () throws(PushCryptError) in
            let lists = [try readLast(file, ring), given].compactMap(\.self)
            let last = lists.max { $0.number < $1.number }
            try file.replace(with: sign(ring, after: last, keys()))
        }
    }

    private func readLast(
        _ file: SignerListFile, _ ring: Keyring<SigningKey>
    ) throws(PushCryptError) -> SignerList? {
        do throws(PushCryptError) {
            return try file.readIfPresent(roots: ring.keys.map(\.publicKey))
        } catch {
            guard error.code == .unknownRoot else { throw error }
            throw PushCryptError(
                .unknownRoot,
                """
                \(file.path): Its list is signed by another root. Give the keyring of that root, or another '-o' for \
                the first list of this one.
                """)
        }
    }

    private func sign(
        _ ring: Keyring<SigningKey>, after last: SignerList?, _ keys: [VerificationKey]
    ) throws(PushCryptError) -> SignerList {
        let now = Date()
        let root = Self.root(in: ring, after: last)
        if let audience, let last, last.audience != audience {
            throw PushCryptError(
                .wrongAudience,
                """
                The last list is for \(last.audience.map { "the audience \"\($0)\"" } ?? "no audience"). Remove \
                '--audience', or give another '-o' for the lists of another app.
                """)
        }
        guard keys.count <= AcceptedSigners.maximumCount else {
            throw PushCryptError(
                .malformedSignerList,
                """
                \(keys.count) keys are more than the \(AcceptedSigners.maximumCount) of a list. Destroy unneeded ones \
                with 'pushcrypt keys prune --recipients FILE'.
                """)
        }
        try ListClock(now: now, lastChange: ring.lastChange, last: last, isRight: clockIsRight).check()
        let list = try SignerList(
            keys: keys, after: last, issued: now, expiration: now.addingTimeInterval(validity),
            audience: audience ?? last?.audience, numberAbove: numberAbove ?? 0, signedBy: Signer(root))
        Self.describe(list, after: last)
        return list
    }

    /// Returns the key that signed the last list, or else the first key of the keyring, which apps pin.
    ///
    /// The server's own keyring, as an online root, may have other primary keys since.
    static func root(in ring: Keyring<SigningKey>, after last: SignerList?) -> SigningKey {
        ring.keys.first { $0.publicKey.kid == last?.rootKid } ?? ring.firstKey
    }

    private static func describe(_ list: SignerList, after last: SignerList?) {
        func ids(_ keys: [VerificationKey]) -> String { keys.map { "\($0.keyID)" }.joined(separator: ", ") }
        let day = list.expiration.isoDay
        Output.hint(
            "list \(list.number) of the root \(list.rootKid.prefix(10)): devices accept \(ids(list.keys)), and take it "
                + "until \(day)")
        let added = last.map { last in list.keys.filter { !last.keys.contains($0) } } ?? []
        if !added.isEmpty { Output.hint("with this list, devices also accept \(ids(added))") }
        let removed = (last?.keys ?? []).filter { !list.keys.contains($0) }
        if !removed.isEmpty { Output.hint("with this list, devices no longer accept \(ids(removed))") }
    }
}
