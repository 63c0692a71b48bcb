import Foundation
import PushCryptReceiver
import PushCryptTesting

/// A Live Activity of an app that delivers food.
enum Order {
    /// What it shows, as an app declares it.
    struct State: Codable, Hashable, Sendable {
        enum Phase: Codable, Hashable, Sendable {
            case cooking
            case onTheWay(courier: String)
        }

        let phase: Phase
        let arrival: Date
        let note: String?
    }

    /// What it starts with.
    struct Details: Codable, Hashable, Sendable {
        let number: Int
        let restaurant: String
    }

    /// The app's attributes, which hold sealed details and travel as these.
    struct Attributes: Codable, Hashable, Sendable {
        let details: SealedActivityValue<Details>

        init(_ details: Details) { self.details = .open(details) }

        init(from decoder: any Decoder) throws {
            details = try decoder.singleValueContainer().decode(SealedActivityValue<Details>.self)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(details)
        }
    }

    /// What ActivityKit decodes of a push, with a decoder that has no settings.
    struct Push: Decodable {
        struct APS: Decodable {
            let contentState: SealedActivityValue<State>?
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
        phase: .onTheWay(courier: "secret courier"), arrival: Date(timeIntervalSinceReferenceDate: 790_000_000.5),
        note: nil)
    static let stateJSON = #"{"phase":{"onTheWay":{"courier":"secret courier"}},"arrival":790000000.5}"#
    static let details = Details(number: 42, restaurant: "secret place")
    static let detailsJSON = #"{"number":42,"restaurant":"secret place"}"#

    /// Payloads as a server would send them without sealing, by their event.
    static let payloads: [LiveActivityEvent: String] = [
        .start: #"{"aps":{"timestamp":1767225600,"event":"start","content-state":\#(stateJSON),"#
            + #""attributes-type":"OrderAttributes","attributes":\#(detailsJSON),"alert":{"title":"a","body":"b"}}}"#,
        .update:
            #"{"aps":{"timestamp":1767225600,"event":"update","content-state":\#(stateJSON),"stale-date":1767229200}}"#,
        .end:
            #"{"aps":{"timestamp":1767225600,"event":"end","dismissal-date":1767229200,"content-state":\#(stateJSON)}}"#,
    ]
}
