import Foundation
import PushCryptApple
import PushCryptSender
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptPayload

/// The code of the page about attachments.
@Suite(.ownThread) struct AttachmentsPageTests {
    private static func setDownloader(of configuration: inout PushConfiguration) {
        configuration.downloader = URLSessionDownloader(
            hosts: ["media.example.com", "www.example.com"], allowsConstrainedNetworkAccess: true)
    }

    @Test("A photo is sealed once, uploaded, and opened again by the app") func photo() async throws
    {
        let scratch = try Scratch()
        let photoPath = scratch.write(Array("GIF89a and the rest".utf8), to: "photo.gif")
        let (sealedPath, directory) = (scratch.file("sealed"), scratch.file("shown"))
        let recipients = try [TestKeys.device(), TestKeys.device(.bob)]
        let devices = recipients.map(\.publicKey)
        let sealer = Sealer(.signed(by: try TestKeys.sender()))
        let (uploads, pushes) = (LockedValue<[String]>([]), LockedValue<[SealedPush]>([]))
        func upload(_ path: String) throws { uploads.withLock { $0.append(path) } }
        func send(_ push: SealedPush) throws { pushes.withLock { $0.append(push) } }

        let photo = try MediaAttachment(
            sealing: photoPath, to: sealedPath, url: "https://media.example.com/4e1f",
            name: "photo.gif")
        try upload(sealedPath)
        var payload = Payload(title: "New photo", body: "From Anna")
        payload.attachments = [photo]
        for device in devices {
            try send(sealer.seal(payload, for: device))
        }
        #expect(uploads.withLock { $0 } == [sealedPath] && pushes.withLock { $0.count } == 2)
        let logo = MediaAttachment(url: "https://www.example.com/logo.png", type: .png)
        payload.attachments = [photo, logo]
        #expect(
            try Payload(parsing: payload.json()).attachments.map { $0.seal != nil } == [
                true, false,
            ])
        try #expect(#require(payload.attachments.first.map { try Payload.bytes(of: $0) }) < 300)

        let shown = LockedValue<[String]>([])
        func show(_ path: String) { shown.withLock { $0.append(path) } }
        let userInfo = try SystemDelivery.userInfo(#require(pushes.withLock { $0.first }).payload)
        let inbox = PushInbox(
            PushConfiguration(
                keys: InMemoryKeyStore(recipients),
                senderPolicy: .signed(by: [try TestKeys.sender().publicKey])))
        let notification = DeliveredNotification(content: NotificationContent(), userInfo: userInfo)
        let downloader = Upload(path: sealedPath)
        let reader = try inbox.read(notification)
        if let push = reader.push,
            let photo = try await downloader.attachment(of: push, in: directory, timeout: 20)
        {
            show(photo.path)
        }
        let path = try #require(shown.withLock { $0.first })
        #expect(FileManager.default.contentsEqual(atPath: path, andPath: photoPath))
    }

    /// A downloader of its own, which copies the uploaded file.
    private struct Upload: AttachmentDownloader {
        let path: String

        func download(_ url: URL, to path: String, maximumLength: Int, timeout: TimeInterval)
            async throws
        {
            #expect(
                url.absoluteString == "https://media.example.com/4e1f" && maximumLength == 1066
                    && timeout <= 20)
            try FileManager.default.copyItem(atPath: self.path, toPath: path)
        }
    }
}

extension Payload {
    /// Returns the length of an attachment's JSON in bytes.
    fileprivate static func bytes(of attachment: MediaAttachment) throws -> Int {
        var payload = Payload(aps: nil)
        payload.attachments = [attachment]
        return try payload.json().count
    }
}
