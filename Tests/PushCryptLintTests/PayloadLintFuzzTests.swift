import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptLint

/// Tests of lint and sealer with random payloads.
@Suite(.thorough) struct PayloadLintFuzzTests {
    private let sealer = Sealer(.anonymous, exposedKeys: Set(ExposedKey.allCases))
    private let strings = DictionaryStringTable(["GAME_PLAY_REQUEST_FORMAT": "%@ %3$@"])
    private let contentExtension: ContentExtension

    init() throws {
        contentExtension = try ContentExtension(
            parsing: ContentExtensionFile(categories: ["SECRET", "game_invitation"]).xml)
    }

    @Test("Changed bytes give findings or an error", arguments: try ApplePayload.all())
    func changedBytes(payload: ApplePayload) throws {
        var random = PayloadMutations(seed: 0x5EED ^ UInt64(payload.json.count))
        for _ in 0..<LongRun.count(3, full: 150) {
            var json = payload.json
            random.changeBytes(of: &json)
            for type in PushType.allCases { try check(json, type) }
        }
    }

    @Test("Changed values give findings", arguments: try ApplePayload.all())
    func changedValues(payload: ApplePayload) throws {
        var random = PayloadMutations(seed: 0xA9915 ^ UInt64(payload.json.count))
        var valid = 0
        let count = LongRun.count(2, full: 40)
        for _ in 0..<count {
            var json = payload.json
            random.changeTokens(of: &json)
            for type in PushType.allCases where try check(json, type) { valid += 1 }
        }
        #expect(valid > count / 2, "Most of them are still JSON.")
    }

    @Test("Random bytes are an error")
    func randomBytes() throws {
        var random = PayloadMutations(seed: 0xB17E5)
        for length in 0..<LongRun.count(16, full: 200) {
            for type in PushType.allCases {
                try check(random.bytes(length), type)
                try check(
                    Array(#"{"aps":{""#.utf8) + random.bytes(length) + Array(#"":0}}"#.utf8), type)
            }
        }
    }

    /// Checks a payload, and returns whether it is valid JSON.
    @discardableResult
    private func check(_ json: [UInt8], _ type: PushType) throws -> Bool {
        let lint: PayloadLint
        do throws(PushCryptError) {
            lint = try sealer.lint(
                json: json, headers: APNsHeaders(type), strings: strings,
                contentExtension: contentExtension)
        } catch {
            #expect(error.code == .malformedJSON, "\(String(decoding: json, as: UTF8.self))")
            return false
        }
        let text = Comment(rawValue: "\(type): \(String(decoding: json, as: UTF8.self))")
        #expect(lint.length <= json.count, text)
        let severities = lint.findings.compactMap {
            Rule.Severity.allCases.firstIndex(of: $0.rule.severity)
        }
        #expect(severities == severities.sorted(), text)
        for finding in lint.findings {
            #expect(finding.location.pointer == nil || finding.location.path != nil, text)
            #expect(!finding.message.isEmpty && !finding.error.reason.isEmpty, text)
        }
        try checkSealer(json, type, lint, text)
        return true
    }

    /// Expects the same errors from the sealer, which has no string table and no content extension.
    private func checkSealer(
        _ json: [UInt8], _ type: PushType, _ lint: PayloadLint, _ text: Comment
    ) throws {
        let lintOnly: [Rule] = [.locKeyUnknown, .locArgsTooFew, .categoryUndeclared, .categoryCase]
        let errors = lint.findings.filter {
            $0.rule.severity == .error && !lintOnly.contains($0.rule)
        }
        let isSealable = PushType.sealable.contains(type)
        let expected =
            !isSealable ? .notSealable : lint.isSealed ? .alreadySealed : errors.first?.error.code
        var code: PushCryptError.Code?
        do {
            _ = try sealer.prepare(json: json, headers: APNsHeaders(type))
        } catch {
            code = error.code
        }
        #expect(code == expected, text)
    }
}
