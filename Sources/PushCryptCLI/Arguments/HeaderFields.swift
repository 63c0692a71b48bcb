internal import Foundation
internal import PushCryptSender

/// The headers of a request as strings, from the options or from a line.
struct HeaderFields {
    enum Name: String, CaseIterable {
        case topic = "apns-topic"
        case pushType = "apns-push-type"
        case priority = "apns-priority"
        case expiration = "apns-expiration"
        case collapseID = "apns-collapse-id"
        case id = "apns-id"

        /// The option for the header; `nil` if there is none.
        var option: String? {
            switch self {
            case .topic: "--topic"
            case .pushType: "--type"
            case .priority: "--priority"
            case .expiration: "--expiration"
            case .collapseID: "--collapse-id"
            case .id: nil
            }
        }
    }

    private var texts: [Name: String] = [:]

    init(_ options: HeaderOptions) {
        texts[.topic] = options.topic
        texts[.pushType] = options.type?.rawValue
        texts[.priority] = options.priority
        texts[.expiration] = options.expiration.map { "\($0.seconds)" }
        texts[.collapseID] = options.collapseId
    }

    subscript(name: Name) -> String? { texts[name] }

    /// Returns the headers after a line has replaced the ones that its member "headers" names.
    func overriding(with line: LineMembers) throws(PushCryptError) -> HeaderFields {
        guard let headers = line["headers"] else { return self }
        guard headers.kind == .object else {
            throw PushCryptError(
                .invalidHeader, "The member \"headers\" isn't an object. Use an object of strings.")
        }
        var fields = self
        for header in line.children(of: headers) {
            guard let name = Name(rawValue: line.name(of: header)) else {
                throw PushCryptError(
                    .invalidHeader, "A header isn't one that 'pushcrypt send' knows. Remove it.")
            }
            guard let text = line.string(header) else {
                throw PushCryptError(
                    .invalidHeader, "The header \(name.rawValue) isn't a string. Use a string.")
            }
            fields.texts[name] = text
        }
        return fields
    }

    /// Returns the first header for which an option and a line have different values.
    func conflict(with line: HeaderFields) -> Name? {
        Name.allCases.first { name in
            texts[name].map { $0 != line.texts[name] } ?? false
        }
    }

    /// Returns the value of a header; `nil` if it is missing.
    func value<Value>(_ name: Name, _ parse: (String) -> Value?) throws(PushCryptError) -> Value? {
        guard let text = texts[name] else { return nil }
        if let value = parse(text) { return value }
        throw PushCryptError(.invalidHeader, "The header \(name.rawValue) isn't valid. Correct it.")
    }
}
