import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptDownloads

/// Downloads from servers that answer well, badly or not at all.
@Suite(.ownThread) struct URLSessionDownloaderTests {
    private let trial: DownloadTrial
    private let body = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }

    init() throws {
        trial = try DownloadTrial()
    }

    @Test("A good server's file is stored, and the request has nothing of its own") func good()
        async throws
    {
        let heads = LockedValue<[String]>([])
        let server = LoopbackServer { [body] connection in
            heads.withLock { $0.append(connection.head) }
            connection.answer(body, headers: ["Set-Cookie: a=b"])
        }
        for _ in 1...2 {
            let outcome = await trial.download(server.url("photo"))
            #expect(outcome.error == nil && outcome.file == body)
            try trial.removeFile()
        }
        for head in heads.withLock({ $0 }) {
            #expect(
                head.contains("Accept-Encoding: identity") && !head.contains("Cookie")
                    && !head.contains("gzip"))
        }
    }

    @Test(
        "The progress tells the bytes, and the length if the server does", arguments: [true, false])
    func progress(isAnnounced: Bool) async throws {
        let server = LoopbackServer { [body] connection in
            connection.write(
                "HTTP/1.1 200 OK\r\n\(isAnnounced ? "Content-Length: 200000\r\n" : "")\r\n")
            connection.write(body)
        }
        let lengths = LockedValue<[Int]>([])
        let counts = LockedValue<[Int]>([])
        var downloader = URLSessionDownloader(hosts: ["127.0.0.1"], allowsHTTP: true)
        downloader.progress = { done, length in
            counts.withLock { $0.append(done) }
            lengths.withLock { $0.append(length) }
        }
        try await downloader.download(
            server.url("a"), to: trial.path, maximumLength: 1_000_000, timeout: 600)
        #expect(counts.withLock { $0 == $0.sorted() && $0.last == 200_000 })
        #expect(lengths.withLock { Set($0) } == [isAnnounced ? 200_000 : 0])
    }

    @Test(
        "A status other than 200 is an error",
        arguments: ["404 Not Found", "206 Partial Content", "500 Oops"])
    func status(status: String) async {
        let server = LoopbackServer { [body] in $0.answer(body, status: status) }
        trial.expectFailure(await trial.download(server.url("a")), "status \(status.prefix(3))")
    }

    @Test("A file that is too long is stopped", arguments: [true, false]) func tooLong(
        isAnnounced: Bool
    ) async {
        let written = LockedValue(0)
        let server = LoopbackServer { connection in
            connection.write(
                "HTTP/1.1 200 OK\r\n\(isAnnounced ? "Content-Length: 3000000000\r\n" : "")\r\n")
            let part = [UInt8](repeating: 1, count: 65_536)
            while written.withLock({ $0 }) < 3_000_000_000, connection.write(part) {
                written.withLock { $0 += part.count }
                // 64 MB in a second: Foundation on Linux ends a faster stream much later.
                usleep(1000)
            }
        }
        trial.expectFailure(await trial.download(server.url("a")), "longer than 1000000 bytes")
        #expect(written.withLock { $0 } < 3_000_000_000, "The server isn't read to its end.")
    }

    @Test("A file that ends early is an error") func truncated() async {
        let server = LoopbackServer { [body] connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n")
            connection.write(Array(body.prefix(100_000)))
        }
        trial.expectFailure(await trial.download(server.url("a")), "connection failed")
    }

    @Test("A server that stalls ends with the time", arguments: [true, false]) func stalling(
        afterHead: Bool
    ) async {
        let silence = Silence()
        defer { silence.end() }
        let server = LoopbackServer { connection in
            if afterHead {
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\nabc")
            }
            silence.wait()
        }
        trial.expectFailure(await trial.download(server.url("a"), timeout: 1), "time is over")
    }

    @Test("A cancellation ends a download at once") func cancelled() async {
        let silence = Silence()
        defer { silence.end() }
        let server = LoopbackServer { connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\nabc")
            silence.wait()
        }
        trial.expectFailure(await trial.download(server.url("a"), cancelAfter: 0.3), "time is over")
    }

    @Test("A compressed file is an error") func compressed() async {
        let server = LoopbackServer { $0.answer([1, 2, 3], headers: ["Content-Encoding: br"]) }
        trial.expectFailure(await trial.download(server.url("a")), "compresses")
    }

    @Test("A redirection to the same server is followed, five times at most") func redirections()
        async throws
    {
        let server = LoopbackServer { [body] connection in
            let number = connection.head.split(separator: " ")[1].dropFirst().prefix { $0.isNumber }
            let left = Int(number) ?? 0
            if left == 0 { return connection.answer(body) }
            connection.answer([], status: "302 Found", headers: ["Location: /\(left - 1)"])
        }
        #expect(await trial.download(server.url("5")).file == body)
        try trial.removeFile()
        trial.expectFailure(await trial.download(server.url("6")), "redirects")
    }

    @Test(
        "A redirection to another scheme or host is an error",
        arguments: [
            "file:///etc/passwd", "ftp://127.0.0.1/a", "http://localhost:1/a", "//localhost:1/a",
            "data:,a",
        ])
    func otherAddresses(location: String) async {
        let server = LoopbackServer {
            $0.answer([], status: "302 Found", headers: ["Location: \(location)"])
        }
        trial.expectFailure(
            await trial.download(server.url("a"), hosts: ["127.0.0.1"]), "redirects")
    }

    @Test(
        "A redirection to another scheme isn't followed as http",
        arguments: ["file:///next", "x:/next", "ftp:/next"])
    func schemeIsNotReplaced(location: String) async {
        let server = LoopbackServer { [body] connection in
            guard connection.head.hasPrefix("GET /a ") else { return connection.answer(body) }
            connection.answer([], status: "302 Found", headers: ["Location: \(location)"])
        }
        trial.expectFailure(
            await trial.download(server.url("a"), hosts: ["127.0.0.1"]), "redirects")
    }

    @Test("A host's letters have no case") func hostCase() async {
        let server = LoopbackServer { [body] connection in connection.answer(body) }
        let url = server.url("a").absoluteString.replacingOccurrences(
            of: "127.0.0.1", with: "LocalHost")
        guard let url = URL(string: url) else { return }
        #expect(await trial.download(url, hosts: ["LOCALHOST"]).file == body)
    }

    @Test("An address without TLS or of another host isn't asked") func forbiddenAddresses() async {
        let server = LoopbackServer { _ in Issue.record("The server was asked.") }
        trial.expectFailure(await trial.download(server.url("a"), allowsHTTP: false), "isn't https")
        trial.expectFailure(
            await trial.download(server.url("a"), hosts: ["media.example.com"]), "isn't https")
        for text in ["file:///etc/passwd", "data:,a", "https:///a"] {
            if let url = URL(string: text) {
                trial.expectFailure(await trial.download(url), "isn't https")
            }
        }
        trial.expectFailure(await trial.download(server.url("a"), hosts: []), "isn't https")
    }

    @Test(
        "An address with a user isn't asked",
        arguments: ["user:pass@", "user@", ":pass@", ":@", "@"])
    func users(user: String) async throws {
        let server = LoopbackServer { [body] connection in
            if connection.head.contains("/a") { Issue.record("The server was asked.") }
            guard connection.head.contains("/next") else { return connection.answer(body) }
            let host = connection.head.firstMatch(of: /Host: ([0-9.:]+)/)?.output.1 ?? ""
            connection.answer(
                [], status: "302 Found", headers: ["Location: http://\(user)\(host)/a"])
        }
        let address = server.url("a").absoluteString.replacingOccurrences(
            of: "//", with: "//\(user)")
        trial.expectFailure(
            await trial.download(try #require(URL(string: address))), "names a user")
        trial.expectFailure(await trial.download(server.url("next")), "redirects")
        #expect(await trial.download(server.url("b@c?d@e")).file == body)
    }

    #if !canImport(FoundationNetworking)
    @Test("Low Data Mode is respected unless the app decides otherwise", arguments: [false, true])
    func lowDataMode(isAllowed: Bool) {
        #expect(!URLSessionDownloader(hosts: []).configuration.allowsConstrainedNetworkAccess)
        let downloader = URLSessionDownloader(hosts: [], allowsConstrainedNetworkAccess: isAllowed)
        #expect(downloader.configuration.allowsConstrainedNetworkAccess == isAllowed)
        #expect(!downloader.configuration.waitsForConnectivity)
    }
    #endif
}
