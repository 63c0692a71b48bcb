package import PushCryptCore

/// The readable text of a sealed alert.
///
/// The device displays it if no extension opens the message, for example while the device is
/// locked. Each line is a string, or a key of the app's string table in the user's language.
public struct Placeholder: Sendable, Hashable {
    /// The first line; none by default.
    public var title: LocalizableText?
    /// The second line; none by default.
    public var subtitle: LocalizableText?
    /// The text.
    public var body: LocalizableText?

    /// `(Encrypted)`, without a title.
    public static let standard = Placeholder(body: "(Encrypted)")

    /// Creates a placeholder with text in at least one line.
    public init(
        title: LocalizableText? = nil, subtitle: LocalizableText? = nil,
        body: LocalizableText? = nil
    ) {
        self.title = title
        self.subtitle = subtitle
        self.body = body
    }

    /// Writes the placeholder as an `alert` dictionary.
    package func write(to bytes: inout [UInt8]) throws(PushCryptError) {
        guard [title, subtitle, body].contains(where: { $0?.text.isEmpty == false }) else {
            throw PushCryptError(
                .invalidPlaceholder,
                "The placeholder has no text. Add a title, a subtitle or a body.")
        }
        bytes.append(UInt8(ascii: "{"))
        Self.write(title, .title, key: .titleLocKey, arguments: .titleLocArgs, to: &bytes)
        Self.write(
            subtitle, .subtitle, key: .subtitleLocKey, arguments: .subtitleLocArgs, to: &bytes)
        Self.write(body, .body, key: .locKey, arguments: .locArgs, to: &bytes)
        bytes[bytes.count - 1] = UInt8(ascii: "}")
    }

    /// Writes the members of a line, each with a comma after it.
    private static func write(
        _ line: LocalizableText?, _ text: PayloadKey, key: PayloadKey, arguments: PayloadKey,
        to bytes: inout [UInt8]
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
