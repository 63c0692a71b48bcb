@testable import PushCryptCore
@testable import PushCryptPayload
@testable import PushCryptReceiver
@testable import PushCryptTesting

/// Invariants of a decrypted message.
///
/// - An accepted message re-encodes to itself: the header, the payload, zeros, and the trailer.
/// - The age of each accepted message can be judged, for any times.
/// - The payload's text is displayed without a failure.
enum Message {
    private static let recipient = fixed { try TestKeys.device(.alice).publicKey }
    private static let room = [UInt8](repeating: 0, count: MessageFormat.contextLength)

    static func check(_ input: [UInt8]) {
        guard
            let message = accepted({ () throws(PushCryptError) in
                try IncomingMessage(parsing: room + input, sealedTo: recipient)
            })
        else { return }
        let payload = message.payload
        require(
            payload.count <= MessageFormat.maximumPayloadLength,
            "a payload has at most 65,535 bytes")
        require(
            encoded(message, payload, input) == input, "an accepted message re-encodes to itself")
        require(
            (message.authentication == .ed25519) == (message.signer != nil),
            "a signed message names its signer")
        for now in [0, 1_767_225_600_000, message.issuedAt, UInt64.max] {
            _ = accepted { () throws(PushCryptError) in
                try Freshness.standard.check(message, arrival: now, now: now)
            }
        }
        guard let members = (try? JSONValue(forDisplay: payload))?.objectValue else { return }
        let content = NotificationContent().replaced(by: members)
        require(
            content.originalPayload?[Envelope.receiptKey] == nil, "an opened payload has no receipt"
        )
        require(
            !content.description.utf8.contains(UInt8(ascii: "~")), "a description has no content")
    }

    private static func encoded(_ message: IncomingMessage, _ payload: [UInt8], _ input: [UInt8])
        -> [UInt8]
    {
        var bytes = [UInt8](repeating: 0, count: input.count)
        let header = MessageHeader(
            message.authentication, message.kind, payloadLength: UInt16(payload.count),
            lifetime: message.lifetime,
            issuedAt: message.issuedAt, id: message.id)
        header.write(to: &bytes)
        bytes.replaceSubrange(
            MessageHeader.length..<(MessageHeader.length + payload.count), with: payload)
        guard let signer = message.signer else { return bytes }
        MessageFormat.writeSigner(signer, to: &bytes, end: bytes.count)
        let signature = Ed25519.signatureLength
        bytes.replaceSubrange((bytes.count - signature)..., with: input.suffix(signature))
        return bytes
    }
}
