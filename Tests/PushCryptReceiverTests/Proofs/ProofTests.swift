import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptPayload
import PushCryptSender
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// A registration with a proof, from the device's first request to the server's row.
@Suite struct ProofTests {
    private let time = TestClock()
    private let server: ProofServer
    private let device: ProofDevice
    private let requests = LockedValue<[RegistrationRequest]>([])

    init() throws {
        let signer = try TestKeys.sender()
        server = ProofServer(time: time, signer: signer)
        device = try ProofDevice(
            account: "anna", token: [UInt8](repeating: 0xAB, count: 32), time: time,
            signer: signer.publicKey)
    }

    private var send: PushInbox.SendRegistration {
        { [server, requests] request in
            requests.withLock { $0.append(request) }
            return try server.receive(request, account: "anna")
        }
    }

    private var row: Recipient? { server.rows[.init(account: "anna", token: device.tokenText)] }

    private func isKnown() throws -> Bool { row?.key == device.store.stored?.primary.key.publicKey }

    @Test("A silent challenge proves a new registration") func silentChallenge() async throws {
        try await device.start(with: send)
        #expect(row == nil, "An unproved registration changes nothing.")
        #expect(try device.state.begun?.waiting == true)
        let push = try #require(server.takePushes().first)
        #expect(
            !push.isVisible
                && push.payload.starts(with: #"{"aps":{"content-available":1},"ENC"#.utf8))
        #expect(try await device.deliver(push, with: send))
        #expect(try isKnown() && row?.proved == time.now && (device.state.begun) == nil)
        #expect(requests.withLock { $0.map { $0.proof != nil } } == [false, true])
        try await device.start(with: send)
        #expect(requests.withLock { $0.count } == 2, "The server knows everything.")
        #expect(
            try await !device.deliver(push, with: send),
            "A repeated challenge has no begun registration.")
        #expect(requests.withLock { $0.count } == 2)
    }

