import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// Payloads from documentation and random ones, which arrive without white space between tokens.
@Suite struct PayloadRoundTripTests {
    /// The payloads that the sealer rejects, with their codes.
    static let refused: [String: PushCryptError.Code] = [
        "generating-sound": .noAlertText, "wwdc18-critical": .noAlertText,
        "fcm-booleans": .noAlertText,
        "modifying-encrypted": .alreadySealed, "batch": .invalidPayload,
    ]

    private let device: RecipientPrivateKey
    private let signer: SigningKey
    private let opener: Opener

    init() throws {
        device = try TestKeys.device()
        signer = try TestKeys.sender()
        opener = Opener(
            keys: InMemoryKeyStore([device]), senderPolicy: .signed(by: [signer.publicKey]))
    }

    @Test("The expected refusals are names of vectors") func expectedRefusalsAreNamesOfVectors()
        throws
    {
        let names = try SealableVector.load().map(\.name)
        #expect(Self.refused.keys.allSatisfy(names.contains))
        #expect(Self.refused.count < 10)
    }

    @Test(
        "A documented payload survives a round trip", arguments: try SealableVector.load(),
        Padding.allCases)
    func documentedPayloadSurvivesARoundTrip(vector: SealableVector, padding: Padding) throws {
        let json = try vector.json
        // The placeholder of a Live Activity has its own tests.
        let sealer = Sealer(.signed(by: signer), padding: padding, exposedKeys: [.alert])
        let push: SealedPush
        do throws(PushCryptError) {
            push = try sealer.seal(
                json: json, for: device.publicKey, headers: APNsHeaders(vector.pushType))
        } catch {
            #expect(Self.refused[vector.name] == error.code, "\(error)")
            return
        }
        #expect(Self.refused[vector.name] == nil)
        #expect(push.payload.count <= vector.pushType.maximumPayloadLength)
        try expectOriginal(dense(json), push)
    }

