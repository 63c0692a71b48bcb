import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// Sealing for many devices on all cores.
@Suite struct SealedChunksTests {
    /// A device, which may have a lifetime that isn't valid.
    private struct Device: SealTarget, Sendable {
        let number: Int
        let key: RecipientPublicKey
        var lifetime: TimeInterval { number % 10 == 7 ? 0 : Double(1000 + number) }
        let signers: AcceptedSigners? = nil
    }

    private let prepared: PreparedPush
    private let opener: Opener
    private let key: RecipientPublicKey

    init() throws {
        let (device, server) = try (TestKeys.device(), TestKeys.sender())
        prepared = try Sealer(.signed(by: server)).prepare(json: #"{"aps":{"alert":"to all"}}"#)
        opener = Opener(
            keys: InMemoryKeyStore([device]), senderPolicy: .signed(by: [server.publicKey]))
        key = device.publicKey
    }

    private func devices(_ count: Int) -> [Device] {
        (0..<count).map { Device(number: $0, key: key) }
    }

    /// Expects a message of its own for each device, in order, and an error for those whose
    /// lifetime isn't valid.
    private func expectMessages(
        _ results: [(recipient: Device, result: Result<SealedPush, PushCryptError>)]
    ) throws {
        #expect(results.map(\.recipient.number) == Array(results.indices))
        var ids: Set<MessageID> = []
        for (device, result) in results {
            guard case .success(let push) = result else {
                #expect(device.lifetime == 0 && errorCode { try result.get() } == .invalidLifetime)
                continue
            }
            let opened = try opener.open(json: push.payload)
            // The lifetime tells the devices apart.
            #expect(opened.lifetime == device.lifetime)
            #expect(ids.insert(opened.messageID).inserted)
        }
        #expect(ids.count == results.count { $0.recipient.lifetime > 0 })
    }

    @Test(
        "Each device of an array gets its message or its error", arguments: [0, 1, 63, 64, 65, 300])
    func anArrayIsSealed(count: Int) throws {
        let results = prepared.sealOnAllCores(for: devices(count))
        #expect(results.count == count)
        try expectMessages(Array(zip(devices(count), results)))
    }

    @Test(
        "Each device of a sequence gets its message or its error",
        arguments: [(0, 256, nil), (1, 1, 1), (100, 7, nil), (100, 10, 3), (30, 100, 2), (5, 0, 0)])
    func aSequenceIsSealed(count: Int, size: Int, limit: Int?) async throws {
        var results: [(recipient: Device, result: Result<SealedPush, PushCryptError>)] = []
        for try await chunk in prepared.chunks(for: devices(count), of: size, atOnce: limit) {
            let expected = min(max(size, 1), count - results.count)
            #expect(chunk.count == expected)
            results += chunk
        }
        #expect(results.count == count)
        try expectMessages(results)
    }

    @Test("Recipients of an asynchronous sequence are read only a few chunks ahead")
    func readingIsBounded() async throws {
        let reads = Counter()
        let (key, count) = (key, 200)
        let source = AsyncStream<Device> {
            let number = reads.increment() - 1
            return number < count ? Device(number: number, key: key) : nil
        }
        var results: [(recipient: Device, result: Result<SealedPush, PushCryptError>)] = []
        for try await chunk in prepared.chunks(for: source, of: 5, atOnce: 3) {
            results += chunk
            #expect(reads.value <= results.count + 2 * 5 + 1)
        }
        try expectMessages(results)
        #expect(results.count == count)
    }

    @Test(
        "An error of the source comes after all messages for the recipients before it",
        arguments: [0, 4, 5, 38])
    func errorsOfTheSourceComeLast(count: Int) async throws {
        let key = key
        let reads = Counter()
        let source = AsyncThrowingStream<Device, any Error> {
            let number = reads.increment() - 1
            guard number < count else { throw CocoaError(.fileReadUnknown) }
            return Device(number: number, key: key)
        }
        var results: [(recipient: Device, result: Result<SealedPush, PushCryptError>)] = []
        var iterator = prepared.chunks(for: source, of: 5).makeAsyncIterator()
        await #expect(throws: CocoaError.self) {
            while let chunk = try await iterator.next() { results += chunk }
        }
        try expectMessages(results)
        #expect(results.count == count)
        // The end follows the error.
        #expect(try await iterator.next() == nil)
    }

    @Test("A canceled task gets no more chunks") func cancellationEndsTheSequence() async throws {
        let (prepared, key, reads) = (prepared, key, Counter())
        let task = Task {
            var count = 0
            let source = AsyncStream<Device> { Device(number: reads.increment(), key: key) }
            for try await chunk in prepared.chunks(for: source, of: 10, atOnce: 2) {
                count += chunk.count
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            }
            return count
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(reads.value <= 40)
    }

    @Test("The main actor can use the chunks") @MainActor func theMainActorCanIterate() async throws
    {
        var count = 0
        for try await chunk in prepared.chunks(for: devices(20), of: 8) { count += chunk.count }
        #expect(count == 20)
    }
}

/// A number that several threads count.
private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0

    var value: Int { lock.withLock { count } }

    /// Returns the number after adding 1.
    func increment() -> Int {
        lock.withLock {
            count += 1
            return count
        }
    }
}