    @Test("The weekly repetition and a message need no new proof") func repetition() async throws {
        try await prove()
        let first = try #require(row)
        time.advance(by: 5 * 86_400)
        try await device.start(with: send)
        time.advance(by: 3 * 86_400)
        // The key was rotated, so that a new proof is due.
        for push in server.takePushes() { try await device.deliver(push, with: send) }
        #expect(try isKnown() && row != first)
        let count = requests.withLock { $0.count }
        let request = try #require(requests.withLock { $0.last { $0.proof == nil } })
        guard case .accepted = try server.receive(request, account: "anna").kind else {
            Issue.record("The stored registration needs another proof.")
            return
        }
        #expect(server.takePushes().isEmpty && requests.withLock { $0.count } == count)
        let push = try server.sealer.seal(json: #"{"aps":{"alert":"a"}}"#.utf8, for: #require(row))
        #expect(push.payload.count > 100)
    }

    @Test("A key that is due after a proof is registered once, and the old one isn't")
    func keyAfterProof() async throws {
        try await prove()
        time.advance(by: 8 * 86_400)
        device.token = [UInt8](repeating: 0xCD, count: 32)
        try await device.start(with: send)
        let push = try #require(server.takePushes().first)
        try device.challenges.add(SealedValue(json: push.payload, from: .apns), at: time.now)
        requests.withLock { $0 = [] }
        try await device.start(with: send)
        let sent = requests.withLock { $0.map(\.registration) }
        #expect(sent.count == 2 && sent.first != sent.last)
    }

    private func prove() async throws {
        try await device.start(with: send)
        for push in server.takePushes() { try await device.deliver(push, with: send) }
        #expect(try isKnown())
    }

    @Test("A visible challenge is asked for after an hour, and answered at the next launch")
    func visibleChallenge() async throws {
        try await device.start(with: send)
        _ = server.takePushes()
        time.advance(by: 3599)
        try await device.start(with: send)
        #expect(requests.withLock { $0.count } == 1, "The silent challenge may still come.")
        time.advance(by: 1)
        try await device.start(with: send)
        #expect(requests.withLock { $0.last?.wantsVisibleChallenge } == true)
        let push = try #require(server.takePushes().first)
        #expect(push.isVisible)
        #expect(try await !device.deliver(push, with: send))
        #expect(row == nil && requests.withLock { $0.count } == 2, "An extension sends nothing.")
        try await device.start(with: send)
        #expect(try isKnown() && requests.withLock { $0.count } == 3)
        #expect(try device.challenges.values(since: .distantPast).isEmpty)
    }

    /// Starts the app, and returns the challenge that an attacker with another account has sent to
    /// its device.
    private func challengeOfAnotherAccount() async throws -> ProofServer.Push {
        try await device.start(with: send)
        let begun = try #require(requests.withLock { $0.last })
        let foreign = RegistrationRequest(
            registration: begun.registration, deviceToken: begun.deviceToken,
            wantsVisibleChallenge: true)
        _ = try server.receive(foreign, account: "berta")
        return try #require(server.takePushes().last)
    }

    @Test(
        "A challenge that another account has caused doesn't hide the own one",
        arguments: [false, true])
    func foreignChallenge(isRepeated: Bool) async throws {
        let late = try await challengeOfAnotherAccount()
        time.advance(by: 3600)
        try await device.start(with: send)
        let own = try #require(server.takePushes().last)
        #expect(late.isVisible && own.isVisible)
        try await device.deliver(own, with: send)
        time.advance(by: 1)
        try await device.deliver(late, with: send)
        time.advance(by: 1)
        // A repetition doesn't become the newest.
        if isRepeated { try await device.deliver(own, with: send) }
        let count = requests.withLock { $0.count }
        try await device.start(with: send)
        #expect(try isKnown() && requests.withLock { $0.count } == count + 2)
        #expect(try device.challenges.values(since: .distantPast).isEmpty)
    }

    @Test("After a confirmation with a wrong list, no other challenge is answered") func wrongList()
        async throws
    {
        let late = try await challengeOfAnotherAccount()
        time.advance(by: 3600)
        try await device.start(with: send)
        let own = try #require(server.takePushes().last)
        try await device.deliver(late, with: send)
        time.advance(by: 1)
        try await device.deliver(own, with: send)
        let count = requests.withLock { $0.count }
        let now = time.now
        let error = await #expect(throws: PushCryptError.self) {
            try await device.start { [send] request in
                _ = try await send(request)
                return .accepted(date: now, signerLists: ["x"])
            }
        }
        #expect(error?.code == .malformedSignerList)
        #expect(try isKnown() && requests.withLock { $0.count } == count + 1)
    }

    @Test("At most three stored challenges are answered at a launch") func atMostThree()
        async throws
    {
        try await device.start(with: send)
        let begun = try #require(requests.withLock { $0.last })
        for number in 1...4 {
            let decision = try server.proofs.decide(begun, account: "berta \(number)", at: time.now)
            guard case .challenged(let challenge) = decision else { throw CancellationError() }
            let push = try challenge.seal(
                with: server.sealer, displaying: Payload(body: "Open the app.").aps)
            let payload = push.payload
            try await device.deliver(
                .init(token: device.tokenText, payload: payload, isVisible: true), with: send)
            time.advance(by: 1)
        }
        await #expect(throws: ProofServer.Refused.self) { try await device.start(with: send) }
        #expect(requests.withLock { $0.count { $0.proof != nil } } == 3)
    }

    @Test("A lost answer leaves the challenge to the next launch") func lostAnswer() async throws {
        try await device.start(with: send)
        time.advance(by: 3600)
        try await device.start(with: send)
        let push = try #require(server.takePushes().last)
        try await device.deliver(push, with: send)
        struct Lost: Error {}
        await #expect(throws: Lost.self) { try await device.start { _ in throw Lost() } }
        #expect(try device.challenges.values(since: .distantPast).count == 1)
        try await device.start(with: send)
        #expect(try isKnown())
    }

