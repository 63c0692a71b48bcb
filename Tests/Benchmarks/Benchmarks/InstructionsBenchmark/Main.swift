import AllocationCounter
import Dispatch
import PushCryptReceiver
import PushCryptSender
import RawBoxes

/// Repeats one call, so that a tool can count its instructions, and prints its allocations.
///
/// `Tests/Benchmarks/instructions.py` runs it under valgrind.
@main struct Main {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let times = Int(arguments[2]), let length = Int(arguments[3]), length >= 128 else {
            let names = "seal|open|open-signed|raw-seal|raw-open|handle|handle-with-receipt"
            print("usage: InstructionsBenchmark \(names) TIMES LENGTH")
            return
        }
        let step = try step(arguments[1], length: length)
        step()
        let before = allocation_count()
        for _ in 0..<times { step() }
        let count = allocation_count() - before
        print("\(arguments[1]): \(Int(count) / max(times, 1)) allocations a call")
    }

    private static func step(_ name: String, length: Int) throws -> () -> Void {
        let raw = Raw(messageLength: length + 32)
        let sealer = Sealer(.anonymous, padding: .none)
        let json = payload(length: length)
        switch name {
        case "seal":
            let recipient = try RecipientPublicKey(rawRepresentation: raw.publicKey)
            return { precondition((try? sealer.seal(json: json, for: recipient)) != nil) }
        case "open":
            let key = try RecipientPrivateKey()
            let sealed = try sealer.seal(json: json, for: key.publicKey).payload
            let opener = Opener(keys: InMemoryKeyStore([key]), senderPolicy: .anyone)
            return { precondition((try? opener.open(json: sealed)) != nil) }
        case "open-signed":
            let (key, server) = (try RecipientPrivateKey(), try SigningKey())
            let sealed = try Sealer(.signed(by: server), padding: .none).seal(json: json, for: key.publicKey).payload
            let opener = Opener(keys: InMemoryKeyStore([key]), senderPolicy: .signed(by: server.publicKey))
            return { precondition((try? opener.open(json: sealed)) != nil) }
        case "raw-open":
            return { raw.open() }
        case "handle", "handle-with-receipt":
            return try handling(json, hasReceipt: name == "handle-with-receipt")
        default:
            return { raw.seal() }
        }
    }

    /// Secrets without the time of a keychain.
    private struct Secrets: DeviceSecretsStore {
        let stored: DeviceSecrets
        func secrets() -> DeviceSecrets? { stored }
        func create(_ secrets: DeviceSecrets) -> DeviceSecrets { stored }
    }

    /// Returns a step that handles a signed notification as an extension does, with a receipt or without.
    private static func handling(_ json: [UInt8], hasReceipt: Bool) throws -> () -> Void {
        let (key, server) = (try RecipientPrivateKey(), try SigningKey())
        let secrets = Secrets(stored: try DeviceSecrets.random())
        let opener = Opener(
            keys: InMemoryKeyStore([key]), senderPolicy: .signed(by: server.publicKey),
            secrets: hasReceipt ? secrets : nil)
        let handler = NotificationHandler(NotificationOpener(opener, keepsUserInfoSealed: true))
        let sealer = Sealer(.signed(by: server), padding: .none)
        let notification = try DeliveredNotification(json: try sealer.seal(json: json, for: key.publicKey).payload)
        let done = DispatchSemaphore(value: 0)
        return {
            handler.handle(notification) { content in
                precondition(!content.title.isEmpty)
                done.signal()
            }
            done.wait()
        }
    }

    /// A chat message of an exact length.
    private static func payload(length: Int) -> [UInt8] {
        let start = #"{"aps":{"alert":{"title":"Löwen Apotheke","body":""#
        let end = #""},"badge":3,"thread-id":"account-4421"},"link":"bank://payments/8842","amount":1249.10}"#
        let room = length - start.utf8.count - end.utf8.count
        return Array((start + String(repeating: "x", count: max(0, room)) + end).utf8)
    }
}
