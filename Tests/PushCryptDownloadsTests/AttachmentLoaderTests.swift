import Foundation
import PushCryptAttachments
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptDownloads
@testable import PushCryptPayload

/// Attachments from the server to the file that the system shows.
@Suite(.ownThread) struct AttachmentLoaderTests {
    private let scratch: Scratch
    private let gif = Array("GIF89a".utf8) + (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    private var directory: String { scratch.file("attachments") }

    init() throws {
        scratch = try Scratch()
    }

    /// A server whose files are bytes, `nil` for one that stalls until a silence ends.
    private func server(
        _ files: [String: [UInt8]?], silence: Silence = Silence(),
        asked: @escaping @Sendable () -> Void = {}
    ) -> LoopbackServer {
        LoopbackServer { connection in
            asked()
            let name = String(connection.head.split(separator: " ")[1].dropFirst())
            guard let file = files[name] else {
                return connection.answer([], status: "404 Not Found")
            }
            guard let file else {
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nGIF89a")
                silence.wait()
                return
            }
            connection.answer(file)
        }
    }

    private func seal(_ file: [UInt8], _ url: String) throws -> (MediaAttachment, [UInt8]) {
        let (path, sealed) = (scratch.write(file, to: "in"), scratch.file("sealed"))
        let attachment = try MediaAttachment(sealing: path, to: sealed, url: url)
        return (attachment, [UInt8](try #require(FileManager.default.contents(atPath: sealed))))
    }

    private func load(
        _ attachments: [MediaAttachment], timeout: TimeInterval = 600,
        cancelWhen isDue: (() -> Bool)? = nil
    ) async -> (file: [UInt8]?, path: String?, code: String?, names: [String]) {
        for name in names where name.count == 50 && name.hasSuffix(".gif") {
            try? FileManager.default.removeItem(atPath: "\(directory)/\(name)")
        }
        let downloader = URLSessionDownloader(hosts: ["127.0.0.1"], allowsHTTP: true)
        let loader = AttachmentLoader(
            downloader: downloader, directory: directory, turn: DownloadTurn())
        // A child task, because it inherits the thread of the test.
        let result = await withTaskGroup(of: Result<LoadedAttachment?, PushCryptError>.self) {
            group in
            group.addTask {
                do throws(PushCryptError) {
                    return .success(try await loader.load(attachments, timeout: timeout))
                } catch {
                    return .failure(error)
                }
            }
            if let isDue {
                for _ in 0..<12_000 where !isDue() { try? await Task.sleep(nanoseconds: 5_000_000) }
                group.cancelAll()
            }
            return await group.next()
        }
        switch result {
        case .success(nil): return (nil, nil, "empty", names)
        case .success(let loaded?):
            return (
                FileManager.default.contents(atPath: loaded.path).map { [UInt8]($0) }, loaded.path,
                nil, names
            )
        case .failure(let error): return (nil, nil, error.code.rawValue, names)
        case nil: return (nil, nil, "missing", names)
        }
    }

    private var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    }

    private let address = "http://127.0.0.1/"

    private func moved(_ attachment: MediaAttachment, to url: URL) -> MediaAttachment {
        var copy = attachment
        copy.url = url.absoluteString
        return copy
    }

    @Test("A sealed file is downloaded, opened and stored for its owner only") func sealedFile()
        async throws
    {
        let (attachment, sealed) = try seal(gif, address)
        let server = server(["a": sealed])
        let loaded = await load([moved(attachment, to: server.url("a"))])
        #expect(
            loaded.file == gif && loaded.path?.hasSuffix(".gif") == true && loaded.names.count == 1)
        for (path, mode) in [(loaded.path ?? "", 0o600), (directory, 0o700)] {
            #expect(
                try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                    == mode)
        }
    }

    @Test(
        "A file of any length comes through a server",
        arguments: [6, 1023, 1024, 1025, 65_535, 65_536, 65_537, 131_072])
    func lengths(length: Int) async throws {
        let file =
            Array(gif.prefix(6)) + (6..<length).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
        let (attachment, sealed) = try seal(file, address)
        let server = server(["a": sealed])
        #expect(await load([moved(attachment, to: server.url("a"))]).file == file)
    }

