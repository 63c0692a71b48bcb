internal import ArgumentParser
internal import PushCryptReceiver

/// The accepted senders of a command that opens messages.
struct SenderOptions: ParsableArguments {
    // Unconditional, because one raw key in 64 begins with a hyphen.
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Open only messages that this key, or a key in this file, has signed. May be repeated.",
            valueName: "key"),
        completion: .file())
    var signedBy: [String] = []

    @Flag(
        name: [.customLong("anyone"), .customLong("anonymous")],
        help: "Open messages of any sender, signed or not. Signatures are not checked.")
    var anyone = false

    @Option(
        help:
            """
            The service that has delivered the payload. It decides the location of the sealed \
            value.
            """)
    var carrier: Carrier = .apns

    func validate() throws {
        guard anyone || !signedBy.isEmpty else {
            throw ValidationError(
                "The sender is missing. Add '--signed-by KEY', or '--anyone' to accept any sender.")
        }
        guard !anyone || signedBy.isEmpty else {
            throw ValidationError("Give '--signed-by' or '--anyone', not both.")
        }
    }

    /// Checks that the files of a command are different ones.
    func check(beside keyring: KeyringOption, _ data: DataOptions) throws {
        try keyring.passphrase.check(beside: data)
        try data.check(beside: [keyring.path, keyring.passphrase.file] + signedBy)
    }

    func opener(with keyring: KeyringArgument) throws -> Opener {
        try configuration(with: keyring).opener
    }

    /// Returns the configuration of a receiver, which leaves `userInfo` as an app without an inbox
    /// reads it.
    func configuration(with keyring: KeyringArgument) throws -> PushConfiguration {
        let keys = InMemoryKeyStore(try keyring.read(RecipientPrivateKey.self).keys)
        let accepted = try KeyArgument.verificationKeys(signedBy, for: "--signed-by")
        var configuration = PushConfiguration(
            keys: keys, senderPolicy: anyone ? .anyone : .signed(by: accepted))
        configuration.carrier = carrier
        configuration.keepsUserInfoSealed = false
        return configuration
    }
}
