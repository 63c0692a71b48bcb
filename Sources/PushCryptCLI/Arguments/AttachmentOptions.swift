internal import ArgumentParser
internal import Foundation
internal import PushCryptDownloads
internal import PushCryptReceiver
internal import PushCryptSystem

/// The options for the attachments of a notification.
struct AttachmentOptions: ParsableArguments {
    @Option(
        name: .customLong("attachments"),
        help: ArgumentHelp(
            "Download an attachment of a signed message into this directory, as a device does.",
            valueName: "directory"),
        completion: .directory)
    var directory: String?

    @Flag(help: "Also download from http: URLs, for tests.") var allowHttp = false

    func validate() throws {
        try PathArgument.check(directory, for: "--attachments")
        guard directory != nil || !allowHttp else {
            throw ValidationError(
                "'--allow-http' requires '--attachments'. Add it, or remove the flag.")
        }
    }

    /// Downloads and opens the best attachment, and returns its path, or the problem, which is a
    /// warning as on a device.
    func load(_ push: OpenedPush) throws(PushCryptError) -> Result<String, PushCryptError>? {
        guard let directory else { return nil }
        guard push.signer != nil else {
            Output.warning(
                "the sender isn't verified, so nothing is downloaded; name it with '--signed-by'")
            return nil
        }
        let ownDirectory = AttachmentLoader.ownDirectory(in: directory)
        // Foundation on Linux leaves the bytes of a failed download in its temporary directory.
        let temporary = AttachmentLoader.newPath(in: ownDirectory)
        try FileSystem.createDirectory(ownDirectory)
        try FileSystem.checkOwnDirectory(ownDirectory)
        try FileSystem.createDirectory(temporary)
        FileSystem.setTemporaryDirectory(temporary)
        defer {
            try? FileManager.default.removeItem(atPath: temporary)
            // Another run may still work in it.
            FileSystem.removeEmptyDirectory(ownDirectory)
        }
        return waiting {
            do throws(PushCryptError) {
                let loaded = try await download(push, to: directory)
                // A later run must not remove what this one has shown.
                let path = try loaded.map { (loaded) throws(PushCryptError) in
                    let path = AttachmentLoader.keptPath(of: loaded.path, in: directory)
                    try FileSystem.move(loaded.path, to: path)
                    return path
                }
                Output.hint(
                    path.map { "the attachment is \($0)" } ?? "the message has no attachment")
                return path.map { .success($0) }
            } catch {
                Output.warning("\(error.reason) [\(error.code)]")
                return .failure(error)
            }
        }
    }

    /// Downloads and opens an attachment, and displays the progress on a terminal.
    private func download(
        _ push: OpenedPush, to directory: String
    ) async throws(PushCryptError) -> LoadedAttachment? {
        let progress = LockedValue(TransferProgress("downloaded"))
        defer { progress.withLock { $0.clear() } }
        var downloader = URLSessionDownloader(fromAnyHostAllowingHTTP: allowHttp)
        downloader.progress = { done, length in progress.withLock { $0.update(done, of: length) } }
        return try await downloader.attachment(of: push, in: directory, timeout: 20)
    }
}
