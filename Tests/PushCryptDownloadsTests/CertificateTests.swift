import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptDownloads

/// Downloads from a server with TLS, which the program `openssl` provides.
@Suite(.ownThread, .enabled(if: TLSServer.isDue, "openssl is not installed"))
struct CertificateTests {
    @Test("A certificate that no authority signed is an error, and the server gets no request")
    func selfSigned() async throws {
        let trial = try DownloadTrial()
        let server = try TLSServer()
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/photo"))
        trial.expectFailure(await trial.download(url), "connection failed")
        let log = server.end()
        // The client says why it ends the handshake, and sends no request.
        #expect(
            log.contains("alert unknown ca") && log.contains("0 client connects that finished"),
            "\(log)")
        #expect(!log.contains("GET ") && !log.contains("photo"), "\(log)")
    }
}

/// A server with a new key and a certificate that it signed itself.
private final class TLSServer {
    /// The path of the program; `nil` if it is missing.
    private static let program: String? = {
        let directories = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return directories.map { "\($0)/openssl" }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }()

    /// A Boolean value that indicates whether to run the tests; `PUSHCRYPT_NEEDS_OPENSSL=1` always
    /// does.
    static let isDue =
        program != nil || ProcessInfo.processInfo.environment["PUSHCRYPT_NEEDS_OPENSSL"] == "1"

    let port: Int
    private let scratch: Scratch
    private let process: Process

    init() throws {
        scratch = try Scratch()
        let (key, certificate) = (scratch.file("key.pem"), scratch.file("certificate.pem"))
        let creation = try Self.start(
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-nodes", "-days", "1", "-subj", "/CN=127.0.0.1", "-addext",
                "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
            ], log: scratch.write([], to: "creation"))
        creation.waitUntilExit()
        let log = scratch.write([], to: "log")
        process = try Self.start(
            [
                "s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key, "-www",
                "-naccept", "1",
            ],
            log: log)
        var port: Int?
        for _ in 0..<6000 where port == nil {
            usleep(10_000)
            let lines = String(decoding: scratch.contents(of: "log") ?? [], as: UTF8.self).split(
                separator: "\n")
            port = lines.first { $0.hasPrefix("ACCEPT ") }?.split(separator: ":").last.flatMap {
                Int($0)
            }
        }
        self.port = try #require(port, "openssl doesn't listen")
    }

    deinit { process.terminate() }

    /// Waits until the server has ended the only connection, and returns its log.
    func end() -> String {
        process.waitUntilExit()
        return String(decoding: scratch.contents(of: "log") ?? [], as: UTF8.self)
    }

    private static func start(_ arguments: [String], log: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(
            fileURLWithPath: try #require(program, "openssl is not installed"))
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        let output = FileHandle(forWritingAtPath: log)
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        return process
    }
}
