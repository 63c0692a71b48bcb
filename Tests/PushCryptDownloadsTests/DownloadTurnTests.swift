import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptDownloads
@testable import PushCryptPayload

/// Downloads of several notifications, and of several attachments, one after the other.
@Suite struct DownloadTurnTests {
    private let scratch: Scratch
    private let turn = DownloadTurn()

    init() throws { scratch = try Scratch() }

    /// A downloader that records its calls, and waits in the first one until a test lets it go on.
    private final class Recorder: AttachmentDownloader {
        struct Call {
            let name: String
            let timeout: TimeInterval
        }

        let calls = LockedValue<[Call]>([])
        let active = LockedValue(0)
        let mayEnd = LockedValue(true)
        let works: Bool

        init(works: Bool = true) { self.works = works }

        func download(_ url: URL, to path: String, maximumLength: Int, timeout: TimeInterval)
            async throws
        {
            calls.withLock { $0.append(Call(name: url.lastPathComponent, timeout: timeout)) }
            let count = active.withLock { active in
                active += 1
                return active
            }
            defer { active.withLock { $0 -= 1 } }
            #expect(count == 1, "Another download is under way.")
            await eventually { mayEnd.withLock { $0 } }
            guard works else { throw CocoaError(.fileNoSuchFile) }
            _ = FileManager.default.createFile(atPath: path, contents: Data("GIF89a".utf8))
        }

        var names: [String] { calls.withLock { $0 }.map(\.name) }
    }

    private func attachments(_ names: String...) -> [MediaAttachment] {
        names.map { MediaAttachment(url: "https://a.example/\($0)", type: .gif) }
    }

    private func load(
        _ attachments: [MediaAttachment], _ downloader: Recorder, timeout: TimeInterval = 600
    ) async -> PushCryptError? {
        let loader = AttachmentLoader(
            downloader: downloader, directory: scratch.file("own"), turn: turn)
        do throws(PushCryptError) {
            _ = try await loader.load(attachments, timeout: timeout)
            return nil
        } catch {
            return error
        }
    }

    @Test("The requests of a process download one after the other, in their order") func order()
        async
    {
        let downloader = Recorder()
        downloader.mayEnd.withLock { $0 = false }
        await withTaskGroup(of: PushCryptError?.self) { group in
            for (number, name) in ["a", "b", "c"].enumerated() {
                group.addTask { await load(attachments(name), downloader) }
                // Without the turn, nothing waits, and the downloader is called at once.
                await eventually {
                    number == 0 ? downloader.names == ["a"] : turn.waiting == number
                }
                #expect(turn.waiting == number && downloader.names == ["a"])
            }
            downloader.mayEnd.withLock { $0 = true }
            for await error in group { #expect(error == nil) }
        }
        #expect(downloader.names == ["a", "b", "c"] && turn.waiting == 0)
    }

    @Test("A request that waits ends at its own time, and downloads nothing") func timeout() async {
        let downloader = Recorder()
        #expect(await turn.begin(timeout: 0))
        for timeout in [0, 0.01, -1, .nan] {
            let error = await load(attachments("a"), downloader, timeout: timeout)
            #expect(
                error?.code == .downloadFailed
                    && error?.reason.contains("other notifications") == true)
        }
        #expect(downloader.names.isEmpty && turn.waiting == 0)
        turn.end()
        #expect(await load(attachments("a"), downloader) == nil, "The turn is free again.")
    }

    @Test("A cancelled request no longer waits, and the next one gets the turn") func cancellation()
        async
    {
        let downloader = Recorder()
        #expect(await turn.begin(timeout: 0))
        let first = Task { await load(attachments("a"), downloader) }
        await eventually { turn.waiting == 1 }
        let second = Task { await load(attachments("b"), downloader) }
        await eventually { turn.waiting == 2 }
        first.cancel()
        #expect(await first.value?.code == .downloadFailed)
        #expect(turn.waiting == 1)
        turn.end()
        #expect(await second.value == nil && downloader.names == ["b"])
    }

    @Test("A request that was cancelled before doesn't wait") func earlyCancellation() async {
        #expect(await turn.begin(timeout: 0))
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await turn.begin(timeout: 600)
        }
        task.cancel()
        #expect(await task.value == false)
        #expect(turn.waiting == 0)
    }

    @Test("Attachments of one message are tried in their order, each with its share of the time")
    func shares() async {
        let downloader = Recorder(works: false)
        #expect(
            await load(attachments("a", "b", "c", "d", "e"), downloader, timeout: 3600)?.code
                == .downloadFailed)
        #expect(downloader.names == ["a", "b", "c", "d"])
        // The time that the others haven't used is left.
        let timeouts = downloader.calls.withLock { $0 }.map(\.timeout)
        for (timeout, share) in zip(timeouts, [900.0, 1200, 1800, 3600]) {
            #expect(timeout <= share && timeout > share / 2)
        }
    }

    @Test("All loaders and downloaders of a process have one turn") func process() {
        #expect(URLSessionDownloader(hosts: []).turn === DownloadTurn.process)
    }
}

/// Waits for another task.
private func eventually(_ condition: () -> Bool) async {
    for _ in 0..<12_000 where !condition() { try? await Task.sleep(nanoseconds: 5_000_000) }
}