    @Test("A plain file is stored if it has its type") func plainFile() async {
        let server = server(["a": gif, "b": Array("<html>".utf8), "c": []])
        let type = MediaType(rawValue: "image/gif")
        #expect(
            await load([MediaAttachment(url: server.url("a").absoluteString, type: type)]).file
                == gif)
        for name in ["b", "c"] {
            let loaded = await load([
                MediaAttachment(url: server.url(name).absoluteString, type: type)
            ])
            #expect(loaded.code == "unsupported-media" && loaded.names.isEmpty, "\(loaded)")
        }
        let other = await load([
            MediaAttachment(
                url: server.url("a").absoluteString, type: MediaType(rawValue: "image/png"))
        ])
        #expect(other.code == "unsupported-media")
    }

    @Test("A damaged, missing or longer file leaves nothing behind") func damagedFiles()
        async throws
    {
        let (attachment, sealed) = try seal(gif, address)
        var changed = sealed
        changed[70_000] ^= 1
        let (_, other) = try seal(gif, address)
        let files = [
            "short": Array(sealed.dropLast(1000)), "changed": changed, "long": sealed + [0],
            "other": other,
            "doubled": sealed + sealed,
        ]
        let server = server(files)
        for name in files.keys.sorted() + ["missing"] {
            let loaded = await load([moved(attachment, to: server.url(name))])
            let isDownloaded = !["missing", "long", "doubled"].contains(name)
            #expect(
                loaded.code == (isDownloaded ? "damaged-attachment" : "download-failed"), "\(name)")
            #expect(loaded.names.isEmpty, "\(name): \(loaded.names)")
        }
    }

    @Test("The most preferred usable attachment is the result") func preference() async throws {
        let (good, sealed) = try seal(gif, address)
        let other = Array("GIF87a and another".utf8)
        let (silence, asked) = (Silence(), LockedValue(0))
        defer { silence.end() }
        let server = server(["good": sealed, "other": other, "stalls": nil], silence: silence) {
            asked.withLock { $0 += 1 }
        }
        let plain = MediaAttachment(
            url: server.url("other").absoluteString, type: MediaType(rawValue: "image/gif"))
        let attachment = moved(good, to: server.url("good"))
        #expect(await load([attachment, plain]).file == gif)
        #expect(
            await load([moved(good, to: server.url("missing")), plain, attachment]).file == other)
        // The first one stalls until its share of the time is over.
        let stalling = moved(good, to: server.url("stalls"))
        var loaded = await load([stalling, plain], timeout: 1)
        // A slow machine needs more time for the other one.
        for timeout in [8.0, 64] where loaded.file == nil {
            loaded = await load([stalling, plain], timeout: timeout)
        }
        #expect(loaded.file == other)
        let fifth = Array(repeating: moved(good, to: server.url("missing")), count: 4) + [plain]
        #expect(await load(fifth).code == "download-failed")
        let count = asked.withLock { $0 }
        #expect(
            await load([stalling, plain], cancelWhen: { asked.withLock { $0 } > count }).code
                == "download-failed")
        #expect(
            asked.withLock { $0 } == count + 1, "After the cancellation, no other one is asked.")
        #expect(await load([]).code == "empty")
    }

    @Test("A less preferred file isn't asked for if the first one can be used") func oneFile()
        async throws
    {
        let (attachment, sealed) = try seal(gif, address)
        let asked = LockedValue<[String]>([])
        let server = LoopbackServer { connection in
            asked.withLock { $0.append(String(connection.head.split(separator: " ")[1])) }
            connection.answer(sealed)
        }
        let loaded = await load([
            moved(attachment, to: server.url("a")), moved(attachment, to: server.url("b")),
        ])
        #expect(loaded.file == gif && loaded.names.count == 1 && asked.withLock { $0 } == ["/a"])
    }

    /// A downloader without a limit, whose file is sparse.
    private struct Unlimited: AttachmentDownloader {
        let length: UInt64

        func download(_ url: URL, to path: String, maximumLength: Int, timeout: TimeInterval)
            async throws
        {
            _ = FileManager.default.createFile(atPath: path, contents: Data("GIF89a".utf8))
            let file = try #require(FileHandle(forWritingAtPath: path))
            try file.truncate(atOffset: length)
        }
    }

    @Test(
        "A plain file of another downloader has Apple's limit too",
        arguments: [10_000_000, 10_000_001] as [UInt64])
    func plainFileLimit(length: UInt64) async throws {
        let attachment = MediaAttachment(
            url: "https://a.example/b", type: MediaType(rawValue: "image/gif"))
        let loader = AttachmentLoader(
            downloader: Unlimited(length: length), directory: directory, turn: DownloadTurn())
        var code: PushCryptError.Code?
        do { _ = try await loader.load([attachment], timeout: 60) } catch { code = error.code }
        #expect(
            code == (length > 10_000_000 ? .unsupportedMedia : nil)
                && names.count == (code == nil ? 1 : 0))
    }

    @Test("Files that a killed process left are removed") func leftovers() async throws {
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        let old = [
            "pushcrypt-\(UUID())", "pushcrypt-\(UUID()).gif",
            "pushcrypt-\(UUID()).png.pushcrypt-4e1f.tmp",
        ]
        let new = "pushcrypt-\(UUID()).png"
        let others = [
            "mine", UUID().uuidString, "pushcrypt-notes.txt", "pushcrypt-server.jwks",
            "pushcrypt-\(UUID())-copy",
        ]
        for (name, age) in (old + others).map({ ($0, 3600.0) }) + [(new, 1)] {
            let path = "\(directory)/\(name)"
            _ = FileManager.default.createFile(atPath: path, contents: Data([1]))
            try FileManager.default.setAttributes(
                [.modificationDate: Date() - age], ofItemAtPath: path)
        }
        let server = server(["a": gif])
        let loaded = await load([
            MediaAttachment(
                url: server.url("a").absoluteString, type: MediaType(rawValue: "image/gif"))
        ]
        )
        #expect(others.allSatisfy(loaded.names.contains), "A file of the user was removed.")
        #expect(
            loaded.file == gif && loaded.names.contains(new)
                && loaded.names.count == others.count + 2)
    }
}
