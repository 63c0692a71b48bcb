import Dispatch
import Foundation
import PushCryptSender
import PushCryptSystem

// Compares `pushcrypt seal --lines` with the library, in rounds that alternate: the machine's other
// work then slows both. The first argument is the tool, the second the number of messages of a
// round.
@main
enum LinesBenchmark {
    static let rounds = 7

    static func main() throws {
        let arguments = CommandLine.arguments
        let tool = arguments.count > 1 ? arguments[1] : ".build/release/pushcrypt"
        let count = arguments.count > 2 ? Int(arguments[2]) ?? 20_000 : 20_000
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "lines-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let keyring = folder.path + "/server.jwks"
        let sealer = Sealer(
            .signed(
                by: try KeyringFile<SigningKey>(path: keyring).readOrCreate(at: Date()).primary.key)
        )
        let keys = try (0..<1000).map { _ in try RecipientPrivateKey().publicKey }
        let recipients = (0..<count).map { keys[$0 % 1000] }
        let texts = recipients.map { raw($0) }
        let body = String(repeating: "You paid 1,249.00 in Berlin. ", count: 5)
        let payload = #"{"aps":{"alert":{"title":"Card payment","body":"\#(body)"}}}"#
        let json = Array(payload.utf8)
        let files = (
            shared: folder.path + "/shared", own: folder.path + "/own",
            payload: folder.path + "/payload"
        )
        let shared = texts.enumerated().map { #"{"id":\#($0),"to":"\#($1)"}"# + "\n" }
        let own = texts.enumerated().map {
            #"{"id":\#($0),"to":"\#($1)","payload":\#(payload)}"# + "\n"
        }
        try Data(shared.joined().utf8).write(to: URL(fileURLWithPath: files.shared))
        try Data(own.joined().utf8).write(to: URL(fileURLWithPath: files.own))
        try Data(json).write(to: URL(fileURLWithPath: files.payload))

        for isSigned in [false, true] {
            let sealer = isSigned ? sealer : Sealer(.anonymous)
            let prepared = try sealer.prepare(json: json)
            let sender = isSigned ? ["--sign-with", keyring] : ["--anonymous"]
            for threads in [1, 2] {
                let options = sender + ["--threads", "\(threads)"]
                try compare(
                    "\(isSigned ? "signed" : "anonymous"), \(threads) threads", count,
                    [
                        (
                            "prepared, recipients parsed before",
                            {
                                spread(count, threads) { range in
                                    var push = prepared
                                    for index in range {
                                        _ = try? push.sealInPlace(for: recipients[index])
                                    }
                                }
                            }
                        ),
                        (
                            "prepared, recipients parsed in the loop",
                            {
                                spread(count, threads) { range in
                                    var push = prepared
                                    for index in range {
                                        guard
                                            let key = try? RecipientPublicKey(parsing: texts[index])
                                        else { continue }
                                        _ = try? push.sealInPlace(for: key)
                                    }
                                }
                            }
                        ),
                        (
                            "--lines --payload",
                            { run(tool, options + ["--payload", files.payload, files.shared]) }
                        ),
                        (
                            "each its own payload",
                            {
                                spread(count, threads) { range in
                                    for index in range {
                                        _ = try? sealer.seal(json: json, for: recipients[index])
                                    }
                                }
                            }
                        ),
                        ("--lines", { run(tool, options + [files.own]) }),
                    ])
            }
        }
    }

    /// Prints the rate of each work, and its ratios to a loop of the library: of the times, and of
    /// the processor times, which other work on the machine changes less.
    static func compare(_ title: String, _ count: Int, _ works: [(name: String, run: () -> Void)])
        throws
    {
        var times = [[(clock: Double, processor: Double)]](repeating: [], count: works.count)
        for _ in 0..<rounds {
            for (index, work) in works.enumerated() {
                let start = (
                    clock: Double(DispatchTime.now().uptimeNanoseconds) / 1e9,
                    processor: processorTime()
                )
                work.run()
                let end = Double(DispatchTime.now().uptimeNanoseconds) / 1e9
                times[index].append((end - start.clock, processorTime() - start.processor))
            }
        }
        print(title)
        for (index, work) in works.enumerated() {
            func median(_ base: Int, _ time: ((clock: Double, processor: Double)) -> Double)
                -> String
            {
                let ratios = zip(times[base], times[index]).map { time($0) / time($1) }.sorted()
                return String(format: "%.3f", ratios[rounds / 2])
            }
            let base = index < 3 ? [0, 1] : [3]
            let ratios = base.map {
                "\(median($0) { $0.clock }) (processor \(median($0) { $0.processor }))"
            }
            let rate = Int(Double(count) / (times[index].map(\.clock).min() ?? 1))
            print("  \(work.name): \(rate) per second; \(ratios.joined(separator: ", "))")
        }
    }

    /// The processor time of this process (0) and of its ended children (-1), in seconds.
    static func processorTime() -> Double {
        [0 as Int32, -1].reduce(0) { sum, who in
            var usage = rusage()
            getrusage(who, &usage)
            return [usage.ru_utime, usage.ru_stime].reduce(sum) {
                $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
            }
        }
    }

    /// Runs a work on ranges of messages, on some threads.
    static func spread(_ count: Int, _ threads: Int, _ body: @Sendable (Range<Int>) -> Void) {
        let part = 16
        let parts = (count + part - 1) / part
        let next = LockedValue(0)
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            while true {
                let index = next.withLock { next in
                    defer { next += 1 }
                    return next
                }
                guard index < parts else { return }
                body((index * part)..<min((index + 1) * part, count))
            }
        }
    }

    /// Runs the tool, whose start is part of the time.
    static func run(_ tool: String, _ arguments: [String]) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: tool)
        process.arguments = ["seal", "--lines"] + arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return print("\(tool) doesn't run") }
        process.waitUntilExit()
        if process.terminationStatus != 0 {
            print("\(tool) ended with \(process.terminationStatus)")
        }
    }

    static func raw(_ key: RecipientPublicKey) -> String {
        Data(key.rawRepresentation).base64EncodedString().replacing("+", with: "-").replacing(
            "/", with: "_"
        )
        .replacing("=", with: "")
    }
}
