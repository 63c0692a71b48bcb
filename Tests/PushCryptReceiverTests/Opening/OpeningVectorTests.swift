import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The format's vectors, which another implementation generates (`Tests/Vectors/generate.py`).
@Suite struct OpeningVectorTests {
    @Test(
        "Each vector opens or fails as expected",
        arguments: try OpeningCorpus.load().vectors)
    func eachVectorOpensOrFailsAsExpected(_ vector: OpeningVector) throws {
        let corpus = try OpeningCorpus.load()
        try check(vector, corpus)
    }

    @Test("The test keys are those of the vectors") func testKeysAreThoseOfTheVectors() throws {
        let corpus = try OpeningCorpus.load()
        for device in TestKeys.Device.allCases {
            #expect(try corpus.device("\(device)").publicKey == TestKeys.device(device).publicKey)
        }
        for sender in TestKeys.Sender.allCases {
            #expect(try corpus.sender("\(sender)").publicKey == TestKeys.sender(sender).publicKey)
        }
    }

    // MARK: Checks

    private func check(_ vector: OpeningVector, _ corpus: OpeningCorpus) throws {
        let configuration = try corpus.configuration(for: vector)
        let opener = configuration.opener
        let kinds = try corpus.kinds(for: vector)
        // A widget opens Live Activities long after the push.
        let isWidget = kinds.allSatisfy { [.activityState, .activityAttributes].contains($0) }
        if let json = vector.json {
            try expect(vector, corpus) {
                guard isWidget else { return try opener.open(json: json, as: kinds) }
                return try opener.open(
                    SealedValue(json: json, from: .apns), as: kinds, deliveredAt: .distantPast)
            }
        }
        guard let userInfo = try vector.userInfo else {
            // The system rejects such a payload, so no extension gets it.
            #expect(throws: PushCryptError(.malformedJSON, "")) {
                try DeliveredNotification(json: vector.json ?? [])
            }
            return
        }
        try expect(vector, corpus) {
            guard isWidget else { return try opener.open(userInfo: userInfo, as: kinds) }
            return try opener.open(
                SealedValue(userInfo: userInfo, from: .apns), as: kinds, deliveredAt: .distantPast)
        }
        // An extension always opens the kinds of an alert push.
        guard vector.kinds == nil else { return }
        let visible = NotificationContent(
            title: "Placeholder", subtitle: "Placeholder", body: "Placeholder")
        try expectPresentation(
            vector, configuration, DeliveredNotification(content: visible, userInfo: userInfo))
        if let json = vector.json {
            try expectPresentation(vector, configuration, DeliveredNotification(json: json))
        }
    }

    private func expect(
        _ vector: OpeningVector, _ corpus: OpeningCorpus, _ open: () throws -> OpenedPush
    ) throws {
        do {
            let push = try open()
            let expected = try #require(vector.opens, "It opens.")
            #expect(push.payload == Array(expected.original.utf8))
            #expect(push.kind.description == expected.kind)
            #expect(push.lifetime == TimeInterval(expected.lifetime))
            #expect(push.messageID.description == expected.messageID)
            #expect(push.account == expected.account)
            #expect(push.issuedAt == Date(timeIntervalSince1970: Double(expected.issuedAt) / 1000))
            #expect(
                try push.signer == expected.signer.map { try corpus.sender($0).publicKey.keyID })
        } catch let error as PushCryptError {
            #expect(error.code.rawValue == vector.fails, "\(error)")
        }
    }

    /// Expects the fallback for a failure, and no word of the placeholder for an opened message.
    private func expectPresentation(
        _ vector: OpeningVector, _ configuration: PushConfiguration,
        _ notification: DeliveredNotification
    ) throws {
        let result = PushInbox(configuration).open(notification)
        let content = result.content
        if let code = vector.fails {
            #expect(result.outcome.failure?.code.rawValue == code)
            #expect(content.title == "")
            #expect(content.subtitle == "")
            #expect(content.body == "(Encrypted)")
            #expect(content.originalPayload == nil)
        } else {
            // Some originals have no text, or name nothing to withdraw. They open, but can't be
            // displayed.
            let failure = result.outcome.failure?.code
            #expect([nil, .noAlertText, .typeMismatch, .invalidPayload].contains(failure))
            #expect(!"\(content.title) \(content.subtitle) \(content.body)".contains("Placeholder"))
        }
    }
}

/// `Tests/Vectors/opening.json`.
struct OpeningCorpus: Decodable, Sendable {
    let keys: [String: [String: String]]
    let now: Int64
    let kinds: [String]
    let vectors: [OpeningVector]

    /// Returns the vectors; a missing, malformed, short or doubled file throws.
    static func load() throws -> OpeningCorpus { try shared.get() }

