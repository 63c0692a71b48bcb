import PushCryptTesting
import Testing

/// Apple's own examples keep Apple's rules, but for a few that show an old key, or no alert that an extension could open.
@Suite struct ApplePayloadTests {
    /// Examples that are rightly found at fault, and exactly with what.
    static let faults: [String: [String]] = [
        // Badge and sound alone: the system runs no extension for them, so nobody would open what is sealed.
        "generating-sound": ["error no-alert-text aps.alert"],
        "wwdc18-critical": ["error no-alert-text aps.alert"],
        // An ENCRYPTED_DATA of another scheme, in bytes that are no base64url; printed with spaces, which count in what
        // travels.
        "modifying-encrypted": [
            "error sealed-value-malformed ENCRYPTED_DATA", "warning needless-whitespace the payload",
        ],
        // The button of the alert style before iOS 8; actions of a category have replaced it.
        "archive-action-button": ["warning deprecated-key aps.alert.action-loc-key"],
        "ios8-category-action": ["warning deprecated-key aps.alert.action-loc-key"],
        "ios8-actions": ["warning deprecated-key aps.alert.action-loc-key"],
        // The template of an old Xcode has the title beside `alert`; in Apple's tables it is in there.
        "watch-template-old": ["warning unknown-key aps.title"],
        // Notes of a talk have `thread-id` within `alert`; in Apple's tables it is beside it.
        "wwdc18-thread-id": ["warning unknown-key aps.alert.thread-id"],
    ]

    @Test("The examples are complete")
    func corpus() {
        #expect(ApplePayload.all.count >= 43)
        #expect(Set(faults.keys).isSubset(of: ApplePayload.all.map(\.name)))
    }

    private var faults: [String: [String]] { Self.faults }

    /// What is left in the clear has tests of its own, and an example may well show an address.
    private func findings(_ payload: ApplePayload) throws -> [Finding] {
        try PayloadLint(json: payload.json, headers: APNsHeaders(payload.type)).findings
            .filter { $0.rule.severity != .note && !$0.rule.id.rawValue.hasPrefix("clear-") }
    }

    @Test("An example has its known faults only", arguments: ApplePayload.all)
    func knownFaults(payload: ApplePayload) throws {
        let found = try findings(payload).map { "\($0.rule.severity) \($0.rule.id) \($0.location)" }
        #expect(found == faults[payload.name, default: []])
    }

    @Test("An example can be sealed unless it has an error", arguments: ApplePayload.all)
    func sealing(payload: ApplePayload) throws {
        let errors = try findings(payload).filter { $0.rule.severity == .error }
        let sealer = Sealer(.signed(by: try TestKeys.sender()))
        do {
            let push = try sealer.seal(
                json: payload.json, for: TestKeys.device().publicKey, headers: APNsHeaders(payload.type))
            #expect(errors == [])
            let travelling = try PayloadLint(json: push.payload, headers: push.headers)
            #expect(travelling.findings.filter { $0.rule.severity == .error } == [])
        } catch {
            // What has an ENCRYPTED_DATA is not sealed again, whoever has made it.
            let isSealed = payload.name == "modifying-encrypted"
            #expect(error.code == (isSealed ? .alreadySealed : errors.first?.error.code))
        }
    }
}
