import Foundation
import PushCryptTesting
import Testing

/// The lifetime of a message, which is the shorter one of the sealer's and the recipient's.
@Suite struct RecipientLifetimeTests {
    let time = TestClock()
    let json = #"{"aps":{"alert":"a"}}"#

    private func registration(_ device: TestKeys.Device = .alice, lifetime: Int) throws
        -> Registration
    {
        let jwk = try TestKeys.device(device).publicKey.jwk
        return try Registration(
            parsing: #"{"created":1,"generation":1,"key":\#(jwk),"lifetime":\#(lifetime)}"#)
    }

    /// Returns the lifetime in the message, which APNs has too.
    private func lifetime(_ push: SealedPush, _ device: TestKeys.Device = .alice) throws
        -> TimeInterval
    {
        let opened = try Opener(
            keys: InMemoryKeyStore([TestKeys.device(device)]), senderPolicy: .anyone, time: time
        )
        .open(json: push.payload)
        #expect(push.headers.expiration == .at(time.now + opened.lifetime))
        return opened.lifetime
    }

    @Test(
        "The lifetime is the shorter one of the sealer and the recipient",
        arguments: [(604_800, 86_400), (86_400, 604_800), (1, 2_592_000), (2_592_000, 1), (60, 60)])
    func lifetimeIsTheShorterOne(own: Int, registered: Int) throws {
        let sealer = Sealer(.anonymous, lifetime: TimeInterval(own), time: time)
        let registration = try registration(lifetime: registered)
        let recipient = try Recipient(
            registration: registration, deviceToken: String(repeating: "0a", count: 32))
        let expected = TimeInterval(min(own, registered))
        #expect(try lifetime(sealer.seal(json: json, for: registration)) == expected)
        #expect(try lifetime(sealer.seal(json: json, for: recipient)) == expected)
        #expect(try lifetime(sealer.prepare(json: json).seal(for: recipient)) == expected)
        #expect(try lifetime(sealer.seal(json: json, for: registration.key)) == TimeInterval(own))
    }

    @Test("Recipients of one prepared push have lifetimes of their own")
    func recipientsHaveTheirOwnLifetimes() throws {
        let sealer = Sealer(.signed(by: try TestKeys.sender()), time: time)
        let recipients = try [
            registration(lifetime: 60), registration(.bob, lifetime: 2_592_000),
            registration(lifetime: 86_400),
        ]
        let pushes = try sealer.prepare(json: json).seal(for: recipients)
        #expect(try lifetime(pushes[0]) == 60)
        #expect(try lifetime(pushes[1], .bob) == 604_800)
        #expect(try lifetime(pushes[2]) == 86_400)
    }

    private struct Row: SealTarget {
        let key: RecipientPublicKey
        let lifetime: TimeInterval
        let signers: AcceptedSigners? = nil
    }

    @Test(
        "A recipient with an invalid lifetime is an error",
        arguments: [0, 0.5, -1, 2_592_001, .nan, .infinity] as [Double])
    func invalidLifetimeIsAnError(lifetime: Double) throws {
        let row = Row(key: try TestKeys.device().publicKey, lifetime: lifetime)
        #expect(throws: PushCryptError(.invalidLifetime, "")) {
            try Sealer(.anonymous).seal(json: json, for: row)
        }
    }
}
