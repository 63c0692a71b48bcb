import Foundation
import PushCryptApple
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing
import UserNotifications

@testable import PushCryptDownloads

/// Attachments that the extension downloads.
@Suite(.ownThread) struct AttachmentServiceTests {
    private let requests: Requests
    private let scratch: Scratch
    private let gif = Array("GIF89a and the rest of the picture".utf8)

    init() throws {
        requests = try Requests()
        scratch = try Scratch()
    }

    /// A downloader that doesn't wait for other tests.
    private static var downloader: URLSessionDownloader {
        var downloader = URLSessionDownloader(hosts: ["127.0.0.1"], allowsHTTP: true)
        downloader.turn = DownloadTurn()
        return downloader
    }

    /// A service that downloads from loopback servers.
    private final class Service: TestService {
        let customizations = LockedValue(0)
        let hangs = LockedValue(false)

        override func customizedContent(for notification: OpenedNotification) async throws
            -> UNNotificationContent
        {
            customizations.withLock { $0 += 1 }
            if hangs.withLock({ $0 }) { try await Task.sleep(nanoseconds: 600_000_000_000) }
            return notification.content
        }
    }

    /// A server that answers with the sealed file, changed by a function, and a request whose
    /// payload names it.
    private func notification(
        isSigned: Bool = true,
        answer: @escaping @Sendable (LoopbackServer.Connection, [UInt8]) -> Void
    ) throws -> (server: LoopbackServer, request: UNNotificationRequest) {
        let sealed = scratch.file("sealed")
        let server = LoopbackServer { connection in
            answer(
                connection, FileManager.default.contents(atPath: sealed).map { [UInt8]($0) } ?? [])
        }
        let path = scratch.write(gif, to: "cat.gif")
        let attachment = try MediaAttachment(
            sealing: path, to: sealed, url: server.url("cat").absoluteString, name: "cat",
            hidesThumbnail: true)
        var payload = Payload(title: "t", body: "A cat")
        payload.attachments = [attachment]
        let sealer = Sealer(isSigned ? .signed(by: requests.server) : .anonymous)
        return (
            server,
            try requests.request(
                sealer.seal(json: payload.json(), for: requests.device.publicKey).data)
        )
    }

    private func service(deadline: TimeInterval = 30, isSigned: Bool = true) -> Service {
        Service(
            TestService.Setting(
                keys: InMemoryKeyStore([requests.device]),
                senderPolicy: isSigned ? .signed(by: requests.server.publicKey) : .anyone,
                deadline: deadline,
                downloader: Self.downloader))
    }

    @Test("The picture is displayed with the text") func picture() throws {
        let (server, request) = try notification { $0.answer($1) }
        let (service, recorder) = (service(), ContentRecorder())
        service.didReceive(request, withContentHandler: recorder.handler)
        let content = try #require(recorder.wait())
        let attachment = try #require(content.attachments.first)
        #expect(content.body == "A cat" && content.attachments.count == 1)
        #expect(attachment.identifier == "cat" && attachment.type == "com.compuserve.gif")
        #if !canImport(Darwin)
        // Only the stand-in can tell.
        #expect(attachment.hidesThumbnail)
        #endif
        #expect(FileManager.default.contents(atPath: attachment.url.path) == Data(gif))
        try FileManager.default.removeItem(at: attachment.url)
        _ = server
    }

