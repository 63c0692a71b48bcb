internal import ArgumentParser
internal import PushCryptCore
internal import PushCryptReceiver
internal import PushCryptSender

/// Shows the whole way.
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Show the whole way, with new keys: seal, carry, open, and what attacks and accidents look like.",
        discussion: """
            Everything runs through the code that servers and extensions use. No network, no questions, no files. The \
            exit status is 0 if every scene ends as it must.
            """)

    func run() throws {
        let device = try RecipientPrivateKey()
        let bank = try SigningKey()
        let outsider = try SigningKey()
        let keys = InMemoryKeyStore([device])
        let trusting = DemoDevice(keys: keys, senderPolicy: .signed(by: [bank.publicKey]))
        let original = Array(DemoPayload.original.utf8)

        try Output.line("1. The device makes a key pair and registers the public half with the server:\n")
        try Output.line("   \(device.publicKey.jwk)\n")
        try Output.line("2. The server has a payload, as it would send it today:\n")
        try Output.line(indented(DemoPayload.original) + "\n")

        let push = try Sealer(.signed(by: bank)).seal(json: original, for: device.publicKey)
        let shown = try trusting.receive(push.payload)
        try Output.line("3. Sealed for the device and signed by the server: \(push.payload.count) of 4096 bytes\n")
        try Output.line(
            Columns.sideBySide(
                "WHAT APPLE SEES\n\(String(decoding: push.payload, as: UTF8.self))",
                "WHAT THE DEVICE SHOWS\n\(LockScreen.drawing(shown.content))", width: 44) + "\n")
        try expect(nil, shown, else: "the device did not open the message")

        try Output.line("4. What the device shows when something is wrong:\n")
        try scene("One byte is changed on the way", .decryptionFailed, try trusting.receive(changed(push.payload)))
        let foreign = try Sealer(.signed(by: outsider)).seal(json: original, for: device.publicKey)
        try scene("The signature is someone else's", .unknownSigner, try trusting.receive(foreign.payload))
        try scene(
            "ENCRYPTED_DATA is left out, and another text put in", .notSealed,
            try trusting.receive(Array(DemoPayload.forged.utf8)))
        let hanging = DemoDevice(
            keys: HangingKeyStore(), senderPolicy: .signed(by: [bank.publicKey]), deadline: 0.5)
        try scene("The key store hangs", .deadlinePassed, try hanging.receive(push.payload))
        try Output.line("Next: pushcrypt keygen, and the README.")
    }

    private func scene(_ title: String, _ code: PushCryptError.Code, _ shown: NotificationResult) throws {
        try Output.line("   \(title):")
        try Output.line(indented(LockScreen.drawing(shown.content)))
        if let failure = shown.outcome.failure { try Output.line("   \(failure.code): \(failure.reason)\n") }
        try expect(code, shown, else: "\(title): the device did not show the fallback for this reason")
    }

    /// A demo that shows what is not so would be worse than none.
    private func expect(
        _ code: PushCryptError.Code?, _ shown: NotificationResult, else complaint: String
    ) throws {
        guard shown.outcome.failure?.code == code, code == nil || shown.content.body == FallbackText.standard.body
        else {
            Output.error("\(complaint); this is a defect of PushCrypt")
            throw ExitStatus.input
        }
    }

    /// The payload with one character of the sealed value changed for another.
    private func changed(_ payload: [UInt8]) -> [UInt8] {
        var payload = payload
        // The value ends before the last two bytes, "} — so this is well inside of it.
        let place = payload.count - 40
        payload[place] = payload[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return payload
    }

    private func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { "   \($0)" }.joined(separator: "\n")
    }
}
