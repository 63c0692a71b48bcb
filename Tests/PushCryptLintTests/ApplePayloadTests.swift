import PushCryptTesting
import Testing

@testable import PushCryptLint

/// Tests of the rules with Apple's own examples.
@Suite struct ApplePayloadTests {
    /// The examples that break a rule, with their findings.
    static let faults: [String: [String]] = [
        // The timestamps are 1234, which is an example of a number and no time.
        "liveactivity-start": ["warning activity-time aps.timestamp"],
        "liveactivity-start-old": ["warning activity-time aps.timestamp"],
        "liveactivity-start-channel": ["warning activity-time aps.timestamp"],
        "liveactivity-start-token": ["warning activity-time aps.timestamp"],
        // The system runs no extension for a badge and a sound alone.
        "generating-sound": ["error no-alert-text aps.alert"],
        "wwdc18-critical": ["error no-alert-text aps.alert"],
        // The value of ENCRYPTED_DATA isn't base64url, and the payload is printed with white space.
        "modifying-encrypted": [
            "error sealed-value-malformed ENCRYPTED_DATA",
            "warning needless-whitespace the payload",
        ],
        // This was the button of the alert style before iOS 8.
        "archive-action-button": ["warning deprecated-key aps.alert.action-loc-key"],
        "ios8-category-action": ["warning deprecated-key aps.alert.action-loc-key"],
        "ios8-actions": ["warning deprecated-key aps.alert.action-loc-key"],
        // An old Xcode has the title beside `alert`. Apple's tables have it inside.
        "watch-template-old": ["warning unknown-key aps.title"],
        // A talk has `thread-id` inside `alert`. Apple's tables have it beside `alert`.
        "wwdc18-thread-id": ["warning unknown-key aps.alert.thread-id"],
    ]

    @Test("The examples with findings exist")
    func corpus() throws {
        #expect(try Set(Self.faults.keys).isSubset(of: ApplePayload.all().map(\.name)))
    }

    /// Returns the findings, without those about readable text, which have their own tests.
    private func findings(_ payload: ApplePayload) throws -> [Finding] {
        try PayloadLint(json: payload.json, headers: APNsHeaders(payload.type)).findings
            .filter { $0.rule.severity != .note && !$0.rule.id.rawValue.hasPrefix("clear-") }
    }

    @Test("An example has its known faults only", arguments: try ApplePayload.all())
    func knownFaults(payload: ApplePayload) throws {
        let found = try findings(payload).map { "\($0.rule.severity) \($0.rule.id) \($0.location)" }
        #expect(found == Self.faults[payload.name, default: []])
    }

    @Test("An example can be sealed unless it has an error", arguments: try ApplePayload.all())
    func sealing(payload: ApplePayload) throws {
        let errors = try findings(payload).filter { $0.rule.severity == .error }
        let sealer = Sealer(.signed(by: try TestKeys.sender()))
        do {
            let push = try sealer.seal(
                json: payload.json, for: TestKeys.device().publicKey,
                headers: APNsHeaders(payload.type))
            #expect(errors == [])
            let sealed = try sealer.lint(json: push.payload, headers: push.headers)
            #expect(sealed.findings.filter { $0.rule.severity == .error } == [])
        } catch {
            // A payload with an ENCRYPTED_DATA counts as sealed.
            let isSealed = payload.name == "modifying-encrypted"
            #expect(error.code == (isSealed ? .alreadySealed : errors.first?.error.code))
        }
    }
}
