import Dispatch
import Foundation
import PushCryptReceiver
import PushCryptSender
import RawSodium

// Passes 10,000 notifications through one process, and prints the memory and the time from each
// request to its content handler. The setup is that of an extension: a keyring in a file,
// signatures, receipts, the files of a shared directory and a customization by the app.
@main
enum DeliveryBenchmark {
    /// The number of notifications: the first argument, if there is one.
    static let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 10_000

    static func main() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "delivery-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let keyring = folder.path + "/device.jwks"
        let file = KeyringFile<RecipientPrivateKey>(path: keyring)
        let device = try file.readOrCreate(at: Date()).primary.key.publicKey
        let server = try SigningKey()
        var configuration = PushConfiguration(
            keys: KeyringFileStore(path: keyring), senderPolicy: .signed(by: [server.publicKey]))
        configuration.directory = folder.path
        configuration.secrets = SecretsFileStore(path: folder.path + "/secrets")
        let inbox = PushInbox(configuration)
        if let problem = inbox.prepare() { throw problem }
        let sealer = Sealer(.signed(by: server))
        let text = String(repeating: "Grüße aus Köln. ", count: 60)
        let payload = Array(
            #"{"aps":{"alert":{"title":"Message","body":"\#(text)"}},"id":12345678901234567890}"#
                .utf8)

        let marks = [1, 10, 100, 1000, 5000, 20_000, 40_000, 60_000]
        var waits: [Double] = []
        var memory: [(after: Int, kilobytes: Int)] = []
        waits.reserveCapacity(count)
        let before = Memory.now()
        for number in 1...count {
            // Sealing isn't part of the time. Its memory is, because both happen in this process.
            let push = try sealer.seal(json: payload, for: device)
            let userInfo =
                try JSONSerialization.jsonObject(with: push.data) as? [String: Any] ?? [:]
            let shown = DispatchSemaphore(value: 0)
            let start = DispatchTime.now().uptimeNanoseconds
            nonisolated(unsafe) var end: UInt64 = 0
            nonisolated(unsafe) var title = ""
            inbox.handle(
                DeliveredNotification(
                    content: NotificationContent(body: "(Encrypted)"), userInfo: userInfo),
                customization: { content, _ in
                    var better = content
                    better.title = "Anna"
                    return better
                },
                handler: { content in
                    end = DispatchTime.now().uptimeNanoseconds
                    title = content.title
                    shown.signal()
                })
            shown.wait()
            guard title == "Anna" else { throw CocoaError(.coderInvalidValue) }
            waits.append(Double(end - start) / 1000)
            if number == count || marks.contains(number) { memory.append((number, Memory.now())) }
        }
        // The replay guard's file grows with each notification.
        let part = max(count / 10, 1)
        let first = median(waits.prefix(part))
        let last = median(waits.suffix(part))
        waits.sort()
        let raw = rawOpening(messageLength: payload.count)
        print("notifications: \(count), payload \(payload.count) bytes")
        print(
            "from request to handler: p50 \(waits[count / 2]) µs, p99 \(waits[count * 99 / 100]) µs, "
                + "longest \(waits[count - 1]) µs")
        print("the first \(part): p50 \(first) µs; the last \(part): p50 \(last) µs")
        print(
            "libsodium's opening and checking a signature alone: \(raw) µs; "
                + "p50 is \((waits[count / 2] / raw * 10).rounded() / 10) times that")
        print(
            "memory: \(before) KB before the first; after "
                + memory.map { "\($0.after): \($0.kilobytes) KB" }.joined(separator: ", ")
                + "; peak \(Memory.peak()) KB")
    }

    private static func median(_ times: ArraySlice<Double>) -> Double {
        times.sorted()[times.count / 2]
    }

    /// Returns the median time in microseconds of libsodium's calls alone, for a message of the
    /// same length.
    private static func rawOpening(messageLength: Int) -> Double {
        var publicKey = [UInt8](repeating: 0, count: 32)
        var secretKey = [UInt8](repeating: 0, count: 32)
        var signingKey = [UInt8](repeating: 0, count: 64)
        var verificationKey = [UInt8](repeating: 0, count: 32)
        var signature = [UInt8](repeating: 0, count: 64)
        let message = [UInt8](repeating: 7, count: messageLength)
        var box = [UInt8](repeating: 0, count: messageLength + 48)
        var opened = message
        _ = crypto_box_keypair(&publicKey, &secretKey)
        _ = crypto_sign_keypair(&verificationKey, &signingKey)
        _ = crypto_sign_detached(&signature, nil, message, UInt64(messageLength), signingKey)
        _ = crypto_box_seal(&box, message, UInt64(messageLength), publicKey)
        var times: [Double] = []
        for _ in 0..<1000 {
            let start = DispatchTime.now().uptimeNanoseconds
            precondition(
                crypto_box_seal_open(&opened, box, UInt64(box.count), publicKey, secretKey) == 0)
            precondition(
                crypto_sign_verify_detached(
                    signature, opened, UInt64(messageLength), verificationKey) == 0)
            times.append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1000)
        }
        times.sort()
        return times[500]
    }
}

/// What Linux says about this process's memory.
enum Memory {
    /// What is in memory now, in kilobytes.
    static func now() -> Int { field("VmRSS:") }

    /// The most that ever was, in kilobytes.
    static func peak() -> Int { field("VmHWM:") }

    private static func field(_ name: String) -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
        return line.split(separator: " ").compactMap { Int($0) }.first
            ?? line.split(whereSeparator: { " \t".contains($0) }).compactMap { Int($0) }.first ?? 0
    }
}
