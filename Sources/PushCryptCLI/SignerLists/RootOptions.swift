internal import ArgumentParser
internal import Foundation
internal import PushCryptSender

/// The root that signs a list of accepted keys, and the properties of the list.
struct RootOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The keyring of the root, whose first key signs the list. The server's own is an online \
            root.
            """,
            valueName: "keyring"),
        completion: .file())
    var root: String?

    @Option(
        help: ArgumentHelp(
            "Read the passphrase of the root's keyring from this file.", valueName: "file"),
        completion: .file())
    var rootPassphraseFile: String?

    @Option(
        help: ArgumentHelp(
            "Read that passphrase from an open file descriptor.", valueName: "number"))
    var rootPassphraseFd: Int32?

    @Option(
        help: ArgumentHelp(
            "The time for which devices take the list. Default: 365d.", valueName: "period"),
        transform: Period.seconds)
    var valid: TimeInterval?

    @Option(
        help: ArgumentHelp(
            """
            The text that the app pins beside its roots. Default: the text of the last list, or \
            none.
            """,
            valueName: "text"))
    var audience: String?

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Replace this list atomically. Default: standard output.", valueName: "file"),
        completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp(
            "Sign a list with a higher number than this one, if the file of the last list is lost.",
            valueName: "number"
        ))
    var numberAbove: UInt64?

    @Flag(help: "Sign a list although the root's last one is more than two years old.")
    var clockIsRight = false

    func validate() throws {
        try passphrase.validate()
        try PathArgument.check(root, for: "--root")
        try PathArgument.check(output, for: "--output")
        guard output != "-" else {
            throw ValidationError("'-o' names a file. Remove it for standard output.")
        }
        guard (3600...3650 * 24 * 3600).contains(validity) else {
            throw ValidationError(
                "'--valid' is a period from 1h to 3650d. A device takes the list until then.")
        }
        let isGiven =
            valid != nil || audience != nil || output != nil || numberAbove != nil || clockIsRight
        guard root != nil || !passphrase.isGiven && !isGiven else {
            throw ValidationError("The root is missing. Add '--root KEYRING'.")
        }
    }

    private var validity: TimeInterval { valid ?? 365 * 24 * 3600 }

    private var passphrase: PassphraseInput {
        PassphraseInput(
            option: "--root-passphrase", file: rootPassphraseFile, descriptor: rootPassphraseFd)
    }

    /// Checks that the output replaces no file that the command reads, and that descriptors aren't
    /// shared.
    func check(beside keyring: KeyringOption) throws {
        guard rootPassphraseFd == nil || rootPassphraseFd != keyring.passphrase.descriptor else {
            throw ValidationError(
                "'--root-passphrase-fd' and '--passphrase-fd' need different descriptors.")
        }
        guard let output else { return }
        let paths = [keyring.path, root, rootPassphraseFile, keyring.passphrase.file]
        for case let path? in paths
        where URL(fileURLWithPath: path).path == URL(fileURLWithPath: output).path {
            throw ValidationError("The output is a file that the command reads. Name another.")
        }
    }

    /// Reads the keyring of the root.
    func ring(_ path: String) throws(PushCryptError) -> SigningKeyring {
        try KeyringArgument(name: "--root", path: path, passphrase: passphrase).read(
            SigningKey.self)
    }

    /// Signs a list after the last one in the output file, and replaces it.
    ///
    /// The list also follows a given one, if the output file is missing or has an older one. The
    /// keys are read while the file is locked.
    func announce(
        _ ring: SigningKeyring, following given: SignerList? = nil,
        keys: () throws(PushCryptError) -> [VerificationKey]
    ) throws(PushCryptError) {
        let now = Date()
        let terms = SignerListTerms(
            validity: validity, audience: audience, numberAbove: numberAbove ?? 0,
            isClockConfirmed: clockIsRight)
        guard let output else {
            let list = try ring.signerList(of: keys(), after: given, at: now, terms: terms)
            Self.describe(.init(list: list, after: given), at: now)
            return try Output.line(list.text)
        }
        try KeyFileGuard.check(output)
        let file = SignerListFile(path: output)
        Self.describe(
            try file.announce(by: ring, at: now, terms: terms, following: given, keys: keys),
            at: now)
    }

    private static func describe(_ change: SignerListFile.Change, at now: Date) {
        func ids(_ listed: [VerificationKey]) -> String {
            listed.map { "\($0.keyID)" }.joined(separator: ", ")
        }
        let list = change.list
        if let last = change.last, last.issued > now.addingTimeInterval(48 * 3600) {
            Output.warning(
                "the last list was signed on \(last.issued.isoDay), by a clock that was "
                    + "ahead, or this clock is wrong. "
                    + "Keep its file: a device takes a list only if its number is higher")
        }
        Output.hint(
            "list \(list.number) of the root \(list.rootKid.prefix(10)): devices accept "
                + "\(ids(list.keys)), and take it "
                + "until \(list.expiration.isoDay)")
        if change.last != nil, !change.added.isEmpty {
            Output.hint("with this list, devices also accept \(ids(change.added))")
        }
        if !change.removed.isEmpty {
            Output.hint("with this list, devices no longer accept \(ids(change.removed))")
        }
    }
}
