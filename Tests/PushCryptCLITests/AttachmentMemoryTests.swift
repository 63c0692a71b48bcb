import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// A file of 50 MB from `attach` through a server to `preview`, with memory for its chunks only.
@Suite(.toolThreads, .enabled(if: PeakMemory.launcher != nil, "python3 is not installed"))
struct AttachmentMemoryTests {
    /// A video whose chunks all differ.
    private func video(_ length: Int) -> Data {
        var random = SeededRandom(seed: 1)
        var block = random.bytes(65_536)
        var video = Data([0, 0, 0, 0x18] + Array("ftypisom".utf8))
        for number in 0...length / block.count {
            block.replaceSubrange(0..<2, with: [UInt8(number & 255), UInt8(number >> 8)])
            video.append(contentsOf: block)
        }
        return video.prefix(length)
    }

    /// The memory of `attach` and `preview` in kilobytes, for a file of a length that must come
    /// through.
    private func peaks(_ length: Int) throws -> (attach: Int, preview: Int) {
        let tool = try Tool()
        let launcher = try #require(PeakMemory.launcher)
        func run(_ arguments: [String], through launcher: [String] = [], input: String? = nil)
            throws -> Tool.Run
        {
            let run = try tool.run(all: arguments, input: input, through: launcher)
            #expect(run.status == 0, "\(run.errors)")
            return run
        }
        func peak(_ run: Tool.Run) throws -> Int {
            try #require(run.errors.split(separator: "\n").last.flatMap { Int($0) })
        }

        let video = video(length)
        try video.write(to: URL(fileURLWithPath: tool.path("a.mp4")))
        let path = tool.path("sealed")
        let server = LoopbackServer { connection in
            let file = FileManager.default.contents(atPath: path).map { [UInt8]($0) } ?? []
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(file.count)\r\n\r\n")
            for start in stride(from: 0, to: file.count, by: 65_536) {
                connection.write(Array(file[start..<min(start + 65_536, file.count)]))
                // At most 20 MB a second: Foundation on Linux queues a notice for each 16 KB, and a
                // loopback overtakes it.
                usleep(3000)
            }
        }
        let attach = try run(
            ["attach", "a.mp4", "--url", server.url("a").absoluteString, "-o", "sealed"],
            through: launcher)
        _ = try tool.createDevice()
        try tool.createServer()
        let push = try run(
            ["seal", "--to", "device.jwk", "--sign-with", "server.jwks"],
            input: #"{"aps":{"alert":"A film"},"# + attach.text.dropFirst())
        let preview = try run(
            [
                "preview", "--keyring", "device.jwks", "--signed-by", "server.jwk", "--attachments",
                "files", "--allow-http",
            ], through: launcher, input: push.text)
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: tool.path("files")).first)
        #expect(FileManager.default.contents(atPath: tool.path("files/\(name)")) == video)
        return (try peak(attach), try peak(preview))
    }

    @Test("A large file needs no more memory than a small one", .longRun) func memory() throws {
        let small = try peaks(2000)
        let large = try peaks(50_000_000)
        // A sixth of the file. Allocators and schedulers differ by less.
        let allowance = 8000
        print(
            "peak memory in KB: attach \(small.attach), \(large.attach); preview \(small.preview), \(large.preview)"
        )
        #expect(large.attach < small.attach + allowance, "\(small.attach), \(large.attach)")
        #expect(large.preview < small.preview + allowance, "\(small.preview), \(large.preview)")
    }
}

/// The launcher that measures the memory of the tool.
private enum PeakMemory {
    /// A program that runs another one, and prints the most memory that it had, in kilobytes.
    private static let program = """
        import os, resource, subprocess, sys
        status = subprocess.call(sys.argv[1:])
        print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
        sys.exit(status)
        """

    /// The command before the tool's; `nil` if python3 is missing.
    static let launcher: [String]? = {
        let directories = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let path = directories.map { "\($0)/python3" }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
        return path.map { [$0, "-c", program] }
    }()
}
