import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptDownloads

/// Downloads from servers that are slow, announce another length, redirect in circles or ask for
/// secrets.
@Suite(.ownThread) struct UnusualServersTests {
    private let trial: DownloadTrial
    private let body = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }

    init() throws {
        trial = try DownloadTrial()
    }

    @Test("A slow server's file is stored, because the time is for the whole file") func slow()
        async
    {
        let server = LoopbackServer { [body] connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
            for start in stride(from: 0, to: body.count, by: 20_000) {
                usleep(50_000)
                connection.write(Array(body[start..<start + 20_000]))
            }
        }
        let outcome = await trial.download(server.url("a"))
        #expect(outcome.error == nil && outcome.file == body, "\(outcome)")
    }

    @Test("A server that always sends a little more ends with the time") func trickling() async {
        let server = LoopbackServer { connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n")
            while connection.write([1]) { usleep(100_000) }
        }
        trial.expectFailure(await trial.download(server.url("a"), timeout: 1), "time is over")
    }

    @Test(
        "A server that asks for a login ends the download at once", arguments: ["Basic", "Digest"])
    func login(method: String) async {
        let server = LoopbackServer { connection in
            let header = #"WWW-Authenticate: \#(method) realm="r", nonce="n""#
            connection.answer([], status: "401 Unauthorized", headers: [header])
        }
        let start = ContinuousClock.now
        let outcome = await trial.download(server.url("a"), timeout: 3600)
        #expect(outcome.error?.code == .downloadFailed && outcome.file == nil, "\(outcome)")
        #expect(ContinuousClock.now - start < .seconds(1800))
    }

    @Test("A redirection to an address with a user is an error") func redirectionWithUser() async {
        let server = LoopbackServer { [body] connection in
            guard connection.head.hasPrefix("GET /a ") else { return connection.answer(body) }
            let host = connection.head.split(separator: "\r\n").first { $0.hasPrefix("Host: ") }
            let location = "Location: //user:pw@\(host?.dropFirst(6) ?? "")/b"
            connection.answer([], status: "302 Found", headers: [location])
        }
        trial.expectFailure(await trial.download(server.url("a")), "redirects")
    }

    @Test("A redirection to itself ends after five") func redirectionToItself() async {
        let requests = LockedValue(0)
        let server = LoopbackServer { connection in
            requests.withLock { $0 += 1 }
            connection.answer([], status: "302 Found", headers: ["Location: /a"])
        }
        trial.expectFailure(await trial.download(server.url("a")), "redirects")
        #expect(requests.withLock { $0 } == 6)
    }

    @Test("A file that ends before its announced length is an error", arguments: [0, 1, 199_999])
    func shorterThanAnnounced(length: Int) async {
        let server = LoopbackServer { [body] connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
            connection.write(Array(body.prefix(length)))
        }
        trial.expectFailure(await trial.download(server.url("a")), "connection failed")
    }

    // The digest of a sealed file finds such a file.
    @Test("A file ends at its announced length") func longerThanAnnounced() async {
        let server = LoopbackServer { [body] connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            connection.write(body)
        }
        let outcome = await trial.download(server.url("a"))
        #expect(outcome.error == nil && outcome.file == Array(body.prefix(100_000)))
    }

    @Test("A part of a file, which the request didn't ask for, is an error") func partialContent()
        async
    {
        let server = LoopbackServer { [body] connection in
            #expect(!connection.head.lowercased().contains("range:"))
            connection.answer(
                Array(body.prefix(1000)), status: "206 Partial Content",
                headers: ["Content-Range: bytes 0-999/200000"])
        }
        trial.expectFailure(await trial.download(server.url("a")), "status 206")
    }

    @Test("A cancellation while the server redirects doesn't end the process")
    func redirectedCancellations() async {
        let server = LoopbackServer { connection in
            usleep(500)
            connection.answer([], status: "302 Found", headers: ["Location: /next"])
        }
        for number in 0..<LongRun.count(4, full: 60) {
            let outcome = await trial.download(
                server.url("a"), cancelAfter: Double(number % 60) / 10_000)
            #expect(outcome.error?.code == .downloadFailed && outcome.file == nil)
        }
    }

    @Test(
        "A timeout of any value ends", arguments: [Double.nan, -1, 0, -.infinity, 1e300, .infinity])
    func unusualTimeouts(_ timeout: Double) async {
        let server = LoopbackServer { $0.answer([], status: "404 Not Found") }
        #expect(
            await trial.download(server.url("a"), timeout: timeout).error?.code == .downloadFailed)
    }

    @Test("A length beyond any file is refused") func endlessLength() async {
        let silence = Silence()
        defer { silence.end() }
        let server = LoopbackServer { connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5000000000000000000\r\n\r\nabc")
            silence.wait()
        }
        trial.expectFailure(await trial.download(server.url("a")), "longer than")
    }

    @Test("A request reveals nothing but its address") func headers() async throws {
        let heads = LockedValue<[String]>([])
        let other = LoopbackServer { [body] connection in
            heads.withLock { $0.append(connection.head) }
            connection.answer(body)
        }
        let address = other.url("third").absoluteString.replacingOccurrences(
            of: "127.0.0.1", with: "localhost")
        let server = LoopbackServer { connection in
            heads.withLock { $0.append(connection.head) }
            let next = connection.head.contains("/first") ? "/second" : address
            connection.answer(
                [], status: "302 Found", headers: ["Location: \(next)", "Set-Cookie: a=b; Path=/"])
        }
        #expect(await trial.download(server.url("first")).file == body)
        let names = heads.withLock { heads in
            heads.map { head in
                head.split(separator: "\r\n").dropFirst().map {
                    $0.prefix { $0 != ":" }.lowercased()
                }.sorted()
            }
        }
        let usual = [
            "accept", "accept-encoding", "accept-language", "connection", "host", "user-agent",
        ]
        // No request has a cookie, a referrer or a user.
        #expect(names == [usual, usual, usual])
        for line in [
            "Accept: */*", "Accept-Encoding: identity", "Accept-Language: *",
            "User-Agent: PushCrypt",
        ] {
            #expect(heads.withLock { $0 }.allSatisfy { $0.contains("\r\n\(line)\r\n") }, "\(line)")
        }
    }
}
