import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptAttachments
@testable import PushCryptCore
@testable import PushCryptPayload

/// Files that are sealed for a web server, and their descriptions in the payload.
@Suite struct SealedFileTests {
    private let scratch: Scratch
    private let url = "https://media.example.com/4e1f"

    init() throws {
        scratch = try Scratch()
    }

    private func png(_ length: Int) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + (8..<max(length, 8)).map { UInt8(truncatingIfNeeded: $0) }
    }

    private func seal(_ bytes: [UInt8], url: String? = nil) throws -> MediaAttachment {
        let path = scratch.write(bytes, to: "photo.png")
        return try MediaAttachment(
            sealing: path, to: scratch.file("sealed"), url: url ?? self.url, name: "Anna.png")
    }

    private var sealed: [UInt8] {
        FileManager.default.contents(atPath: scratch.file("sealed")).map { [UInt8]($0) } ?? []
    }

    @Test("A sealed file opens with its description", arguments: [12, 65_536, 300_000])
    func roundTrip(length: Int)
        throws
    {
        let file = png(length)
        var steps: [Int] = []
        let path = scratch.write(file, to: "photo.png")
        let attachment = try MediaAttachment(
            sealing: path, to: scratch.file("sealed"), url: url, name: "Anna.png",
            hidesThumbnail: true,
            progress: { done, _ in steps.append(done) })
        #expect(steps.last == length && steps == steps.sorted())
        #expect(
            attachment.type.rawValue == "image/png" && attachment.name == "Anna.png"
                && attachment.seal != nil)
        // The payload contains the description.
        var payload = Payload(aps: nil)
        payload.attachments = [attachment]
        let read = try #require(try Payload(parsing: payload.json()).attachments.first)
        #expect(read == attachment)
        var decryption = try AttachmentDecryption(#require(read.seal))
        var opened: [UInt8] = []
        try decryption.update(sealed.span) { (part) throws(PushCryptError) in
            opened += [UInt8](copying: part)
        }
        try decryption.finish()
        #expect(opened == file)
        for secret in ["\u{89}PNG\r\n", "Anna.png", "image/png"] {
            #expect(Data(sealed).range(of: Data(secret.utf8)) == nil)
        }
    }

    @Test("A file that the system doesn't show is rejected") func unsupportedFiles() throws {
        #expect(errorCode { try seal(Array("%PDF-1.7 and more".utf8)) } == .unsupportedMedia)
        #expect(errorCode { try seal([]) } == .unsupportedMedia)
        // Almost all bytes of the file are zero.
        let large = scratch.write(png(100), to: "large.png")
        let sealLarge = {
            try MediaAttachment(sealing: large, to: scratch.file("sealed"), url: url)
        }
        try FileHandle(forUpdating: URL(fileURLWithPath: large)).truncate(atOffset: 10_000_001)
        #expect(errorCode { try sealLarge() } == .unsupportedMedia)
        try FileHandle(forUpdating: URL(fileURLWithPath: large)).truncate(atOffset: 10_000_000)
        #expect(try sealLarge().seal?.length == 10_000_000)
    }

    @Test(
        "An address without a server is rejected",
        arguments: ["", "photo.png", "ftp://a.example/b", "https://", "file:///etc"])
    func addresses(url: String) throws {
        #expect(errorCode { try seal(png(100), url: url) } == .malformedAttachment)
    }

    @Test("A failure leaves no sealed file, and replaces none") func failures() throws {
        _ = scratch.write([7], to: "sealed")
        #expect(errorCode { try seal(Array("text".utf8)) } == .unsupportedMedia)
        #expect(sealed == [7])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.file("")).sorted() == [
                "photo.png", "sealed",
            ])
        let missing = errorCode {
            try MediaAttachment(
                sealing: scratch.file("missing"), to: scratch.file("sealed"), url: url)
        }
        #expect(missing == .fileNotFound)
    }

    @Test(
        "The type is recognized by the first bytes",
        arguments: [
            ("image/jpeg", "\u{FF}\u{D8}\u{FF}\u{E0}"), ("image/gif", "GIF89a"),
            ("audio/wav", "RIFF....WAVE"),
            ("audio/aiff", "FORM....AIFF"), ("video/x-msvideo", "RIFF....AVI "),
            ("audio/mp4", "....ftypM4A "),
            ("video/mp4", "....ftypisom"), ("audio/mpeg", "ID3..."),
            ("audio/mpeg", "\u{FF}\u{FB}\u{90}"),
            ("video/mpeg", "\u{0}\u{0}\u{1}\u{BA}"), ("video/mpeg", "\u{0}\u{0}\u{1}\u{B3}"),
            ("audio/mp4", "....ftypM4B "), ("audio/aiff", "FORM....AIFC"),
            ("video/mp4", "....ftypmp42"), ("video/mp4", "....ftypM4V "),
            ("video/mp4", "....ftypavc1"),
            ("video/mp4", "....ftypdash"), ("video/mp4", "....ftypMSNV"),
            ("audio/mpeg", "\u{FF}\u{F3}"),
            ("", "\u{FF}\u{F5}"), ("", "\u{FF}\u{D8}a"), ("", "\u{89}PNGaaaa"), ("", "GIF88a"),
            ("", "....ftypqt  "),
            ("", "....ftypheic"), ("", "<html>"), ("", ""), ("", "\u{FF}"),
        ])
    func types(type: String, start: String) {
        let megabytes = type.hasPrefix("image/") ? 10 : type.hasPrefix("audio/") ? 5 : 50
        #expect(MediaType(rawValue: type).maximumLength == megabytes * 1_000_000)
        let bytes = start.unicodeScalars.map { UInt8($0.value) }
        #expect(MediaType(contentsBeginningWith: bytes)?.rawValue ?? "" == type)
    }

    @Test(
        "A description that isn't valid is rejected",
        arguments: [
            #"{}"#, #"{"url":"https://a.example/b"}"#, #"{"type":"image/png"}"#,
            #"{"url":"https://a.example/b","type":"image/png","key":"AAAA"}"#,
            #"{"url":"https://a.example/b","type":"image/png","length":5}"#,
            #"{"url":"https://a.example/b","type":"image/png","length":10000001}"#,
        ])
    func malformed(json: String) throws {
        let payload = Array("{\"ATTACHMENTS\":[\(json)]}".utf8)
        #expect(errorCode { try MediaAttachment.all(in: payload) } == .malformedAttachment)
    }
}
