internal import Foundation
internal import PushCryptDownloads
internal import PushCryptReceiver
internal import UserNotifications

extension AttachmentDownloader {
    /// Returns the attachment that the system displays; empty if the message isn't signed or has
    /// none.
    ///
    /// The system moves the file when it displays the notification. If the request ends before, the
    /// download ends, too.
    ///
    /// - Throws: ``PushCryptError`` with `downloadFailed`, `damagedAttachment`, `unsupportedMedia`
    ///   or `malformedAttachment`.
    func attachments(
        of push: OpenedPush, timeout: TimeInterval
    ) async throws(PushCryptError) -> [UNNotificationAttachment] {
        guard let loaded = try await attachment(of: push, in: Self.directory, timeout: timeout)
        else { return [] }
        let hidden = loaded.attachment.hidesThumbnail
        do {
            // The request has ended, and nothing displays the file.
            try Task.checkCancellation()
            return [
                try UNNotificationAttachment(
                    identifier: loaded.attachment.name ?? "",
                    url: URL(fileURLWithPath: loaded.path),
                    options: hidden
                        ? [UNNotificationAttachmentOptionsThumbnailHiddenKey: true] : nil)
            ]
        } catch {
            try? FileManager.default.removeItem(atPath: loaded.path)
            throw PushCryptError(
                .unsupportedMedia, "The system doesn't display the attachment. Check its contents.")
        }
    }

    /// The directory for files until the system moves them.
    private static var directory: String {
        let directory = NSTemporaryDirectory()
        #if canImport(Darwin)
        // New files get the protection of their directory.
        try? FileManager.default.createDirectory(
            atPath: AttachmentLoader.ownDirectory(in: directory), withIntermediateDirectories: true,
            attributes: [
                .posixPermissions: 0o700,
                .protectionKey: FileProtectionType.completeUntilFirstUserAuthentication,
            ])
        #endif
        return directory
    }
}
