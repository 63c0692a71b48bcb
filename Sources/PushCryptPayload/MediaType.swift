/// The type of an attachment that the system can display
/// (https://developer.apple.com/documentation/usernotifications/unnotificationattachment).
public struct MediaType: RawRepresentable, Sendable, Hashable {
    /// The media type, such as `image/jpeg` (RFC 6838).
    public let rawValue: String

    /// Creates a media type.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A JPEG image.
    public static let jpeg = MediaType(rawValue: "image/jpeg")
    /// A PNG image.
    public static let png = MediaType(rawValue: "image/png")
    /// A GIF image.
    public static let gif = MediaType(rawValue: "image/gif")
    /// Audio in AIFF or AIFF-C.
    public static let aiff = MediaType(rawValue: "audio/aiff")
    /// Audio in WAV.
    public static let wav = MediaType(rawValue: "audio/wav")
    /// Audio in MP3.
    public static let mp3 = MediaType(rawValue: "audio/mpeg")
    /// Audio in MPEG-4.
    public static let mpeg4Audio = MediaType(rawValue: "audio/mp4")
    /// A video in MPEG-1 or MPEG-2.
    public static let mpeg = MediaType(rawValue: "video/mpeg")
    /// A video in MPEG-4.
    public static let mpeg4 = MediaType(rawValue: "video/mp4")
    /// A video in AVI.
    public static let avi = MediaType(rawValue: "video/x-msvideo")

    /// The types that the system displays.
    public static let supported: [MediaType] = [
        .jpeg, .png, .gif, .aiff, .wav, .mp3, .mpeg4Audio, .mpeg, .mpeg4, .avi,
    ]

    private static let fileExtensions: [MediaType: String] = [
        .jpeg: "jpg", .png: "png", .gif: "gif", .aiff: "aif", .wav: "wav", .mp3: "mp3",
        .mpeg4Audio: "m4a",
        .mpeg: "mpg", .mpeg4: "mp4", .avi: "avi",
    ]

    /// The extension of a file that the system displays, such as `jpg`; `nil` for an unsupported
    /// type.
    public var fileExtension: String? { Self.fileExtensions[self] }

    /// The maximum length of a file that the system displays: 10 MB for an image, 5 MB for audio,
    /// 50 MB for a video.
    public var maximumLength: Int {
        let megabytes = rawValue.hasPrefix("image/") ? 10 : rawValue.hasPrefix("audio/") ? 5 : 50
        return megabytes * 1_000_000
    }

    /// Returns the type of a file by its first 12 bytes, or `nil` if the system doesn't display it.
    package init?(contentsBeginningWith start: [UInt8]) {
        func has(_ text: StaticString, at offset: Int = 0) -> Bool {
            start.dropFirst(offset).starts(with: Array("\(text)".utf8))
        }
        if start.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if has("GIF87a") || has("GIF89a") {
            self = .gif
        } else if has("FORM"), has("AIFF", at: 8) || has("AIFC", at: 8) {
            self = .aiff
        } else if has("RIFF"), has("WAVE", at: 8) {
            self = .wav
        } else if has("RIFF"), has("AVI ", at: 8) {
            self = .avi
        } else if has("ftypM4A", at: 4) || has("ftypM4B", at: 4) {
            self = .mpeg4Audio
        } else if ["iso", "mp4", "M4V", "avc1", "dash", "MSNV"].contains(where: {
            has("ftyp", at: 4) && has($0, at: 8)
        }
        ) {
            // Images of the type HEIF begin with other brands.
            self = .mpeg4
        } else if start.starts(with: [0, 0, 1, 0xBA]) || start.starts(with: [0, 0, 1, 0xB3]) {
            self = .mpeg
        } else if has("ID3") || start.count > 1 && start[0] == 0xFF && start[1] & 0xE6 == 0xE2 {
            self = .mp3
        } else {
            return nil
        }
    }
}