    @Test("With another token, the device registers again instead of answering") func otherToken()
        async throws
    {
        try await device.start(with: send)
        let push = try #require(server.takePushes().first)
        let old = device.tokenText
        device.token = [UInt8](repeating: 0xCD, count: 32)
        #expect(try await device.deliver(push, with: send))
        #expect(server.rows.isEmpty && requests.withLock { $0.allSatisfy { $0.proof == nil } })
        let next = try #require(server.takePushes().first)
        #expect(next.token == device.tokenText && next.token != old)
        try await device.deliver(next, with: send)
        #expect(try isKnown() && server.rows.count == 1)
    }

    @Test("A challenge of an earlier registration proves nothing") func earlierRegistration()
        async throws
    {
        try await device.start(with: send)
        let push = try #require(server.takePushes().first)
        try await device.registrar.renew(DeviceToken(device.token), with: send)
        let error = await #expect(throws: ProofServer.Refused.self) {
            try await device.deliver(push, with: send)
        }
        #expect(error?.code == .invalidProof && server.rows.isEmpty)
        for push in server.takePushes() { try await device.deliver(push, with: send) }
        #expect(try isKnown())
    }

    @Test("An answer after the expiry is refused, and the device registers again") func lateAnswer()
        async throws
    {
        try await device.start(with: send)
        let push = try #require(server.takePushes().first)
        time.advance(by: 3600)
        let error = await #expect(throws: ProofServer.Refused.self) {
            try await device.deliver(push, with: send)
        }
        #expect(error?.code == .expiredChallenge)
        try await device.start(with: send)
        for push in server.takePushes() { try await device.deliver(push, with: send) }
        try await device.start(with: send)
        #expect(try isKnown())
    }

    @Test("The previous secret counts while secrets rotate, and an older one doesn't")
    func rotatedSecrets()
        async throws
    {
        try await device.start(with: send)
        let push = try #require(server.takePushes().first)
        server.rotate(to: String(repeating: "E", count: 43))
        server.rotate(to: String(repeating: "I", count: 43))
        let error = await #expect(throws: ProofServer.Refused.self) {
            try await device.deliver(push, with: send)
        }
        #expect(error?.code == .invalidProof)
        time.advance(by: 3600)
        try await device.start(with: send)
        let next = try #require(server.takePushes().first)
        server.rotate(to: String(repeating: "M", count: 43))
        try await device.deliver(next, with: send)
        try await device.start(with: send)
        #expect(try isKnown())
    }

    @Test("A challenge of another signer isn't answered") func otherSigner() async throws {
        try await device.start(with: send)
        let forger = ProofServer(time: time, signer: try TestKeys.sender(.mallory))
        let request = try #require(requests.withLock { $0.first })
        let sent = try Registration(parsing: request.registration)
        let anySigner = Registration(
            key: sent.key, generation: sent.generation, created: sent.created,
            lifetime: UInt64(sent.lifetime))
        _ = try forger.receive(
            RegistrationRequest(registration: anySigner.json, deviceToken: request.deviceToken),
            account: "anna")
        let push = try #require(forger.takePushes().first)
        #expect(try await !device.deliver(push, with: send))
        #expect(requests.withLock { $0.count } == 1)
    }

    @Test("A row that is newer than the device gives it a new key, which it proves")
    func staleDevice() async throws {
        try await prove()
        let backup = try #require(device.store.stored)
        try await device.registrar.renew(DeviceToken(device.token), with: send)
        for push in server.takePushes() { try await device.deliver(push, with: send) }
        try device.store.update { $0 = backup }
        time.advance(by: 8 * 86_400)
        let before = requests.withLock { $0.count }
        try await device.start(with: send)
        // The stale generation first, then the new key, for which one silent challenge comes.
        #expect(requests.withLock { $0.count } == before + 2)
        #expect(requests.withLock { $0.allSatisfy { !$0.wantsVisibleChallenge } })
        for push in server.takePushes() { try await device.deliver(push, with: send) }
        #expect(try isKnown())
    }

    @Test(
        "The state file with a begun registration is read again, and a damaged member is forgotten")
    func stateFile() async throws {
        try await device.start(with: send)
        let begun = try #require(try device.state.begun)
        #expect(begun.challenges == 1 && begun.waiting)
        #expect(
            try Registration(parsing: begun.registration).generation
                == device.store.stored?.generation)
        #expect(!begun.token.contains(device.tokenText))
    }
}
