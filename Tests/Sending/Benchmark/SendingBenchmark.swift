#if APNs
import Foundation
import Logging
import PushCryptAPNs

/// Sends the lines of `seal --lines` from memory, and prints the processor's time per push.
///
/// Arguments: the file, the port of a server on this machine, its CA, a key for provider tokens,
/// the number of connections and the number of pushes in flight.
@main enum SendingBenchmark {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 7, let port = Int(arguments[2]),
            let connections = Int(arguments[5]),
            let window = Int(arguments[6])
        else {
            FileHandle.standardError.write(
                Data("SendingBenchmark: error: Give LINES PORT CA KEY CONNECTIONS WINDOW.\n".utf8))
            exit(64)
        }
        let pushes = try pushes(of: arguments[1])
        let client = try APNsClient(
            .token(p8: text(arguments[4]), keyID: "KEY1234567", teamID: "TEAM123456"),
            environment: APNsEnvironment(
                host: "localhost", port: port, trusting: text(arguments[3])),
            connections: connections,
            logger: Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() })
        let start = processorTime()
        // As in a server, and not on the main thread.
        let refused = await Task.detached {
            await countRefused(of: client.send(pushes, concurrently: window))
        }.value
        let time = (processorTime() - start) / Double(pushes.count) * 1e6
        print(
            "library: \(String(format: "%.1f", time)) µs per push, \(pushes.count) pushes, \(refused) refused"
        )
        await client.shutDown()
        exit(refused == 0 ? 0 : 1)
    }

    /// Returns the number of pushes that weren't accepted, and prints the first error.
    private static func countRefused(of results: AsyncStream<Result<APNsReceipt, APNsError>>) async
        -> Int
    {
        var refused = 0
        for await result in results {
            guard case .failure(let error) = result else { continue }
            if refused == 0 { print(error) }
            refused += 1
        }
        return refused
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8)
    }

    private struct Line: Decodable {
        let token: String
        let headers: [String: String]
    }

    private static func pushes(of path: String) throws -> [(push: APNsPush, device: String)] {
        try text(path).split(separator: "\n").map { text in
            let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
            let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            let payload = try JSONSerialization.data(
                withJSONObject: object?["payload"] ?? [:], options: .withoutEscapingSlashes)
            let id = line.headers["apns-id"].flatMap(UUID.init(uuidString:))
            let seconds = line.headers["apns-expiration"].flatMap(Double.init) ?? 0
            let headers = APNsHeaders(
                expiration: .at(Date(timeIntervalSince1970: seconds)),
                topic: line.headers["apns-topic"], id: id)
            return (APNsPush(payload: Array(payload), headers: headers), line.token)
        }
    }

    /// Returns the seconds that the processor has spent on this process.
    private static func processorTime() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }
}
#else
@main enum SendingBenchmark {
    static func main() { print("SendingBenchmark isn't built in. Build with --traits APNs.") }
}
#endif
