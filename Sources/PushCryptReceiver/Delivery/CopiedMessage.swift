internal import PushCryptCore

/// A push with a message that was opened before, or may have been: a sender sends again after a lost answer, and an
/// attacker replays.
///
/// A copy never replaces a newer or a readable text. So the displayed notifications decide what is handed over:
///
/// | Displayed | Handed over |
/// |---|---|
/// | a notification with the copy's identifier and a valid receipt | its content again |
/// | the same message under another identifier, and the copy came within an hour | its content; the other is removed |
/// | neither | the original, silently, within an hour; later nothing, or the quietest text |
struct CopiedMessage<Platform: NotificationPlatform>: Sendable {
    typealias Presented = PresentedNotification<Platform.Content>

    let notification: DeliveredNotification
    let opener: NotificationOpener
    let platform: Platform

    /// Returns what is handed over for a copy.
    func presented(instead result: NotificationResult) async -> Presented {
        let displayed = await platform.displayedNotifications().compactMap { proved($0) }
        // After the end of the request, no lock may be taken.
        guard !Task.isCancelled else { return Presented(result, on: platform) }
        if let own = displayed.first(where: { $0.identifier == notification.identifier }),
            (try? opener.shared?.isWithdrawn(own.identifier)) != true
        {
            return Presented(platform.silent(own.content), as: .kept(result.presentation), on: platform)
        }
        guard case .repeated(let push, let original, _) = result.presentation else {
            return Presented(result, on: platform)
        }
        let doubles = displayed.filter { $0.receipt.messageID == push.messageID }
        guard let double = doubles.last else { return Presented(result, on: platform) }
        if opener.display != .full, double.receipt.state != .reduced {
            // The user has chosen to see less since.
            var reduced = Presented(result, on: platform)
            reduced.doubles = doubles.map(\.identifier)
            return reduced
        }
        var presented = Presented(
            platform.silent(double.content), as: .repeated(push, original, double.receipt.state), on: platform)
        presented.doubles = doubles.map(\.identifier)
        return presented
    }

    /// A displayed notification whose receipt is proved.
    private struct Proved {
        let identifier: String
        let content: Platform.Content
        let receipt: Receipt
    }

    private func proved(_ displayed: DisplayedNotification<Platform.Content>) -> Proved? {
        guard let receipt = opener.opener.receiptReader.judgment(of: displayed.notification).receipt else { return nil }
        return Proved(
            identifier: displayed.notification.identifier, content: displayed.content, receipt: receipt)
    }
}