    private static let shared = Result {
        try VectorFile.load("opening.json", minimum: ["vectors": 420], as: OpeningCorpus.self)
    }

    func device(_ name: String) throws -> RecipientPrivateKey {
        try RecipientPrivateKey(jwk: jwk(name))
    }

    func sender(_ name: String) throws -> SigningKey {
        try SigningKey(jwk: jwk(name))
    }

    /// Returns a receiver's settings with a vector's keys, policy and time.
    func configuration(for vector: OpeningVector) throws -> PushConfiguration {
        let accounts = try vector.accounts.map { account in
            let signers = try account.accept.signers?.map { try sender($0).publicKey }
            return PushAccount(
                account.name, keys: InMemoryKeyStore(try account.keys.map(device)),
                senderPolicy: signers.map { .signed(by: $0) } ?? .anyone)
        }
        var configuration = PushConfiguration(accounts: accounts)
        configuration.keepsUserInfoSealed = false
        configuration.time = TestClock(
            Date(timeIntervalSince1970: Double(vector.now ?? now) / 1000))
        return configuration
    }

    /// Returns the kinds that a vector's receiver opens.
    func kinds(for vector: OpeningVector) throws -> [MessageKind] {
        try (vector.kinds ?? kinds).map { name in
            try #require(MessageKind.all.first { $0.description == name })
        }
    }

    private func jwk(_ name: String) throws -> [UInt8] {
        Array(try JSONEncoder().encode(#require(keys[name], "The corpus has no key \(name).")))
    }
}

/// A vector; `Tests/Vectors/README.md` describes its members.
struct OpeningVector: Decodable, Sendable, CustomTestStringConvertible {
    struct Accept: Decodable {
        /// The accepted signers; `nil` for any sender.
        let signers: [String]?

        private enum CodingKeys: String, CodingKey {
            case signers = "signed_by"
            case anyone
        }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            signers = try members.decodeIfPresent([String].self, forKey: .signers)
            // A vector without a policy is a mistake, and must not run with the wider one.
            try #require(
                try members.decodeIfPresent(Bool.self, forKey: .anyone) ?? false == (signers == nil)
            )
        }
    }

    struct Account: Decodable {
        let name: String
        let keys: [String]
        let accept: Accept
    }

    struct Opens: Decodable {
        let original: String
        let kind: String
        let account: String
        let lifetime: UInt32
        let signer: String?
        let messageID: String
        let issuedAt: Int64

        private enum CodingKeys: String, CodingKey {
            case original, kind, account, signer
            case lifetime = "lifetime_s"
            case messageID = "message_id"
            case issuedAt = "issued_at_ms"
        }
    }

    let name: String
    let accounts: [Account]
    let kinds: [String]?
    let now: Int64?
    let opens: Opens?
    let fails: String?

    private let payload: String?
    private let payloadIsValidJSON: Bool
    private let value: JSONValue?

    private enum CodingKeys: String, CodingKey {
        case name, accounts, kinds, opens, fails, payload
        case now = "now_ms"
        case payloadIsValidJSON = "payload_is_valid_json"
        case value = "userInfo-value"
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        name = try members.decode(String.self, forKey: .name)
        accounts = try members.decode([Account].self, forKey: .accounts)
        kinds = try members.decodeIfPresent([String].self, forKey: .kinds)
        now = try members.decodeIfPresent(Int64.self, forKey: .now)
        opens = try members.decodeIfPresent(Opens.self, forKey: .opens)
        fails = try members.decodeIfPresent(String.self, forKey: .fails)
        payload = try members.decodeIfPresent(String.self, forKey: .payload)
        payloadIsValidJSON =
            try members.decodeIfPresent(Bool.self, forKey: .payloadIsValidJSON) ?? true
        // A value of null differs from a missing member.
        value = members.contains(.value) ? try members.decode(JSONValue.self, forKey: .value) : nil
        try #require((opens == nil) != (fails == nil), "\(name)")
        try #require((payload == nil) != (value == nil), "\(name)")
    }

    var testDescription: String { name }

    /// The sent payload; `nil` if the vector only has a `userInfo`.
    var json: [UInt8]? { payload.map { Array($0.utf8) } }

    /// The system's dictionary of the payload; `nil` if it isn't valid JSON.
    var userInfo: [AnyHashable: Any]? {
        get throws {
            if let value {
                let members = try JSONEncoder().encode(["ENCRYPTED_DATA": value])
                return try JSONSerialization.jsonObject(with: members) as? [AnyHashable: Any]
            }
            guard payloadIsValidJSON, let json else { return nil }
            return try #require(
                try JSONSerialization.jsonObject(with: Data(json)) as? [AnyHashable: Any])
        }
    }
}
