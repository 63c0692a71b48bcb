import PushCryptTesting
import Testing

@Suite struct PreparedPushTests {
    @Test("Each of many devices gets a separate message", arguments: [true, false])
    func eachOfManyDevicesGetsASeparateMessage(signed: Bool) throws {
        let server = try TestKeys.sender()
        let devices = try (0..<20).map { _ in try RecipientPrivateKey() }
        let json = Array(#"{"aps":{"alert":"to all"}}"#.utf8)
        let pushes = try Sealer(signed ? .signed(by: server) : .anonymous)
            .prepare(json: json).seal(for: devices.map(\.publicKey))
        #expect(pushes.count == devices.count)
        var ids: Set<MessageID> = []
        for (device, push) in zip(devices, pushes) {
            let opener = Opener(
                keys: InMemoryKeyStore([device]),
                senderPolicy: signed ? .signed(by: [server.publicKey]) : .anyone)
            let opened = try opener.open(json: push.payload)
            #expect(opened.payload == json)
            ids.insert(opened.messageID)
        }
        #expect(ids.count == devices.count)
    }

    @Test("Sealing for no device returns no push") func sealingForNoDeviceReturnsNoPush() throws {
        let prepared = try Sealer(.anonymous).prepare(json: #"{"aps":{"alert":"a"}}"#)
        #expect(try prepared.seal(for: [RecipientPublicKey]()).isEmpty)
    }

    @Test("A prepared push can be sealed on many threads")
    func aPreparedPushCanBeSealedOnManyThreads() async throws {
        let server = try TestKeys.sender()
        let device = try TestKeys.device()
        let prepared = try Sealer(.signed(by: server)).prepare(json: #"{"aps":{"alert":"a"}}"#.utf8)
        let opener = Opener(
            keys: InMemoryKeyStore([device]), senderPolicy: .signed(by: [server.publicKey]))
        let ids = try await withThrowingTaskGroup(of: MessageID.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try opener.open(json: prepared.seal(for: device.publicKey).payload).messageID
                }
            }
            return try await group.reduce(into: Set<MessageID>()) { $0.insert($1) }
        }
        #expect(ids.count == 50)
    }

    @Test("The time of issue is the time of sealing") func theTimeOfIssueIsTheTimeOfSealing() throws
    {
        let time = TestClock()
        let device = try TestKeys.device()
        let prepared = try Sealer(.anonymous, time: time).prepare(
            json: #"{"aps":{"alert":"a"}}"#.utf8)
        time.advance(by: 1000)
        let push = try prepared.seal(for: device.publicKey)
        let opener = Opener(keys: InMemoryKeyStore([device]), senderPolicy: .anyone, time: time)
        #expect(try opener.open(json: push.payload).issuedAt == time.now)
    }
}
