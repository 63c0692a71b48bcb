import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptSender

/// Tests of the remaining bytes of a payload.
@Suite struct PayloadBudgetTests {
    private let recipient: RecipientPublicKey
    private let signer: SigningKey

    init() throws {
        recipient = try TestKeys.device().publicKey
        signer = try TestKeys.sender()
    }

    private func sealer(_ random: inout RandomPayload) -> Sealer {
        Sealer(
            Bool.random(using: &random) ? .signed(by: signer) : .anonymous, padding: .none,
            placeholder: random.pick([
                .standard, Placeholder(title: "New \"message\"", body: "é/…"),
            ]),
            exposedKeys: Set(random.some(ExposedKey.allCases)))
    }

    @Test(
        "A payload that grows by the remaining bytes fits, and with one byte more it does not",
        arguments: PushType.sealable)
    func aPayloadThatGrowsByTheRemainingBytesFitsAndWithOneByteMoreItDoesNot(type: PushType) throws
    {
        var random = RandomPayload(seed: 0xB4D6E7)
        for _ in 0..<LongRun.count(30, full: 150) {
            let sealer = sealer(&random)
            let frame = random.frame(type)
            let headers = APNsHeaders(type)
            // Some of these payloads are too long.
            let filler = Int.random(in: 0...4000, using: &random)
            let json = frame.json(filler: filler)
            // LiveActivityBudgetTests tests two sealed values.
            if type == .liveActivity, try sealedLengths(json).count == 2 { continue }
            let budget = try sealer.budget(json: json, type: type)
            #expect(budget.used == json.count)
            #expect(budget.capacity == budget.used + budget.remaining)
            #expect(
                (try? sealer.prepare(json: json, headers: headers)) != nil || budget.remaining < 0)

            let largest = frame.json(filler: filler + budget.remaining)
            let push = try sealer.seal(json: largest, for: recipient, headers: headers)
            #expect(push.payload.count <= type.maximumPayloadLength)
            #expect(
                try sealer.prepare(json: largest, headers: headers).payloadLength
                    == push.payload.count)
            #expect(try sealer.budget(json: largest, type: type).remaining == 0)

            for excess in [1, 2, 3, 50] {
                let tooLarge = frame.json(filler: filler + budget.remaining + excess)
                #expect(try sealer.budget(json: tooLarge, type: type).remaining == -excess)
                let error = #expect(throws: PushCryptError.self) {
                    try sealer.prepare(json: tooLarge, headers: headers)
                }
                let length = try realLength(push, largest, excess, sealer)
                #expect(error?.code == .payloadTooLarge)
                #expect(error?.reason.contains("would have \(length) bytes") == true)
                #expect(
                    error?.reason.contains("\(length - type.maximumPayloadLength) too many") == true
                )
                let fixes = ["at least \(excess) bytes", "Needless escapes take "]
                #expect(fixes.contains { error?.reason.contains($0) == true })
            }
        }
    }

    /// Returns the length of a sealed payload if its first sealed value has more bytes.
    private func realLength(
        _ push: SealedPush, _ original: [UInt8], _ excess: Int, _ sealer: Sealer
    ) throws -> Int {
        let signature = sealer.authentication.isSigned ? 72 : 0
        let sealed =
            push.headers.pushType == .liveActivity ? try sealedLengths(original) : [original.count]
        let overhead = 57 + 32 + signature
        return push.payload.count + textLength(overhead + sealed[0] + excess)
            - textLength(overhead + sealed[0])
    }

    private func sealedLengths(_ json: [UInt8]) throws -> [Int] {
        let document = try JSONDocument(scanning: json.span)
        let aps = document.member("aps", in: json.span)
        return ["content-state", "attributes"]
            .compactMap { document.member($0, of: aps, in: json.span)?.range }
            .sorted { $0.lowerBound < $1.lowerBound }.map(\.count)
    }

    /// Returns the number of base64url characters for bytes.
    private func textLength(_ bytes: Int) -> Int {
        (bytes * 4 + 2) / 3
    }

    @Test("The padding does not change the budget") func thePaddingDoesNotChangeTheBudget() throws {
        let json = Array(#"{"aps":{"alert":"a"}}"#.utf8)
        let budgets = try Padding.allCases.map {
            try Sealer(.anonymous, padding: $0).budget(json: json)
        }
        #expect(Set(budgets).count == 1)
    }

    @Test("White space is not counted") func whiteSpaceIsNotCounted() throws {
        let spaced = Array("{ \"aps\" :\n{ \"alert\" : \"a b\" } , \"k\": [ 1 ] }".utf8)
        let dense = Array(#"{"aps":{"alert":"a b"},"k":[1]}"#.utf8)
        #expect(
            try Sealer(.anonymous).budget(json: spaced) == Sealer(.anonymous).budget(json: dense))
        #expect(try Sealer(.anonymous).budget(json: spaced).used == dense.count)
    }

    @Test("A payload that cannot be laid out has no budget")
    func aPayloadThatCannotBeLaidOutHasNoBudget() throws {
        #expect(throws: PushCryptError(.malformedJSON, "")) {
            try Sealer(.anonymous).budget(json: Array("[]".utf8))
        }
        #expect(throws: PushCryptError(.invalidPlaceholder, "")) {
            try Sealer(.anonymous, placeholder: Placeholder()).budget(json: Array("{}".utf8))
        }
        #expect(throws: PushCryptError(.invalidPayload, "")) {
            try Sealer(.anonymous).budget(json: #"{"aps":1}"#.utf8, type: .liveActivity)
        }
    }

    @Test("A signature, a placeholder and an exposed key reduce the capacity by their size")
    func aSignatureAPlaceholderAndAnExposedKeyReduceTheCapacityByTheirSize() throws {
        let json = Array(#"{"aps":{"alert":"a","category":"0123456789"}}"#.utf8)
        let plain = try Sealer(.anonymous).budget(json: json)
        // 4096 − 80 characters are 3012 bytes, less 57 and 32.
        #expect(plain.capacity == 2923)
        #expect(try Sealer(.signed(by: signer)).budget(json: json).capacity == 2923 - 72)
        // `,"category":"0123456789"` has 24 characters, which are 18 bytes of the original.
        #expect(
            try Sealer(.anonymous, exposedKeys: [.category]).budget(json: json).capacity == 2923
                - 18)
        let placeholder = Placeholder(body: "(Encrypted)0123456789AB")
        #expect(
            try Sealer(.anonymous, placeholder: placeholder).budget(json: json).capacity == 2923 - 9
        )
        #expect(try Sealer(.anonymous).budget(json: json, type: .voip).capacity > 2923 + 768)
    }
}
