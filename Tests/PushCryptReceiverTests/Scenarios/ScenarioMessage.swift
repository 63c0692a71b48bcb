import Foundation
import PushCryptCore

@testable import PushCryptReceiver

/// A sealed message of a scenario.
struct ScenarioMessage: Sendable {
    let body: String
    let account: Int
    let kind: MessageKind
    private(set) var payload: [UInt8]
    let collapseID: String?
    let issued: Int64
    /// The lifetime in seconds.
    let lifetime: Int64
    private(set) var sealed: String

    /// Returns the message with another sealed value.
    func replacing(_ other: String) -> ScenarioMessage {
        var message = self
        let text = String(decoding: payload, as: UTF8.self)
        message.payload = Array(text.replacingOccurrences(of: sealed, with: other).utf8)
        message.sealed = other
        return message
    }

    /// The time from which the message is too old, in milliseconds since 1970.
    var end: Int64 {
        issued + Int64(Freshness.standard.maximumAge(lifetime: UInt64(lifetime) * 1000))
    }
}

/// A moment at which a process is killed.
enum ScenarioKill: String, Sendable, CaseIterable {
    case atArrival = "at-arrival"
    case beforeOpen = "before-open"
    case beforeDisplay = "before-display"
    case afterDisplay = "after-display"
}
