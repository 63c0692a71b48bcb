import Foundation
import PushCryptReceiver
import PushCryptTesting
import TestSupport
import Testing

/// Random payloads that the extension opens, the system stores as a dictionary, and the app reads.
@Suite struct UserInfoRoundTripTests {
    private static let names = [
        "a", "b", "é", "e\u{323}", "", "a.b", "k\"\\", "\u{1F469}\u{200D}\u{1F467}", "order",
    ]
    private static let scalars = [
        "null", "true", "false", "0", "1", "-1", "42", "9223372036854775807",
        "-9223372036854775808", "9223372036854775808", "18446744073709551615", "0.5", "1.10", "1e3",
        "1E-7", "1e300", "3.141592653589793",
        "123456789012345678901234567890", "0.10000000000000000000000001", #""""#, #""a""#,
        #""\u00e9\n\t\"\\\/""#,
        #""\ud83d\ude00""#, #""%@ %n""#, #""{\"a\":1}""#, #""\u202e\u0000""#, "-0", "-0.0", "1.0",
        "1e400",
    ]

    private var random = SeededRandom(seed: 0x5EA1)

    private mutating func value(depth: Int) -> String {
        switch Int.random(in: 0..<8, using: &random) {
        case 0 where depth > 0:
            let elements = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                value(depth: depth - 1)
            }
            return "[\(elements.joined(separator: ","))]"
        case 1...2 where depth > 0:
            return object(depth: depth - 1)
        default:
            return Self.scalars.randomElement(using: &random) ?? "0"
        }
    }

    private mutating func object(depth: Int) -> String {
        let names = Self.names.shuffled(using: &random).prefix(
            Int.random(in: 0...3, using: &random))
        var members: [String] = []
        for name in names {
            var quoted: [UInt8] = []
            JSONText.append(name, to: &quoted)
            members.append("\(String(decoding: quoted, as: UTF8.self)):\(value(depth: depth))")
        }
        return "{\(members.joined(separator: ","))}"
    }

    private static func withoutNulls(_ value: JSONValue) -> JSONValue? {
        switch value {
        case .null: nil
        // The system's dictionaries can't contain 1e400.
        case .number(let number) where number.double == nil: nil
        case .array(let values): .array(values.compactMap(withoutNulls))
        case .object(let members): .object(members.compactMapValues(withoutNulls))
        default: value
        }
    }

    @Test("Each payload survives the system's dictionary")
    mutating func eachPayloadSurvivesTheSystemsDictionary()
        throws
    {
        let device = try TestKeys.device()
        let server = try TestKeys.sender()
        let sealer = Sealer(.signed(by: server))
        var configuration = PushConfiguration(
            keys: InMemoryKeyStore([device]), senderPolicy: .signed(by: [server.publicKey]))
        configuration.keepsUserInfoSealed = false
        let opener = configuration.opener
        let inbox = PushInbox(configuration)
        var kinds = Set<String>()
        for _ in 0..<LongRun.count(100, full: 500) {
            let json =
                #"{"aps":{"alert":{"body":"b"}},"k":\#(value(depth: 4)),"m":\#(object(depth: 3))}"#
            guard json.utf8.count < 2800 else { continue }
            let original = try JSONValue(parsing: Array(json.utf8))
            let push = try sealer.seal(json: json.utf8, for: device.publicKey)
            let shown = inbox.open(try DeliveredNotification(json: push.payload))
            guard let members = shown.content.originalPayload else {
                Issue.record("\(json) was not opened.")
                continue
            }
            let reader = try PayloadReader(
                userInfo: systemDictionary(members), opener: opener, unsealed: .allow)
            let read = try JSONValue(parsing: reader.json)
            #expect(read == Self.withoutNulls(original), "\(json)")
            kinds.insert(String("\(read["k"] ?? .null)".prefix { $0 != "(" }))
            // The sealed dictionary gives the original byte for byte.
            let sealed = try PayloadReader(
                userInfo: systemDictionary(push.payload), opener: opener, unsealed: .reject)
            #expect(sealed.json == Array(json.utf8))
        }
        #expect(kinds.count >= 6, "The generator makes values of all kinds: \(kinds)")
    }
}
