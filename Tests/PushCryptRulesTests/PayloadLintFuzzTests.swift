import PushCryptTesting
import Testing

/// Whatever the bytes are: no crash, no other error than the JSON's, and a sealer that refuses what the lint calls an
/// error.
@Suite struct PayloadLintFuzzTests {
    @Test("Changed bytes give findings or an error", arguments: ApplePayload.all)
    func changedBytes(payload: ApplePayload) throws {
        var random = PayloadMutations(seed: 0x5EED ^ UInt64(payload.json.count))
        for _ in 0..<150 {
            var json = payload.json
            random.changeBytes(of: &json)
            for type in PushType.allCases { try check(json, type) }
        }
    }

    @Test("Changed values give findings", arguments: ApplePayload.all)
    func changedValues(payload: ApplePayload) throws {
        var random = PayloadMutations(seed: 0xA9915 ^ UInt64(payload.json.count))
        var reviewed = 0
        for _ in 0..<40 {
            var json = payload.json
            random.changeTokens(of: &json)
            for type in PushType.allCases where try check(json, type) { reviewed += 1 }
        }
        #expect(reviewed > 20, "Most of them are still JSON.")
    }

    @Test("Random bytes are an error")
    func randomBytes() throws {
        var random = PayloadMutations(seed: 0xB17E5)
        for length in 0..<200 {
            for type in PushType.allCases {
                try check(random.bytes(length), type)
                try check(Array(#"{"aps":{""#.utf8) + random.bytes(length) + Array(#"":0}}"#.utf8), type)
            }
        }
    }

    /// Reviews a payload and says whether it was one.
    @discardableResult
    private func check(_ json: [UInt8], _ type: PushType) throws -> Bool {
        let options = PayloadLint.Options(
            exposedKeys: Set(ExposedKey.allCases), isSigned: false,
            strings: DictionaryStringTable(["GAME_PLAY_REQUEST_FORMAT": "%@ %3$@"]),
            contentExtension: try ContentExtension(
                parsing: ContentExtensionFile(categories: ["SECRET", "game_invitation"]).xml))
        let lint: PayloadLint
        do throws(PushCryptError) {
            lint = try PayloadLint(json: json, headers: APNsHeaders(type), options: options)
        } catch {
            #expect(error.code == .malformedJSON, "\(String(decoding: json, as: UTF8.self))")
            return false
        }
        let text = Comment(rawValue: "\(type): \(String(decoding: json, as: UTF8.self))")
        #expect(lint.length <= json.count, text)
        #expect(lint.findings.map(\.rule.severity) == lint.findings.map(\.rule.severity).sorted(), text)
        for finding in lint.findings {
            #expect(finding.location.pointer == nil || finding.location.path != nil, text)
            #expect(!finding.message.isEmpty && !finding.error.reason.isEmpty, text)
        }
        try checkSealer(json, type, lint, text)
        return true
    }

    /// The sealer knows neither string table nor content extension, and agrees about everything else.
    private func checkSealer(_ json: [UInt8], _ type: PushType, _ lint: PayloadLint, _ text: Comment) throws {
        let lintOnly: [Rule] = [.locKeyUnknown, .locArgsTooFew, .categoryUndeclared, .categoryCase]
        let errors = lint.findings.filter { $0.rule.severity == .error && !lintOnly.contains($0.rule) }
        let expected = lint.subject == .sealed ? .alreadySealed : errors.first?.error.code
        var code: PushCryptError.Code?
        do {
            _ = try Sealer(.anonymous, exposedKeys: Set(ExposedKey.allCases)).prepare(
                json: json, headers: APNsHeaders(type))
        } catch {
            code = error.code
        }
        #expect(code == expected, text)
    }
}
