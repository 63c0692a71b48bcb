import Foundation
import PushCryptCore
import PushCryptSender
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptKeyring
@testable import PushCryptReceiver

/// `PushInbox.diagnose`: each fault is named by exactly its finding, and sound set-ups have none.
@Suite struct DiagnoseTests {
    /// A set-up of a phone.
    struct Setup: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The code of the only finding; `nil` for a sound set-up.
        let code: String?
        let prepare: @Sendable (DiagnosedPhone) async throws -> Void

        init(
            _ description: String, _ code: DeviceFinding.Code?,
            _ prepare: @escaping @Sendable (DiagnosedPhone) async throws -> Void
        ) {
            testDescription = description
            self.code = code?.rawValue
            self.prepare = prepare
        }

        init(
            _ description: String, error: PushCryptError.Code,
            _ prepare: @escaping @Sendable (DiagnosedPhone) async throws -> Void
        ) {
            self.init(description, DeviceFinding.Code(rawValue: error.rawValue), prepare)
        }
    }

    @Test("A fault is named by exactly its finding", arguments: Self.faults) func fault(
        setup: Setup
    ) async throws {
        let phone = try DiagnosedPhone()
        try await setup.prepare(phone)
        let changes = phone.store.changes
        let codes = await phone.codes()
        #expect(try codes == [#require(setup.code)])
        #expect(
            await phone.codes() == codes && phone.store.changes == changes,
            "A diagnosis changes nothing.")
    }

    @Test("A sound set-up has no finding", arguments: Self.soundSetups) func sound(setup: Setup)
        async throws
    {
        let phone = try DiagnosedPhone()
        try await setup.prepare(phone)
        #expect(await phone.codes() == [])
    }

    @Test("There are enough faults and sound set-ups, and each finding has a fault") func corpus() {
        #expect(Self.faults.count >= 15 && Self.soundSetups.count >= 20)
        let codes = Set(Self.faults.map(\.code))
        let all = DeviceFinding.all.map(\.code.rawValue)
        #expect(all.filter { !codes.contains($0) } == [] && Set(all).count == all.count)
    }

    @Test("A finding prints its message, its remedy and its code, and no secret") func description()
        async throws
    {
        let phone = try DiagnosedPhone()
        let findings = await phone.inbox.diagnose(nil, account: phone.account)
        #expect(findings.map(\.code) == [.deviceTokenMissing, .keysMissing])
        let finding = try #require(findings.last)
        #expect("\(finding)" == "\(finding.message) \(finding.remedy) [keys-missing]")
        for finding in DeviceFinding.all {
            #expect(finding.message.hasSuffix(".") && finding.remedy.hasSuffix("."), "\(finding)")
        }
    }
}

extension DiagnoseTests {
    private static let faults = faultsOfKeys + faultsOfRegistration + faultsOfProof

    private static let faultsOfKeys = [
        Setup("no device token", .deviceTokenMissing) {
            try await $0.launch()
            $0.token = nil
        },
        Setup("never registered", .keysMissing) { _ in },
        Setup("keys of a restored backup", .keysOfAnotherDevice) {
            try await $0.launch()
            $0.deviceID = "other"
        },
        Setup("an installation without its file", .keysOfAnotherDevice) {
            try await $0.launch()
            try $0.folder.put(nil)
        },
        Setup("no identifier of the device", error: .keyUnreadable) {
            try await $0.launch()
            $0.deviceID = nil
        },
        Setup("a locked device", error: .deviceLocked) {
            try await $0.launch()
            $0.store.behavior = .unreadable(PushCryptError(.deviceLocked, "locked"))
        },
        Setup("a missing keychain group", error: .missingEntitlement) {
            try await $0.launch()
            $0.store.behavior = .unreadable(PushCryptError(.missingEntitlement, "group"))
        },
        Setup("an invalid policy", error: .malformedJWK) {
            try await $0.launch()
            $0.policy = .signed(by: "AAAA")
        },
        Setup("a damaged list", .listDamaged) { phone in
            phone.lists = [try phone.list([phone.root])]
            try await phone.launch()
            try phone.store.update { ring in
                let damaged = ring?.signerLists.map { "\($0.dropLast(4))AAAA" }
                ring?.signerLists = damaged ?? []
            }
        },
        Setup("an expired list", .listExpired) { phone in
            phone.lists = [try phone.list([phone.root], days: 2)]
            try await phone.launch()
            phone.time.advance(by: 3 * 86_400)
        },
        Setup("an extension that crashes", DeviceFinding.Code(rawValue: "extension-did-not-finish"))
        {
            try await $0.launch()
            _ = try $0.shared.deliveryLog.begin(nil)
            $0.time.advance(by: 61)
        },
        Setup("no shared state", .stateNotPrepared) { phone in
            try await phone.launch()
            phone.secrets = InMemorySecretsStore()
        },
    ]

    private static let faultsOfRegistration = [
        Setup("a server that doesn't answer", .registrationUnanswered) {
            await $0.launchWithoutAnswer()
            $0.time.advance(by: 61)
        },
        Setup("a state without a registration", .notRegistered) { phone in
            try await phone.launch()
            try phone.registrar.state.update { $0.registered = nil }
        },
        Setup("another device token", .tokenNotRegistered) {
            try await $0.launch()
            $0.token = [UInt8](repeating: 0xCD, count: 32)
        },
        Setup("another user", .tokenNotRegistered) {
            try await $0.launch()
            $0.account = "bob"
        },
        Setup("another pinned root", .keyNotRegistered) {
            try await $0.launch()
            $0.policy = .signed(by: [$0.root.publicKey, try TestKeys.sender(.mallory).publicKey])
        },
        Setup("no launch for nine days", .registrationOld) {
            try await $0.launch()
            $0.time.advance(by: 9 * 86_400)
        },
        Setup("a server's clock ten minutes ahead", .clockDiffers) {
            $0.serverClock = 600
            try await $0.launch()
        },
        Setup("a server's clock ten minutes behind", .clockDiffers) {
            $0.serverClock = -600
            try await $0.launch()
        },
    ]

