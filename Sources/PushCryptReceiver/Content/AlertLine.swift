internal import PushCryptPayload

/// One line of an alert: a text, or a key of the app's string table with its arguments.
struct AlertLine {
    private let text: PayloadKey
    private let key: PayloadKey
    private let arguments: PayloadKey

    init(_ text: PayloadKey, _ key: PayloadKey, _ arguments: PayloadKey) {
        self.text = text
        self.key = key
        self.arguments = arguments
    }

    /// The line as the system shows it: the string of a key that the table has, or else the text, or else the key itself.
    ///
    /// - Parameters:
    ///   - alert: the dictionary `alert`.
    ///   - strings: the app's string table; without one, no key is found.
    /// - Returns: the line; empty where there is none.
    func text(in alert: JSONValue?, _ strings: (any StringTable)?) -> String {
        let name = alert?[key.rawValue]?.stringValue ?? ""
        if !name.isEmpty, let format = strings?.string(forKey: name), !format.isEmpty {
            let values = alert?[arguments.rawValue]?.arrayValue ?? []
            // As the system has been seen to do it: without arguments a string is no format, and "%%" stays.
            guard !values.isEmpty else { return format }
            return LocalizedFormat.text(format, arguments: values.map(Self.argument))
        }
        let plain = alert?[text.rawValue]?.stringValue ?? ""
        return plain.isEmpty ? name : plain
    }

    /// An argument as text.
    ///
    /// Apple's table has strings; whole numbers are understood too.
    private static func argument(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): text
        case .number(let number):
            number.exactly(Int64.self).map { "\($0)" } ?? number.exactly(UInt64.self).map { "\($0)" } ?? ""
        default: ""
        }
    }
}
