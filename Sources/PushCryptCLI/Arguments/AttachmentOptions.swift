internal import ArgumentParser
internal import Dispatch
internal import Foundation
internal import PushCryptDownloads
internal import PushCryptReceiver

/// The options for the attachments of a notification.
struct AttachmentOptions: ParsableArguments {
    @Option(
        name: .customLong("attachments"),
        help: ArgumentHelp(
            "Download the attachments of a signed message into this directory, as a device does.",
            valueName: "directory"))
    var directory: String?

    @Flag(help: "Also download from http: URLs, for tests.")
    var allowHttp = false

    func validate() throws {
        try PathArgument.check(directory, for: "--attachments")
        guard directory != nil || !allowHttp else {
            throw ValidationError("'--allow-http' requires '--attachments'. Add it, or remove the flag.")
        }
    }

    /// Downloads and opens the best attachment, and returns its path; an error is a warning, as on a device.
    func load(_ push: OpenedPush) throws(PushCryptError) -> String? {
        guard let directory else { return nil }
        guard push.signer != nil else {
            Output.warning("the message isn't signed, so a device downloads no attachments")
            return nil
        }
        // Foundation on Linux leaves the bytes of a failed download in its temporary directory.
        let temporary = "\(directory)/\(UUID().uuidString)"
        try FileSystem.createDirectory(temporary)
        FileSystem.setTemporaryDirectory(temporary)
        defer { try? FileManager.default.removeItem(atPath: temporary) }
        let progress = LockedValue((display: Progress(), done: 0, length: 0))
        var downloader = URLSessionDownloader(allowsHTTP: allowHttp)
        downloader.progress = { new, length in
            progress.withLock {
                ($0.done, $0.length) = ($0.done + new, $0.length + length)
                $0.display.update($0.done, of: $0.length)
            }
        }
        let (end, path) = (DispatchSemaphore(value: 0), LockedValue<String?>(nil))
        Task { [downloader] in
            do throws(PushCryptError) {
                let loaded = try await downloader.attachment(of: push, in: directory, timeout: 20)?.path
                path.withLock { $0 = loaded }
                Output.hint(loaded.map { "the attachment is \($0)" } ?? "the message has no attachment")
            } catch {
                Output.warning("\(error.reason) [\(error.code)]")
            }
            end.signal()
        }
        end.wait()
        return path.withLock { $0 }
    }
}
