import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptDownloads

/// Downloads to one path, with their outcomes.
struct DownloadTrial {
    private let scratch: Scratch

    /// The path of the downloaded file.
    let path: String

    init() throws {
        scratch = try Scratch()
        path = scratch.file("download")
    }

    /// The names of all files that the downloads left.
    var names: [String] { get throws { try scratch.names } }

    func removeFile() throws { try FileManager.default.removeItem(atPath: path) }

    struct Outcome {
        let file: [UInt8]?
        let error: PushCryptError?
    }

    func download(
        _ url: URL, maximumLength: Int = 1_000_000, timeout: TimeInterval = 600,
        hosts: Set<String> = ["127.0.0.1", "localhost"], allowsHTTP: Bool = true,
        cancelAfter delay: Double? = nil
    ) async -> Outcome {
        let path = path
        // A child task, because it inherits the thread of the test.
        let error = await withTaskGroup(of: PushCryptError?.self) { group in
            group.addTask {
                do {
                    try await URLSessionDownloader(hosts: hosts, allowsHTTP: allowsHTTP)
                        .download(url, to: path, maximumLength: maximumLength, timeout: timeout)
                    return nil
                } catch {
                    return error as? PushCryptError
                }
            }
            if let delay {
                try? await Task.sleep(nanoseconds: UInt64(delay * 1e9))
                group.cancelAll()
            }
            return await group.next() ?? nil
        }
        return Outcome(
            file: FileManager.default.contents(atPath: path).map { [UInt8]($0) }, error: error)
    }

    func expectFailure(_ outcome: Outcome, _ problem: String) {
        #expect(
            outcome.error?.code == .downloadFailed
                && outcome.error?.reason.contains(problem) == true, "\(outcome)")
        #expect(outcome.file == nil)
    }
}
