import Dispatch
import Foundation
import PushCryptSender

// Seals a prepared push for 1, 32, 1,000 and 100,000 recipients on one and two threads, signed and
// anonymous, next to libsodium's calls and to a hand-written loop with concurrentPerform. Writes
// one row per case, as CSV.
@main
enum ScaleBenchmark {
    static let threads = 2

    static func main() async throws {
        let counts = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        let keys = try (0..<1000).map { _ in try RecipientPrivateKey().publicKey }
        print(
            "recipients,threads,sender,backend,code,messages_per_second,time_over_libsodium,"
                + "time_over_concurrentPerform")
        let backend = RecipientPublicKey.backend.prefix { $0 != " " }
        for signed in [false, true] {
            let sealer = Sealer(signed ? .signed(by: try SigningKey()) : .anonymous, padding: .none)
            let push = try sealer.prepare(
                json: #"{"aps":{"alert":"\#(String(repeating: "x", count: 1003))"}}"#)
            let raw = Raw(
                messageLength: signed ? 1128 : 1056, isSigned: signed,
                to: keys.map(\.rawRepresentation))
            for count in counts.isEmpty ? [1, 32, 1000, 100_000] : counts {
                let recipients = (0..<count).map { keys[$0 % keys.count] }
                let cases = Self.cases(push, recipients, raw)
                let times = try await interleaved(
                    cases.map(\.run), rounds: min(max(40_000 / count, 3), 501))
                for (index, item) in cases.enumerated() where item.code != "libsodium" {
                    let base =
                        cases.firstIndex { $0.code == "libsodium" && $0.threads == item.threads }
                        ?? 0
                    let loop = cases.firstIndex {
                        $0.code == "concurrentPerform" && item.threads > 1
                    }
                    let ratios = [
                        times[index] / times[base], loop.map { times[index] / times[$0] },
                    ]
                    .map { $0.map { String(format: "%.3f", $0) } ?? "" }
                    let rate = Int(Double(count) / times[index])
                    let sender = signed ? "signed" : "anonymous"
                    let columns = [sender, "\(backend)", item.code, "\(rate)"] + ratios
                    print("\(count),\(item.threads)," + columns.joined(separator: ","))
                }
            }
        }
    }

    private struct Case: Sendable {
        let code: String
        let threads: Int
        let run: @Sendable () async throws -> Void
    }

    private static func cases(_ push: PreparedPush, _ recipients: [RecipientPublicKey], _ raw: Raw)
        -> [Case]
    {
        let count = recipients.count
        let parts = (0...threads).map { $0 * count / threads }
        let one = [
            Case(code: "libsodium", threads: 1) { raw.seal(0..<count) },
            Case(code: "seal", threads: 1) { keep(try push.seal(for: recipients).count) },
        ]
        let two = [
            Case(code: "libsodium", threads: threads) {
                DispatchQueue.concurrentPerform(iterations: threads) {
                    raw.seal(parts[$0]..<parts[$0 + 1])
                }
            },
            Case(code: "concurrentPerform", threads: threads) {
                DispatchQueue.concurrentPerform(iterations: threads) { part in
                    keep(
                        (try? push.seal(for: Array(recipients[parts[part]..<parts[part + 1]])).count)
                            ?? 0)
                }
            },
            Case(code: "sealOnAllCores", threads: threads) {
                keep(push.sealOnAllCores(for: recipients).count)
            },
            Case(code: "chunks", threads: threads) {
                for try await chunk in push.chunks(for: recipients) { keep(chunk.count) }
            },
        ]
        return count < 32 ? one : one + two
    }

    /// Returns the median time of each closure in seconds, from rounds in which they take turns.
    private static func interleaved(_ closures: [@Sendable () async throws -> Void], rounds: Int)
        async throws
        -> [Double]
    {
        var times = closures.map { _ in [Double]() }
        for round in 0...rounds {
            for (index, closure) in closures.enumerated() {
                let start = DispatchTime.now().uptimeNanoseconds
                try await closure()
                // The first round warms up.
                if round > 0 {
                    times[index].append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9)
                }
            }
        }
        return times.map { $0.sorted()[$0.count / 2] }
    }
}

/// Uses a number, so that the compiler keeps the work behind it.
@inline(never) func keep(_ number: Int) { precondition(number >= 0) }
