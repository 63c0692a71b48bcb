import Dispatch
import Foundation
import PushCryptReceiver
import PushCryptSender
import RawBoxes

/// The calls that are counted, for payloads of a length.
struct Steps {
    private struct FixedTime: TimeSource {
        let now = Date(timeIntervalSince1970: 1_767_225_600)
    }

    /// Secrets without the time of a keychain.
    private struct Secrets: DeviceSecretsStore {
        let stored: DeviceSecrets
        func secrets() -> DeviceSecrets? { stored }
        func create(_ secrets: DeviceSecrets) -> DeviceSecrets { stored }
    }

    let length: Int
    private let json: [UInt8]
    private let device: RecipientPrivateKey
    private let server: SigningKey

    init(length: Int) throws {
        self.length = length
        json = Self.payload(length: length)
        device = try RecipientPrivateKey()
        server = try SigningKey()
    }

    /// Returns each call with its name.
    ///
    /// `raw-` is libsodium alone, with a message of the same length.
    func calls() throws -> [(String, () -> Void)] {
        try rawSteps() + sealing() + opening()
    }

    /// Returns the work of an extension for a signed message, with a receipt or without.
    func handlers() throws -> [(String, () -> Void)] {
        [
            ("handle", try handling(hasReceipt: false)),
            ("handle-with-receipt", try handling(hasReceipt: true)),
        ]
    }

    private func rawSteps() throws -> [(String, () -> Void)] {
        let anonymous = Raw(messageLength: length + 32)
        let signed = Raw(messageLength: length + 104)
        let signatures = RawSignatures(messageLength: length + 104, count: Main.calls)
        return [
            ("raw-seal", anonymous.seal), ("raw-open", anonymous.open),
            (
                "raw-seal-signed",
                {
                    signatures.sign()
                    signed.seal()
                }
            ),
            (
                "raw-open-signed",
                {
                    signed.open()
                    signatures.verify()
                }
            ),
        ]
    }

    private func sealer(isSigned: Bool) -> Sealer {
        Sealer(isSigned ? .signed(by: server) : .anonymous, padding: .none, time: FixedTime())
    }

    private func sealing() throws -> [(String, () -> Void)] {
        let recipient = device.publicKey
        let text = Data(recipient.rawRepresentation).base64EncodedString().replacingOccurrences(
            of: "+", with: "-"
        )
        .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
        return [false, true].map { isSigned in
            let sealer = sealer(isSigned: isSigned)
            return (
                isSigned ? "seal-signed" : "seal",
                { precondition((try? sealer.seal(json: json, for: recipient)) != nil) }
            )
        } + [
            (
                "seal-parsing",
                {
                    let key = try? RecipientPublicKey(parsing: text)
                    precondition(
                        (try? key.map { try sealer(isSigned: false).seal(json: json, for: $0) })
                            != nil)
                }
            )
        ]
    }

    private func sealed(isSigned: Bool) throws -> [[UInt8]] {
        let sealer = sealer(isSigned: isSigned)
        return try (0..<Main.calls).map { _ in
            try sealer.seal(json: json, for: device.publicKey).payload
        }
    }

    private func opening() throws -> [(String, () -> Void)] {
        try [false, true].map { isSigned in
            let payloads = try sealed(isSigned: isSigned)
            let policy = isSigned ? SenderPolicy.signed(by: server.publicKey) : .anyone
            let opener = Opener(
                keys: InMemoryKeyStore([device]), senderPolicy: policy, time: FixedTime())
            var next = 0
            return (
                isSigned ? "open-signed" : "open",
                {
                    precondition((try? opener.open(json: payloads[next])) != nil)
                    next = (next + 1) % payloads.count
                }
            )
        }
    }

    /// Returns a step that handles a signed notification as an extension does, with a receipt or
    /// without.
    private func handling(hasReceipt: Bool) throws -> () -> Void {
        var configuration = PushConfiguration(
            keys: InMemoryKeyStore([device]), senderPolicy: .signed(by: server.publicKey))
        if hasReceipt { configuration.secrets = Secrets(stored: try DeviceSecrets.random()) }
        configuration.time = FixedTime()
        let inbox = PushInbox(configuration)
        // The same message, so that a receipt's work doesn't hide behind the time of another
        // signature.
        let notification = try DeliveredNotification(json: try sealed(isSigned: true)[0])
        let done = DispatchSemaphore(value: 0)
        return {
            inbox.handle(notification) { content in
                precondition(!content.title.isEmpty)
                done.signal()
            }
            done.wait()
        }
    }

    /// Returns a chat message of an exact length.
    private static func payload(length: Int) -> [UInt8] {
        let start = #"{"aps":{"alert":{"title":"Löwen Apotheke","body":""#
        let end =
            #""},"badge":3,"thread-id":"account-4421"},"link":"bank://payments/8842","amount":1249.10}"#
        let room = length - start.utf8.count - end.utf8.count
        return Array((start + String(repeating: "x", count: max(0, room)) + end).utf8)
    }
}
