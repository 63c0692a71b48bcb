internal import ArgumentParser
internal import Foundation
internal import PushCryptSender

/// The headers of a request to APNs.
struct HeaderOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The app's bundle ID, with the suffix of the push type.", valueName: "topic"))
    var topic: String?

    @Option(help: "The push type. Default: alert.") var type: PushType?
    @Option(help: ArgumentHelp("The urgency: 1, 5 or 10.", valueName: "number")) var priority: String?

    @Option(
        help: ArgumentHelp(
            "The end of the attempts: a period as in 12h, or seconds since 1970. 0: one attempt.", valueName: "time"))
    var expiration: String?

    @Option(help: ArgumentHelp("A push replaces an earlier one with the same ID.", valueName: "id"))
    var collapseId: String?

    /// Returns the headers of a line, or else of these options.
    func headers(of line: [UInt8] = [], _ document: JSONDocument? = nil) throws(PushCryptError) -> APNsHeaders {
        let end = expiration.flatMap { try? Period.seconds($0) }.map { "\(Int(Date().timeIntervalSince1970 + $0))" }
        var fields = [
            "apns-topic": topic, "apns-push-type": type?.rawValue, "apns-priority": priority,
            "apns-expiration": end ?? expiration, "apns-collapse-id": collapseId, "apns-id": nil,
        ]
        if let document, let own = document.member("headers", in: line.span) {
            for header in own.kind == .object ? document.children(of: own).map(\.self) : [own] {
                let (name, text) = (document.name(of: header, in: line.span), document.string(header, in: line.span))
                guard let text, fields.keys.contains(name) else {
                    throw PushCryptError(.invalidHeader, "A header isn't one of 'pushcrypt seal --lines'. Remove it.")
                }
                fields[name] = text
            }
        }
        func value<Value>(_ name: String, _ parse: (String) -> Value?) throws(PushCryptError) -> Value? {
            guard let text = fields[name] ?? nil else { return nil }
            if let value = parse(text) { return value }
            throw PushCryptError(.invalidHeader, "The header \(name) isn't valid. Correct it.")
        }
        return APNsHeaders(
            try value("apns-push-type") { PushType(rawValue: $0) } ?? .alert,
            priority: try value("apns-priority") { Int($0).flatMap { APNsHeaders.Priority(rawValue: $0) } },
            expiration: try value("apns-expiration") {
                UInt32($0).map { $0 == 0 ? .once : .at(Date(timeIntervalSince1970: TimeInterval($0))) }
            },
            collapseID: fields["apns-collapse-id"] ?? nil, topic: fields["apns-topic"] ?? nil,
            id: try value("apns-id") { UUID(uuidString: $0) })
    }
}