    private static let faultsOfProof = [
        Setup("a challenge that doesn't arrive", .challengeMissing) {
            $0.askForProofs()
            try await $0.launch()
            $0.time.advance(by: 3601)
        },
        Setup("a challenge of a foreign server", .challengeNotOpened) { phone in
            phone.askForProofs()
            try await phone.launch()
            let foreign = Sealer(.signed(by: try TestKeys.sender(.mallory)), time: phone.time)
            let key = try #require(phone.store.stored).primary.key.publicKey
            let json = #"{"aps":{"content-available":1}}"#
            let push = try foreign.seal(json: json, for: key, headers: APNsHeaders(.background))
            try await phone.deliver(push.payload)
            phone.time.advance(by: 61)
        },
        Setup("an answer that the server rejects", .answerRejected) { phone in
            phone.askForProofs()
            try await phone.launch()
            phone.answer = { _ in throw DiagnosedPhone.Lost() }
            for push in phone.server.takePushes() { _ = try? await phone.deliver(push.payload) }
            phone.time.advance(by: 61)
        },
        Setup("a visible challenge without a launch", .challengeWaiting) {
            $0.askForProofs()
            try await $0.launch()
            _ = $0.server.takePushes()
            $0.time.advance(by: 3600)
            try await $0.launch()
            try await $0.deliver()
            $0.time.advance(by: 61)
        },
    ]

    private static let soundSetups = soundRegistrations + soundKeys + soundProofs

    private static let soundRegistrations = [
        Setup("a registered device", nil) { try await $0.launch() },
        Setup("a request on its way", nil) { await $0.launchWithoutAnswer() },
        Setup("a repeated request", nil) {
            await $0.launchWithoutAnswer()
            $0.time.advance(by: 3600)
            try await $0.launch()
        },
        Setup("a week later", nil) {
            try await $0.launch()
            $0.time.advance(by: 7 * 86_400)
        },
        Setup("the weekly repetition", nil) {
            for _ in 0..<3 {
                try await $0.launch()
                $0.time.advance(by: 7 * 86_400)
            }
        },
        Setup("a clock four minutes ahead", nil) {
            $0.serverClock = 240
            try await $0.launch()
        },
        Setup("a corrected clock", nil) {
            $0.serverClock = 6000
            try await $0.launch()
            $0.serverClock = 0
            $0.time.advance(by: 7 * 86_400)
            try await $0.launch()
        },
        Setup("a stale generation", nil) { phone in
            phone.answer = { request in
                let own = try Registration(parsing: request.registration).generation
                return own < 50 ? .stale(generation: 50) : .accepted(date: nil)
            }
            try await phone.launch()
        },
        Setup("a server without a date", nil) {
            $0.answer = { _ in .accepted(date: nil) }
            try await $0.launch()
        },
        Setup("another token, registered", nil) {
            try await $0.launch()
            $0.token = [UInt8](repeating: 0xCD, count: 100)
            try await $0.launch()
        },
        Setup("another user, registered", nil) {
            try await $0.launch()
            $0.account = "bob"
            try await $0.launch()
        },
    ]

    private static let soundKeys = [
        Setup("a rotated key", nil) {
            for _ in 0..<8 {
                try await $0.launch()
                $0.time.advance(by: 80_000)
            }
            #expect($0.store.stored?.retired.count == 1)
        },
        Setup("a renewed key", nil) {
            try await $0.launch()
            try await $0.renew()
        },
        Setup("a policy without signatures", nil) {
            $0.policy = .anyone
            try await $0.launch()
        },
        Setup("a list of accepted keys", nil) {
            $0.lists = [try $0.list([try TestKeys.sender(.mallory)])]
            try await $0.launch()
        },
        Setup("an expired list, replaced", nil) {
            $0.lists = [try $0.list([$0.root], days: 2)]
            try await $0.launch()
            $0.time.advance(by: 7 * 86_400)
            $0.lists = [try $0.list([$0.root], days: 30)]
            try await $0.launch()
        },
        Setup("a reinstallation, registered", nil) {
            try await $0.launch()
            try $0.folder.put(nil)
            try await $0.launch()
        },
        Setup("another device, registered", nil) {
            try await $0.launch()
            $0.deviceID = "other"
            try await $0.launch()
        },
        Setup("an extension that runs now", nil) {
            try await $0.launch()
            _ = try $0.shared.deliveryLog.begin(nil)
        },
    ]

    private static let soundProofs = [
        Setup("a challenge on its way", nil) {
            $0.askForProofs()
            try await $0.launch()
            $0.time.advance(by: 3599)
        },
        Setup("a proved registration", nil) {
            $0.askForProofs()
            try await $0.launch()
            try await $0.deliver()
        },
        Setup("a visible challenge, answered", nil) {
            $0.askForProofs()
            try await $0.launch()
            _ = $0.server.takePushes()
            $0.time.advance(by: 3600)
            try await $0.launch()
            try await $0.deliver()
            try await $0.launch()
        },
        Setup("a message that isn't a challenge", nil) { phone in
            phone.askForProofs()
            try await phone.launch()
            try await phone.deliver()
            let key = try #require(phone.store.stored).primary.key.publicKey
            let push = try Sealer(.signed(by: phone.root), time: phone.time).seal(
                json: #"{"aps":{"content-available":1},"a":1}"#, for: key,
                headers: APNsHeaders(.background))
            try await phone.deliver(push.payload)
        },
    ]
}
