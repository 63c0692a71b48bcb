internal import ArgumentParser
internal import PushCryptCore
internal import PushCryptReceiver

/// Whose messages a command opens: one of the two must be said.
struct SenderPolicyOption: ParsableArguments {
    @Option(
        name: .customLong("signed-by"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Open messages signed by this key alone. May be repeated.", valueName: "key"))
    var signedBy: [String] = []

    @Flag(help: "Open anyone's messages, signed or not, without a look at signatures.")
    var anyone = false

    func validate() throws {
        guard anyone || !signedBy.isEmpty else {
            throw ValidationError("Say whose messages to open: either '--signed-by KEY' or '--anyone' is required.")
        }
        guard !anyone || signedBy.isEmpty else {
            throw ValidationError("'--anyone' makes '--signed-by' meaningless: give one of the two, not both.")
        }
    }

    /// The policy.
    func policy() throws -> SenderPolicy {
        anyone
            ? .anyone
            : .signed(by: try signedBy.map { try KeyArgument.publicKey(VerificationKey.self, $0, for: "--signed-by") })
    }
}
