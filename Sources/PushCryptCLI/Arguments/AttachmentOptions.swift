internal import ArgumentParser
internal import Dispatch
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
    func load(_ push: OpenedPush) -> String? {
        guard let directory else { return nil }
        guard push.signer != nil else {
            Output.warning("the message isn't signed, so a device downloads no attachments")
            return nil
        }
        guard let attachments = try? Payload(parsing: push.payload).attachments, !attachments.isEmpty else {
            Output.hint("the payload has no attachments that are valid")
            return nil
        }
        let (done, path) = (DispatchSemaphore(value: 0), LockedValue<String?>(nil))
        let loader = AttachmentLoader(URLSessionDownloader(allowsHTTP: allowHttp), directory: directory)
        Task {
            do throws(PushCryptError) {
                let loaded = try await loader.load(attachments, timeout: 20).path
                path.withLock { $0 = loaded }
                Output.hint("the attachment is \(loaded)")
            } catch {
                Output.warning("\(error.reason) [\(error.code)]")
            }
            done.signal()
        }
        done.wait()
        return path.withLock { $0 }
    }
}
