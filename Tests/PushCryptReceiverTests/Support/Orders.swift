import Foundation
import PushCryptReceiver
import PushCryptTesting

/// A Live Activity of an app for food delivery.
enum Order {
    /// The state, as an app declares it.
    struct State: Codable, Hashable, Sendable {
        enum Phase: Codable, Hashable, Sendable {
            case cooking
            case onTheWay(courier: String)
        }

        let phase: Phase
        let arrival: Date
        let note: String?
    }

    /// The details at the start.
    struct Details: Codable, Hashable, Sendable {
        let number: Int
        let restaurant: String
    }

    /// The app's attributes, which encode as their sealed details.
    struct Attributes: Codable, Hashable, Sendable {
        let details: SealedActivityAttributes<Details>

        init(_ details: Details) { self.details = .open(details) }

        init(from decoder: any Decoder) throws {
            details = try decoder.singleValueContainer().decode(
                SealedActivityAttributes<Details>.self)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(details)
        }
    }

    /// The members that ActivityKit decodes, with a decoder without settings.
    struct Push: Decodable {
        struct APS: Decodable {
            let contentState: SealedActivityState<State>?
            let attributes: Attributes?

            enum CodingKeys: String, CodingKey {
                case contentState = "content-state"
                case attributes
            }
        }

        let aps: APS

        static func decode(_ payload: [UInt8]) throws -> APS {
            try JSONDecoder().decode(Push.self, from: Data(payload)).aps
        }
    }

    static let state = State(
        phase: .onTheWay(courier: "secret courier"),
        arrival: Date(timeIntervalSinceReferenceDate: 790_000_000.5),
        note: nil)
    static let stateJSON =
        #"{"phase":{"onTheWay":{"courier":"secret courier"}},"arrival":790000000.5}"#
    static let details = Details(number: 42, restaurant: "secret place")
    static let detailsJSON = #"{"number":42,"restaurant":"secret place"}"#

    /// The unsealed payload of each event.
    static let payloads: [LiveActivityEvent: String] = [
        .start: #"{"aps":{"timestamp":1767225600,"event":"start","content-state":\#(stateJSON),"#
            + #""attributes-type":"OrderAttributes","attributes":\#(detailsJSON),"alert":{"title":"a","body":"b"}}}"#,
        .update:
            #"{"aps":{"timestamp":1767225600,"event":"update","content-state":\#(stateJSON),"stale-date":1767229200}}"#,
        .end:
            #"{"aps":{"timestamp":1767225600,"event":"end","dismissal-date":1767229200,"content-state":\#(stateJSON)}}"#,
    ]
}
