// README.md, "In the notification service extension": compiled here, run by ReadmeTests, and the same there.
import PushCryptApple
import UserNotifications

/// What an app knows about itself.
private let keyringPath = ExtensionSnippet.keyringPath
private let serverKeys = ExtensionSnippet.serverKeys

enum ExtensionSnippet {
    /// In the container that app and extension share.
    static let keyringPath = Document.sharedKeyringPath

    /// The server's public key, in the app's resources.
    static let serverKeys = [
        """
        {"kty":"OKP","crv":"Ed25519","use":"sig","kid":"qkHIW5lJtR8chS8jnrWyGU1B9qVeCPnReyeJpVt53Ss",\
        "x":"Ey7XEw8fd2xxeea7Jy-6_9qILSz51hjn-QQNzwCR9JE"}
        """
    ]
}

// begin
final class NotificationService: UNNotificationServiceExtension {
    private let notifications = NotificationHandler(
        NotificationPresenter(
            Opener(
                keys: KeyringFileStore(path: keyringPath),
                accepting: .signed(by: serverKeys.compactMap { try? VerificationKey(parsing: $0) })),
            strings: BundleStringTable.containingApp))

    override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        notifications.handle(request, contentHandler: contentHandler)
    }

    override func serviceExtensionTimeWillExpire() {
        notifications.expire()
    }
}
// end
