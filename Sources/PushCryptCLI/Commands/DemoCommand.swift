internal import ArgumentParser
internal import Dispatch
internal import PushCryptReceiver
internal import PushCryptSender
internal import PushCryptSystem

struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Seal, deliver and open a message with new keys, and show what happens in attacks and accidents.",
        discussion: """
            Runs the code that servers and extensions use. Needs no network and no files. The exit status is 0 if \
            every scene ends as expected.

            Example: pushcrypt demo
            """)

    private typealias Shown = PresentedNotification<NotificationContent>

    func run() throws {
        let device = try RecipientPrivateKey()
        let bank = try SigningKey()
        let outsider = try SigningKey()
        let keys = InMemoryKeyStore([device])
        let policy = SenderPolicy.signed(by: [bank.publicKey])
        let opener = Opener(keys: keys, senderPolicy: policy)

        try Output.line("1. The device creates a key pair and registers the public key with the server:\n")
        try Output.line("   \(device.publicKey.jwk)\n\n2. The server has a payload, as it would send it today:\n")
        try Output.line(indented(DemoPayload.original) + "\n")

        let push = try Sealer(.signed(by: bank)).seal(json: Array(DemoPayload.original.utf8), for: device.publicKey)
        let shown = try receive(push.payload, opener)
        try Output.line("3. Sealed for the device and signed by the server: \(push.payload.count) of 4096 bytes\n")
        try Output.line("   WHAT APPLE SEES\n\(indented(String(decoding: push.payload, as: UTF8.self)))\n")
        try Output.line("   WHAT THE DEVICE SHOWS\n\(indented(LockScreen.drawing(shown.content, indentation: 3)))\n")
        try expect(nil, shown, else: "the device did not open the message")

        try Output.line("4. The device shows a fallback if something is wrong:\n")
        var changed = push.payload
        // Inside of the sealed value: it ends before the last two bytes.
        let index = changed.count - 40
        changed[index] = changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        try scene("An attacker changes one byte", expecting: .decryptionFailed, try receive(changed, opener))
        let foreign = try Sealer(.signed(by: outsider)).seal(
            json: Array(DemoPayload.original.utf8), for: device.publicKey)
        try scene("Another sender signs", expecting: .unknownSigner, try receive(foreign.payload, opener))
        try scene(
            "An attacker removes ENCRYPTED_DATA and inserts another text", expecting: .notSealed,
            try receive(Array(DemoPayload.forged.utf8), opener))
        let hanging = Opener(keys: HangingKeyStore(), senderPolicy: policy)
        try scene(
            "The key store hangs", expecting: .deadlinePassed, try receive(push.payload, hanging, deadline: 0.5))
        try Output.line("Next: follow 'Command line' in the README.")
    }

    /// Receives a push as a device does, through the handler of an extension, whose deadline is 20 s.
    private func receive(
        _ payload: [UInt8], _ opener: Opener, deadline: Double = 10
    ) throws(PushCryptError) -> Shown {
        let notification = try DeliveredNotification(json: payload)
        let handler = NotificationHandler(NotificationOpener(opener), deadline: deadline)
        let shown = LockedValue<Shown?>(nil)
        let done = DispatchSemaphore(value: 0)
        handler.begin(notification, on: NeutralPlatform(notification), for: handler.app) { presented in
            shown.withLock { $0 = presented }
            done.signal()
        }
        guard done.wait(timeout: .now() + 30) == .success, let result = shown.withLock({ $0 }) else {
            throw PushCryptError(.deadlinePassed, "The demo's device did not answer. This is a bug in PushCrypt.")
        }
        return result
    }

    private func scene(_ title: String, expecting code: PushCryptError.Code, _ shown: Shown) throws {
        try Output.line("   \(title):\n\(indented(LockScreen.drawing(shown.content, indentation: 3)))")
        if let failure = shown.outcome.failure { try Output.line("   \(failure.code): \(failure.reason)\n") }
        try expect(code, shown, else: "\(title): the device did not show the fallback for this reason")
    }

    /// Checks that the demo shows the truth.
    private func expect(_ code: PushCryptError.Code?, _ shown: Shown, else complaint: String) throws {
        guard shown.outcome.failure?.code == code, code == nil || shown.content.body == FallbackText.standard.body
        else {
            Output.error("\(complaint); this is a bug in PushCrypt")
            throw ExitStatus.input
        }
    }

    private func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { "   \($0)" }.joined(separator: "\n")
    }
}

private enum DemoPayload {
    static let original = """
        {
          "aps": {
            "alert": {
              "title": "Card payment",
              "subtitle": "Account ending 4421",
              "body": "You paid 1,249.00 € to Löwen Apotheke, Berlin. Not you? Tap to block the card. 🛑"
            },
            "badge": 3,
            "sound": "default",
            "category": "PAYMENT",
            "thread-id": "account-4421"
          },
          "payment": { "id": 12345678901234567890, "amount": 1249.10, "link": "bank://payments/8842" }
        }
        """
    static let forged = """
        {"aps":{"alert":{"title":"Your bank","body":"Your account is locked. Sign in at \
        evil.example"},"mutable-content":1}}
        """
}

/// A key store that never answers, as a keychain may if the system is busy.
private struct HangingKeyStore: KeyStore {
    func recipientKey(_ id: KeyID) throws -> RecipientPrivateKey {
        DispatchSemaphore(value: 0).wait()
        throw PushCryptError(.keyUnreadable, "The store doesn't answer.")
    }

    func signerLists() throws -> [String] { [] }
}
