internal import ArgumentParser
internal import Foundation
internal import PushCryptSender

/// The headers of a request to APNs.
struct HeaderOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The app's bundle ID, with the suffix of the push type.", valueName: "topic"))
    var topic: String?

    @Option(help: "The push type. Default: alert.")
    var type: PushType?

    @Option(help: ArgumentHelp("The urgency: 1, 5 or 10.", valueName: "number"))
    var priority: String?

    @Option(
        help: ArgumentHelp(
            "The end of the attempts: a period as in 12h, or seconds since 1970. 0: one attempt.", valueName: "time"))
    var expiration: String?

    @Option(help: ArgumentHelp("A push replaces an earlier one with the same ID.", valueName: "id"))
    var collapseId: String?

    /// Returns the headers, of which a line may have its own.
    func headers(replacedBy own: [String: String] = [:]) throws(PushCryptError) -> APNsHeaders {
        let end = expiration.flatMap { try? Period.seconds($0) }.map { "\(Int(Date().timeIntervalSince1970 + $0))" }
        let options = [
            "apns-topic": topic, "apns-push-type": type?.rawValue, "apns-priority": priority,
            "apns-expiration": end ?? expiration, "apns-collapse-id": collapseId, "apns-id": nil,
            "apns-channel-id": nil,
        ]
        guard own.keys.allSatisfy(options.keys.contains) else {
            throw PushCryptError(.invalidHeader, "A header isn't known. Use those of 'pushcrypt seal --lines'.")
        }
        func value<Value>(_ name: String, _ parse: (String) -> Value?) throws(PushCryptError) -> Value? {
            guard let text = own[name] ?? options[name] ?? nil else { return nil }
            if let value = parse(text) { return value }
            throw PushCryptError(.invalidHeader, "The header \(name) isn't valid. Correct it.")
        }
        return APNsHeaders(
            try value("apns-push-type") { PushType(rawValue: $0) } ?? .alert,
            priority: try value("apns-priority") { Int($0).flatMap { APNsHeaders.Priority(rawValue: $0) } },
            expiration: try value("apns-expiration") {
                UInt32($0).map { $0 == 0 ? .once : .at(Date(timeIntervalSince1970: TimeInterval($0))) }
            },
            collapseID: try value("apns-collapse-id") { $0 }, topic: try value("apns-topic") { $0 },
            id: try value("apns-id") { UUID(uuidString: $0) }, channelID: try value("apns-channel-id") { $0 })
    }
}
