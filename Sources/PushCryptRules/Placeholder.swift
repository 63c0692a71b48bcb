package import PushCryptCore
internal import PushCryptPayload

/// What a device shows where no extension opens the message: on an old version of the app, or while it is locked.
///
/// It travels in the clear. Each line is a text, or a key of the app's string table, which the system looks up in the
/// user's language.
public struct Placeholder: Sendable, Hashable {
    /// One line of a placeholder.
    public enum Line: Sendable, Hashable {
        /// A text.
        case text(String)
        /// A key of the app's string table, and what stands for the `%@` in its string.
        case localized(key: String, arguments: [String] = [])

        var isEmpty: Bool {
            switch self {
            case .text(let text): text.isEmpty
            case .localized(let key, _): key.isEmpty
            }
        }
    }

    /// The first line; none by default.
    public var title: Line?
    /// The second line; none by default.
    public var subtitle: Line?
    /// The text.
    public var body: Line?

    /// `(Encrypted)`, without a title.
    public static let standard = Placeholder(body: "(Encrypted)")

    /// Makes a placeholder of texts.
    ///
    /// It must have some text, or the system would not run the extension.
    ///
    /// - Parameters:
    ///   - title: the first line.
    ///   - subtitle: the second line.
    ///   - body: the text.
    public init(title: String? = nil, subtitle: String? = nil, body: String? = nil) {
        self.init(title: title.map { .text($0) }, subtitle: subtitle.map { .text($0) }, body: body.map { .text($0) })
    }

    /// Makes a placeholder of lines: for the user's language, `Placeholder(body: .localized(key: "ENCRYPTED"))`.
    ///
    /// - Parameters:
    ///   - title: the first line.
    ///   - subtitle: the second line.
    ///   - body: the text.
    @_disfavoredOverload
    public init(title: Line? = nil, subtitle: Line? = nil, body: Line? = nil) {
        self.title = title
        self.subtitle = subtitle
        self.body = body
    }

    /// Writes the placeholder as an `alert` dictionary.
    package func write(to bytes: inout [UInt8]) throws(PushCryptError) {
        guard ![title, subtitle, body].allSatisfy({ $0?.isEmpty ?? true }) else {
            throw PushCryptError(
                .invalidPlaceholder,
                "The placeholder has no text. Without a title, subtitle or body the system does not run the extension.")
        }
        bytes.append(UInt8(ascii: "{"))
        Self.write(title, .title, .titleLocKey, .titleLocArgs, to: &bytes)
        Self.write(subtitle, .subtitle, .subtitleLocKey, .subtitleLocArgs, to: &bytes)
        Self.write(body, .body, .locKey, .locArgs, to: &bytes)
        bytes[bytes.count - 1] = UInt8(ascii: "}")
    }

    /// Writes one line's members, each with a comma behind it.
    private static func write(
        _ line: Line?, _ text: PayloadKey, _ key: PayloadKey, _ arguments: PayloadKey, to bytes: inout [UInt8]
    ) {
        switch line {
        case nil:
            break
        case .text(let string):
            write(text, string, to: &bytes)
        case .localized(let name, let values):
            write(key, name, to: &bytes)
            guard !values.isEmpty else { return }
            JSONText.append(arguments.rawValue, to: &bytes)
            bytes += ":[".utf8
            for value in values {
                JSONText.append(value, to: &bytes)
                bytes.append(UInt8(ascii: ","))
            }
            bytes[bytes.count - 1] = UInt8(ascii: "]")
            bytes.append(UInt8(ascii: ","))
        }
    }

    private static func write(_ key: PayloadKey, _ string: String, to bytes: inout [UInt8]) {
        JSONText.append(key.rawValue, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        JSONText.append(string, to: &bytes)
        bytes.append(UInt8(ascii: ","))
    }
}

extension Placeholder.Line: ExpressibleByStringLiteral {
    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }
}