    @Test("Random JSON survives a round trip", arguments: PushType.sealable)
    func randomJSONSurvivesARoundTrip(type: PushType) throws {
        var random = RandomJSON(seed: 0xA11CE)
        var sealed = 0
        let count = LongRun.count(60, full: 500)
        for _ in 0..<count {
            let (original, spaced) = payload(type, &random)
            var sealer = Sealer(.signed(by: signer), padding: random.pick(Padding.allCases))
            // The payloads have names that aren't Apple's, and times that no device can read.
            let times = Rule.ID(rawValue: "activity-time-range")
            sealer.ignoredRules = [.liveActivityUnknownKey, times]
            sealer.exposedKeys = Set(
                ExposedKey.allCases.filter { $0 == .alert || Bool.random(using: &random) })
            let push: SealedPush
            do throws(PushCryptError) {
                push = try sealer.seal(
                    json: spaced, for: device.publicKey, headers: APNsHeaders(type))
            } catch {
                #expect(
                    error.code == .payloadTooLarge,
                    "\(error) \(String(decoding: original, as: UTF8.self))")
                continue
            }
            sealed += 1
            #expect(dense(spaced) == original)
            try expectOriginal(original, push)
        }
        #expect(sealed >= count * 96 / 100)
    }

    private func payload(_ type: PushType, _ random: inout RandomJSON) -> (
        dense: [UInt8], spaced: [UInt8]
    ) {
        let custom = random.members(depth: 4)
        // Names that Apple doesn't use.
        let unknown = random.members(depth: 2, prefix: "x-")
        switch type {
        case .alert:
            let text = random.text(1)
            let alert = random.object(
                [("body", text), ("loc-args", "[\(random.text()),\(random.text())]")] + unknown)
            let level = [
                ("category", random.text()), ("badge", "3.0"),
                ("interruption-level", "\"passive\""),
            ]
            let aps = random.object([("alert", random.pick([alert, text]))] + level + unknown)
            return random.spellings([("aps", aps)] + custom)
        case .background:
            return random.spellings(
                [("aps", random.object([("content-available", "1")] + unknown))] + custom)
        case .voip, .location, .pushToTalk:
            return random.spellings(custom)
        default:
            if random.pick([true, false, false, false]) {
                let end = [
                    ("timestamp", random.number()), ("event", "\"end\""), ("alert", random.text()),
                    ("content-state", random.object(custom)),
                ]
                return random.spellings([("aps", random.object(end + unknown))])
            }
            let sealed = [
                ("content-state", random.object(custom)),
                ("attributes", random.object(random.members(depth: 3))),
                ("attributes-type", random.text()),
            ]
            let members = [("timestamp", random.number()), ("event", "\"update\"")] + unknown
            let parts = members + (Bool.random(using: &random) ? sealed : [sealed[0]])
            return random.spellings([("aps", random.object(parts.shuffled(using: &random)))])
        }
    }

    // MARK: Expectations

    private func expectOriginal(_ original: [UInt8], _ push: SealedPush) throws {
        guard push.headers.pushType == .liveActivity else {
            #expect(
                try opener.open(json: push.payload, as: push.headers.pushType.acceptedKinds).payload
                    == original)
            return
        }
        let values = try sealedValues(original)
        if values.isEmpty {
            #expect(push.payload == original)
            #expect(throws: PushCryptError(.notSealed, "")) {
                try opener.open(liveActivity: push.payload)
            }
            return
        }
        #expect(try opener.open(liveActivity: push.payload) == original)
        // Everything else stays visible byte for byte, and only the text replaces sealed values.
        let travelling = try sealedValues(push.payload)
        #expect(travelling.map(\.key) == values.map(\.key))
        var expected = original
        for ((_, place), travels) in zip(values, travelling.map(\.place)) {
            let value = String(decoding: push.payload[travels], as: UTF8.self)
            let text = String(value.dropFirst(#"{"ENCRYPTED_DATA":""#.count).dropLast(2))
            #expect(text.utf8.count >= 4 * 57 / 3)
            #expect(
                text.allSatisfy {
                    $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_")
                })
            expected.replaceSubrange(place, with: #"{"ENCRYPTED_DATA":"\#(text)"}"#.utf8)
        }
        #expect(push.payload == expected)
    }

    /// Returns the ranges of the state and the attributes, the last first.
    private func sealedValues(_ json: [UInt8]) throws -> [(key: String, place: Range<Int>)] {
        let document = try JSONDocument(scanning: json.span)
        let aps = document.member("aps", in: json.span)
        return ["content-state", "attributes"]
            .compactMap { key in
                document.member(key, of: aps, in: json.span).map { (key, $0.range) }
            }
            .sorted { $0.1.lowerBound > $1.1.lowerBound }
    }

    /// Returns JSON without white space between its tokens.
    private func dense(_ json: [UInt8]) -> [UInt8] {
        var isText = false
        var isEscaped = false
        return json.filter { byte in
            if isText {
                isText = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                return true
            }
            isText = byte == UInt8(ascii: "\"")
            return ![0x20, 0x09, 0x0A, 0x0D].contains(byte)
        }
    }
}

/// A payload of `Tests/Vectors/payloads` with a push type that can be sealed.
struct SealableVector: Decodable, CustomTestStringConvertible, Sendable {
    let name: String
    let file: String
    let type: String

    var testDescription: String { name }
    var pushType: PushType { PushType(rawValue: type) ?? .alert }

    private static let folder =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path + "/Vectors/payloads/"

    var json: [UInt8] {
        get throws {
            Array(try #require(FileManager.default.contents(atPath: Self.folder + file), "\(file)"))
        }
    }

    /// Returns all payloads; a short list throws.
    static func load() throws -> [SealableVector] {
        let vectors = try ["apple.json", "vendors.json", "other.json"].flatMap { index in
            let data = try #require(
                FileManager.default.contents(atPath: folder + index), "\(index)")
            return try JSONDecoder().decode([SealableVector].self, from: data)
        }
        try #require(vectors.count >= 60)
        let sealable = vectors.filter { PushType.sealable.map(\.rawValue).contains($0.type) }
        try #require(
            sealable.count >= 55 && Set(sealable.map(\.type)).count == PushType.sealable.count)
        return sealable
    }
}
