internal import Foundation
internal import PushCryptSender

/// The headers of a request as strings, from the options or from a line.
struct HeaderFields {
    enum Name: String {
        case topic = "apns-topic"
        case pushType = "apns-push-type"
        case priority = "apns-priority"
        case expiration = "apns-expiration"
        case collapseID = "apns-collapse-id"
        case id = "apns-id"
    }

    private var texts: [Name: String] = [:]

    init(_ options: HeaderOptions) {
        texts[.topic] = options.topic
        texts[.pushType] = options.type?.rawValue
        texts[.priority] = options.priority
        texts[.expiration] = options.expiration.map(Self.seconds)
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

    /// Returns the value of a header; `nil` if it is missing.
    func value<Value>(_ name: Name, _ parse: (String) -> Value?) throws(PushCryptError) -> Value? {
        guard let text = texts[name] else { return nil }
        if let value = parse(text) { return value }
        throw PushCryptError(.invalidHeader, "The header \(name.rawValue) isn't valid. Correct it.")
    }

    /// Returns the end of a period from now in seconds since 1970, or any other text as it is.
    private static func seconds(_ expiration: String) -> String {
        guard let period = try? Period.seconds(expiration) else { return expiration }
        return "\(Int(Date().timeIntervalSince1970 + period))"
    }
}
