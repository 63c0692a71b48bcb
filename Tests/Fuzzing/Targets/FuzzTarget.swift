/// A subject of the fuzzer, and its invariants.
struct FuzzTarget: Sendable {
    let name: String

    /// Checks the invariants for an input, and ends the process if one is broken.
    let check: @Sendable ([UInt8]) -> Void

    static let all = [
        FuzzTarget(name: "answers", check: Answers.check),
        FuzzTarget(name: "attachment", check: Attachment.check),
        FuzzTarget(name: "carriers", check: Carriers.check),
        FuzzTarget(name: "challenge", check: Challenge.check),
        FuzzTarget(name: "envelope", check: EnvelopeText.check),
        FuzzTarget(name: "json", check: JSON.check),
        FuzzTarget(name: "keyring", check: KeyringText.check),
        FuzzTarget(name: "lines", check: Lines.check),
        FuzzTarget(name: "list", check: AcceptedKeys.check),
        FuzzTarget(name: "message", check: Message.check),
        FuzzTarget(name: "opening", check: Opening.check),
        FuzzTarget(name: "plist", check: InfoPlist.check),
        FuzzTarget(name: "receipt", check: DisplayReceipt.check),
        FuzzTarget(name: "registration", check: RegistrationText.check),
        FuzzTarget(name: "strings", check: Strings.check),
        FuzzTarget(name: "withdrawal", check: WithdrawalPayload.check),
    ]
}
