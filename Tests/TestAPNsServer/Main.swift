internal import Foundation

@main
enum Main {
    #if APNs
    /// Runs a server for the files and options of the command line until standard input ends.
    static func main() async throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        var options = TestAPNsServer.Options()
        options.keepsPushes = false
        var script: Script = { _ in .accept() }
        if let index = arguments.firstIndex(of: "--faults") {
            script = Faults.script()
            arguments.remove(at: index)
        }
        if let index = arguments.firstIndex(of: "--port"), index + 1 < arguments.count {
            options.port = Int(arguments[index + 1]) ?? 0
            arguments.removeSubrange(index...index + 1)
        }
        guard arguments.count == 1, let directory = arguments.first else {
            fail("A directory is missing. Call TestAPNsServer DIRECTORY [--faults] [--port N].")
        }
        let files = [
            "ca.pem": Certificates.authority, "key.p8": ProviderKey.first.p8, "client.pem": Certificates.client,
            "client.key": Certificates.clientKey,
        ]
        for (name, text) in files {
            try Data("\(text)\n".utf8).write(to: URL(fileURLWithPath: directory).appendingPathComponent(name))
        }
        let server = try await TestAPNsServer(
            options,
            onAccept: { push in
                printLine([
                    "apns-id": push.id.uuidString, "device": push.deviceToken, "topic": push.topic,
                    "type": push.headers["apns-push-type"] ?? "", "expiration": push.headers["apns-expiration"] ?? "",
                    "payload": String(hash(push.payload), radix: 16),
                ])
            }, script: script)
        let key = ProviderKey.first
        printLine([
            "host": server.host, "port": server.port, "keyID": key.keyID, "teamID": key.teamID, "topic": options.topic,
        ])
        await withCheckedContinuation { continuation in
            Thread {
                while readLine() != nil {}
                continuation.resume()
            }.start()
        }
        try await server.stop()
    }

    /// Returns a hash of bytes that each process computes alike (FNV-1a), to compare the payloads of doubled pushes.
    private static func hash(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    private static func printLine(_ object: [String: Any]) {
        let line = try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
        FileHandle.standardOutput.write((line ?? Data()) + Data("\n".utf8))
    }
    #else
    static func main() {
        fail("TestAPNsServer isn't built in. Build with --traits APNs.")
    }
    #endif

    private static func fail(_ text: String) -> Never {
        FileHandle.standardError.write(Data("TestAPNsServer: error: \(text)\n".utf8))
        exit(1)
    }
}
