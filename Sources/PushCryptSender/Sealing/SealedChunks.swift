public import PushCryptCore
internal import PushCryptFoundation

/// The sealed pushes for many devices, in chunks.
///
/// You can iterate over them once.
public struct SealedChunks<Recipient: SealTarget & Sendable>: AsyncSequence, AsyncIteratorProtocol {
    /// A chunk: each recipient with its push, or with the error of sealing for it.
    public typealias Element = [(recipient: Recipient, result: Result<SealedPush, PushCryptError>)]

    private let push: PreparedPush
    private let size: Int
    private let limit: Int

    /// Returns the next recipient; `nil` at the end of the recipients.
    private var nextRecipient: (() async throws -> Recipient?)?
    private var failure: (any Error)?
    private var running: [Task<Element, Never>] = []

    init(
        _ push: PreparedPush, size: Int, limit: Int?,
        _ next: @escaping () async throws -> Recipient?
    ) {
        self.push = push
        self.size = Swift.max(size, 1)
        self.limit = Swift.max(limit ?? 2 * ProcessInfo.processInfo.activeProcessorCount, 1)
        nextRecipient = next
    }

    /// Returns the chunks that remain.
    public func makeAsyncIterator() -> Self { self }

    /// Returns the next chunk, or `nil` at the end.
    public mutating func next() async throws -> Element? {
        try Task.checkCancellation()
        while running.count < limit, case let recipients = await readChunk(), !recipients.isEmpty {
            let push = push
            running.append(Task { Array(zip(recipients, push.sealEach(of: recipients))) })
        }
        guard running.isEmpty else { return await running.removeFirst().value }
        defer { failure = nil }
        return try failure.map { throw $0 }
    }

    /// Reads the recipients of the next chunk, which are none at the end.
    private mutating func readChunk() async -> [Recipient] {
        var recipients: [Recipient] = []
        do {
            while recipients.count < size, let recipient = try await nextRecipient?() {
                recipients.append(recipient)
            }
        } catch {
            failure = error
        }
        // A sequence that has ended or failed isn't asked again.
        if recipients.count < size { nextRecipient = nil }
        return recipients
    }
}
