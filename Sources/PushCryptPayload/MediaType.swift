/// The type of an attachment, one of those that the system shows
/// (https://developer.apple.com/documentation/usernotifications/unnotificationattachment).
public struct MediaType: RawRepresentable, Sendable, Hashable {
    /// The media type, such as `image/jpeg` (RFC 6838).
    public let rawValue: String

    /// Creates a media type.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The supported types, each with the extension of its files.
    package static let supported: [(type: MediaType, fileExtension: String)] = [
        ("image/jpeg", "jpg"), ("image/png", "png"), ("image/gif", "gif"), ("audio/aiff", "aif"), ("audio/wav", "wav"),
        ("audio/mpeg", "mp3"), ("audio/mp4", "m4a"), ("video/mpeg", "mpg"), ("video/mp4", "mp4"),
        ("video/x-msvideo", "avi"),
    ].map { (MediaType(rawValue: $0), $1) }

    /// The extension of a file that the system shows; `nil` for an unsupported type.
    package var fileExtension: String? { Self.supported.first { $0.type == self }?.fileExtension }

    /// The most bytes of a file that the system shows: 10 MB of an image, 5 MB of audio, 50 MB of a video.
    package var maximumLength: Int {
        let megabytes = rawValue.hasPrefix("image/") ? 10 : rawValue.hasPrefix("audio/") ? 5 : 50
        return megabytes * 1_000_000
    }

    /// Returns the type of a file by its first 12 bytes, or `nil` if the system doesn't show it.
    package init?(contentsBeginningWith start: [UInt8]) {
        func has(_ text: StaticString, at offset: Int = 0) -> Bool {
            start.dropFirst(offset).starts(with: Array("\(text)".utf8))
        }
        if start.starts(with: [0xFF, 0xD8, 0xFF]) {
            self.init(rawValue: "image/jpeg")
        } else if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self.init(rawValue: "image/png")
        } else if has("GIF87a") || has("GIF89a") {
            self.init(rawValue: "image/gif")
        } else if has("FORM"), has("AIFF", at: 8) || has("AIFC", at: 8) {
            self.init(rawValue: "audio/aiff")
        } else if has("RIFF"), has("WAVE", at: 8) {
            self.init(rawValue: "audio/wav")
        } else if has("RIFF"), has("AVI ", at: 8) {
            self.init(rawValue: "video/x-msvideo")
        } else if has("ftypM4A", at: 4) || has("ftypM4B", at: 4) {
            self.init(rawValue: "audio/mp4")
        } else if ["iso", "mp4", "M4V", "avc1", "dash", "MSNV"].contains(where: { has("ftyp", at: 4) && has($0, at: 8) }
        ) {
            // Images of the type HEIF begin with other brands.
            self.init(rawValue: "video/mp4")
        } else if start.starts(with: [0, 0, 1, 0xBA]) || start.starts(with: [0, 0, 1, 0xB3]) {
            self.init(rawValue: "video/mpeg")
        } else if has("ID3") || start.count > 1 && start[0] == 0xFF && start[1] & 0xE6 == 0xE2 {
            self.init(rawValue: "audio/mpeg")
        } else {
            return nil
        }
    }
}
