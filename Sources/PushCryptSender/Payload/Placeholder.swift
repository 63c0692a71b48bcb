/// What a device shows where no extension opens the message: on an old version of the app, or while it is locked.
///
/// It travels in the clear.
public struct Placeholder: Sendable, Hashable {
    /// The first line; none by default.
    public var title: String?
    /// The second line; none by default.
    public var subtitle: String?
    /// The text.
    public var body: String?

    /// `(Encrypted)`, without a title.
    public static let standard = Placeholder(body: "(Encrypted)")

    /// Makes a placeholder.
    ///
    /// It must have some text, or the system would not run the extension.
    ///
    /// - Parameters:
    ///   - title: the first line.
    ///   - subtitle: the second line.
    ///   - body: the text.
    public init(title: String? = nil, subtitle: String? = nil, body: String? = nil) {
        self.title = title
        self.subtitle = subtitle
        self.body = body
    }

    /// Writes the placeholder as an `alert` dictionary.
    func write(to bytes: inout [UInt8]) throws(PushCryptError) {
        guard ![title, subtitle, body].allSatisfy({ $0?.isEmpty ?? true }) else {
            throw PushCryptError(
                .invalidPlaceholder,
                "The placeholder has no text. Without a title, subtitle or body the system does not run the extension.")
        }
        var separator = UInt8(ascii: "{")
        for (name, text) in [("title", title), ("subtitle", subtitle), ("body", body)] {
            guard let text else { continue }
            bytes.append(separator)
            separator = UInt8(ascii: ",")
            JSONText.append(name, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            JSONText.append(text, to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }
}