    @Test(
        "A damaged or missing file leaves the text, and the reason is logged",
        arguments: ["damaged", "missing"])
    func damagedFile(kind: String) throws {
        let (server, request) = try notification { connection, sealed in
            if kind == "missing" { return connection.answer([], status: "404 Not Found") }
            connection.answer(sealed.dropLast() + [0])
        }
        let (service, recorder) = (service(), ContentRecorder())
        service.didReceive(request, withContentHandler: recorder.handler)
        let content = try #require(recorder.wait())
        #expect(content.body == "A cat" && content.attachments.isEmpty)
        #expect(
            service.events.withLock {
                $0.contains(kind == "missing" ? "download-failed" : "damaged-attachment")
            })
        _ = server
    }

    @Test("A stalled server doesn't delay the text beyond its share of the time")
    func stalledServer() throws {
        let silence = Silence()
        defer { silence.end() }
        let (server, request) = try notification { connection, _ in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1066\r\n\r\n")
            silence.wait()
        }
        var body: String?
        // A slow machine opens the text after an early deadline.
        for deadline in [2.0, 16, 128] where body != "A cat" {
            let (service, recorder) = (service(deadline: deadline), ContentRecorder())
            service.didReceive(request, withContentHandler: recorder.handler)
            body = recorder.wait()?.body
        }
        #expect(body == "A cat")
        _ = server
    }

    @Test("The expiry ends a download at once") func expiry() throws {
        let (asked, silence) = (DispatchSemaphore(value: 0), Silence())
        defer { silence.end() }
        let (server, request) = try notification { connection, _ in
            asked.signal()
            silence.wait()
        }
        let (service, recorder) = (service(deadline: 600), ContentRecorder())
        service.didReceive(request, withContentHandler: recorder.handler)
        #expect(asked.wait(timeout: .now() + 600) == .success)
        service.serviceExtensionTimeWillExpire()
        #expect(recorder.wait()?.body == "A cat" && recorder.contents.count == 1)
        _ = server
    }

    @Test(
        "An inbox's own customization and log apply to a notification with an attachment",
        arguments: [true, false])
    func ownCustomization(isWhole: Bool) throws {
        let (server, request) = try notification { $0.answer(isWhole ? $1 : []) }
        let events = LockedValue<[String]>([])
        var configuration = PushConfiguration(
            keys: InMemoryKeyStore([requests.device]),
            senderPolicy: .signed(by: [requests.server.publicKey]))
        configuration.downloader = Self.downloader
        let recorder = ContentRecorder()
        PushInbox(configuration).handle(
            request,
            customizedContent: { notification in
                notification.content.subtitle = "custom"
                return notification.content
            },
            log: { event in events.withLock { $0.append(event.failure?.code.rawValue ?? "shown") }
            },
            contentHandler: recorder.handler)
        let content = try #require(recorder.wait())
        #expect(content.subtitle == "custom" && content.body == "A cat")
        #expect(content.attachments.count == (isWhole ? 1 : 0))
        for attachment in content.attachments {
            try FileManager.default.removeItem(at: attachment.url)
        }
        #expect(
            eventually {
                events.withLock { $0 } == (isWhole ? ["shown"] : ["damaged-attachment", "shown"])
            })
        _ = server
    }

    @Test("After the expiry, the customization doesn't begin, and no file remains")
    func lateDownload() throws {
        let (asked, expired) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let (server, request) = try notification { connection, sealed in
            asked.signal()
            expired.wait()
            connection.answer(sealed)
        }
        let (service, recorder) = (service(), ContentRecorder())
        service.didReceive(request, withContentHandler: recorder.handler)
        #expect(asked.wait(timeout: .now() + 600) == .success)
        service.serviceExtensionTimeWillExpire()
        expired.signal()
        usleep(300_000)
        #expect(
            recorder.contents.map(\.body) == ["A cat"]
                && service.customizations.withLock { $0 } == 0)
        #expect(service.events.withLock { $0 } == ["shown"])
        _ = server
    }

    @Test("If the customization hangs, the picture is displayed at the expiry")
    func hangingCustomization() throws {
        let (server, request) = try notification { $0.answer($1) }
        let (service, recorder) = (service(), ContentRecorder())
        service.hangs.withLock { $0 = true }
        service.didReceive(request, withContentHandler: recorder.handler)
        #expect(eventually { service.customizations.withLock { $0 } == 1 })
        service.serviceExtensionTimeWillExpire()
        let content = try #require(recorder.contents.first)
        #expect(content.body == "A cat" && content.attachments.count == 1)
        for attachment in content.attachments {
            try FileManager.default.removeItem(at: attachment.url)
        }
        _ = server
    }

    @Test(
        "Without hosts in the Info.plist, nothing is downloaded, and only a message with an attachment is logged"
    )
    func missingHosts() throws {
        final class Unfinished: TestService {
            let reasons = LockedValue<[String]>([])
            override func log(_ event: PushEvent) {
                super.log(event)
                if let failure = event.failure { reasons.withLock { $0.append(failure.reason) } }
            }
        }
        // The process of the tests has no Info.plist.
        let service = Unfinished(
            TestService.Setting(
                keys: InMemoryKeyStore([requests.device]),
                senderPolicy: .signed(by: requests.server.publicKey)))
        let (server, request) = try notification { connection, sealed in
            Issue.record("The server was asked.")
            connection.answer(sealed)
        }
        let expected = ["shown", "invalid-configuration", "shown"]
        for (request, body, count) in [
            (try requests.sealed("text"), "text", 1), (request, "A cat", 3),
        ] {
            let recorder = ContentRecorder()
            service.didReceive(request, withContentHandler: recorder.handler)
            let content = try #require(recorder.wait())
            #expect(content.body == body && content.attachments.isEmpty)
            // The event comes after the content.
            #expect(eventually { service.events.withLock { $0 } == Array(expected.prefix(count)) })
        }
        let reason = service.reasons.withLock { $0.first }
        #expect(reason?.hasPrefix("PushCryptAttachmentHosts in the Info.plist is missing") == true)
        _ = server
    }

    @Test("An unsigned message downloads nothing") func unsignedMessage() throws {
        let (server, request) = try notification(isSigned: false) { connection, sealed in
            Issue.record("The server was asked.")
            connection.answer(sealed)
        }
        let (service, recorder) = (service(isSigned: false), ContentRecorder())
        service.didReceive(request, withContentHandler: recorder.handler)
        let content = try #require(recorder.wait())
        #expect(content.body == "A cat" && content.attachments.isEmpty)
        _ = server
    }
}
