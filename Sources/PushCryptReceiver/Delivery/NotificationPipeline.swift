internal import Foundation
internal import PushCryptCore
internal import PushCryptPayload
internal import PushCryptSystem

/// The path of one notification, from the system's request to the content that the device displays.
///
/// | Notification | Steps |
/// |---|---|
/// | opened | open, decide, attach, customize, admit, present |
/// | opened, and the app's decision is to drop it | open, decide, admit, present |
/// | opened, if the user has chosen to see less | open, decide, admit, present |
/// | opened before, or perhaps | open, compare, admit, present |
/// | withdrawal | open, withdraw, admit, present |
/// | challenge | open, admit, present |
/// | fallback, or an unsealed one that is allowed | open, admit, present |
///
/// Opening runs on a queue of the request, and the other steps in a task. The steps offer better and better content to
/// the gate. The last step, the deadline or the expiry closes the gate. The thread that closes it admits the best
/// content so far, writes its receipt, records the outcome and presents the content to the system.
struct NotificationPipeline<Platform: NotificationPlatform>: Sendable {
    typealias Presented = PresentedNotification<Platform.Content>
    typealias Gate = DeliveryGate<Presented>
    typealias Draft = NotificationDraft<Platform>

    let notification: DeliveredNotification
    let opener: NotificationOpener
    let platform: Platform
    let app: AppCallbacks

    /// The system's uptime at the deadline.
    let end: TimeInterval

    /// A Boolean value that indicates whether the secrets were read.
    ///
    /// Until then, their store may block. So the thread that ends the request doesn't use what needs them.
    private let hasReadSecrets = LockedValue(false)

    init(
        notification: DeliveredNotification, opener: NotificationOpener, platform: Platform, app: AppCallbacks,
        end: TimeInterval
    ) {
        self.notification = notification
        self.opener = opener
        self.platform = platform
        self.app = app
        self.end = end
    }

    /// Returns the gate, which admits the content, records the outcome and presents the content.
    func gate(
        fallbackReason: PushCryptError, record: DeliveryRecorder, present: @escaping Gate.Handler
    ) -> Gate {
        let fallback = opener.fallback(for: notification, because: fallbackReason)
        return Gate(
            fallback: Presented(fallback, on: platform),
            needsSteps: app.shouldShow != nil || platform.hasSteps,
            admit: { best in
                let admitted = admit(best)
                record.end(admitted.outcome, hasReceipt: admitted.hasReceipt)
                return admitted
            },
            afterwards: { presented in
                // Not before: if the process were ended between, neither notification would display the text.
                if !presented.doubles.isEmpty { platform.deliveredList?.remove(presented.doubles) }
                record.report(presented.outcome)
            },
            handler: present)
    }

    /// Opens the notification, and starts a task for the later steps if it needs them.
    func run(_ request: RunningRequest, _ gate: Gate) {
        _ = try? opener.opener.secrets?.read()
        opener.shared?.readSecrets()
        hasReadSecrets.withLock { $0 = true }
        guard let result = open(gate) else { return }
        let task = Task(priority: .userInitiated) { await improve(result, gate) }
        request.atEnd { task.cancel() }
    }

    /// Takes the steps after opening.
    ///
    /// If one fails, the best content so far is displayed.
    private func improve(_ result: NotificationResult, _ gate: Gate) async {
        do {
            let better = try await improved(result, gate)
            gate.step { $0.finished(with: better) }
        } catch {
            let action = gate.step { $0.finished(with: nil) }
            // If the gate was closed before, its cancellation has caused the error.
            guard action != nil else { return }
            let reason = "The app's decision or customization threw \(type(of: error)). Catch the error there."
            log(PushCryptError(.customizationFailed, reason))
        }
    }

    private func improved(_ result: NotificationResult, _ gate: Gate) async throws -> Presented {
        switch result.presentation {
        case .opened(let push, let original):
            guard try await decide(push) else { return Presented(opener.dropped(push), on: platform) }
            let draft = Draft(
                push: push, original: result.content, content: platform.content(for: result.content),
                identifier: notification.identifier, presentation: result.presentation, platform: platform, gate: gate)
            // After the end of the request, no lock may be taken.
            try Task.checkCancellation()
            let attached = isWithdrawn(push, original) ? draft : await attach(draft)
            try Task.checkCancellation()
            return try await customize(attached)
        case .reduced(let push, _):
            guard try await decide(push) else { return Presented(opener.dropped(push), on: platform) }
        case .withdrawal(let push, let withdrawal):
            await withdraw(withdrawal, push)
        case .repeated, .dropped, .challenge, .replayed, .kept, .unsealed, .fallback:
            break
        }
        guard result.presentation.isCopy else { return Presented(result, on: platform) }
        return await CopiedMessage(notification: notification, opener: opener, platform: platform)
            .presented(instead: result)
    }

    // MARK: Open

    /// Opens the notification, and offers the result to the gate.
    ///
    /// - Returns: The result for the later steps; `nil` if the notification needs none of them or the gate is closed.
    private func open(_ gate: Gate) -> NotificationResult? {
        // After the deadline or the expiry, opening would use up the message's ID in the replay guard.
        let result = opener.open(notification) { !gate.isClosed }
        let opened = Presented(result, on: platform)
        let action = gate.step { $0.opened(opened) }
        guard case .improve = action else { return nil }
        return result
    }

    // MARK: Decide

    /// Returns a Boolean value that indicates whether the app wants to display the message.
    private func decide(_ push: OpenedPush) async throws -> Bool {
        guard let shouldShow = app.shouldShow else { return true }
        return try await shouldShow(push)
    }

    // MARK: Withdraw

    /// Records a withdrawal for late notifications, and removes displayed ones before its own content is presented.
    private func withdraw(_ withdrawal: Withdrawal, _ push: OpenedPush) async {
        do throws(PushCryptError) {
            guard let shared = opener.shared else {
                throw PushCryptError(
                    .invalidConfiguration, "A withdrawal needs the app group's directory. Pass SharedNotifications.")
            }
            // An attacker who has the device's public key could hide messages.
            guard push.signer != nil else {
                throw PushCryptError(.unsigned, "A withdrawal without a signature doesn't act. Sign it on the server.")
            }
            try shared.withdraw(withdrawal, push)
            if let list = platform.deliveredList { try await shared.removeWithdrawn(from: list) }
        } catch {
            log(error)
        }
    }

    /// Returns a Boolean value that indicates whether the message was withdrawn already.
    ///
    /// Its attachment isn't downloaded, because the host would learn of a message that isn't displayed.
    private func isWithdrawn(_ push: OpenedPush, _ original: OriginalText) -> Bool {
        guard let shared = opener.shared else { return false }
        let isWithdrawn = try? shared.isWithdrawn(
            push, identifier: notification.identifier, thread: original.thread)
        return isWithdrawn ?? false
    }

    // MARK: Attach

    /// Adds the message's attachments, and offers the content to the gate.
    ///
    /// The content stays as it is if that fails.
    private func attach(_ draft: Draft) async -> Draft {
        // The app's customization needs time too.
        let timeout = 0.6 * (end - ProcessInfo.processInfo.systemUptime)
        do throws(PushCryptError) {
            let content = try await platform.attach(to: draft.content, from: draft.push, timeout: timeout)
            guard let content else { return draft }
            draft.update(content)
            var attached = draft
            attached.content = content
            return attached
        } catch {
            // The end of the request cancels a download.
            if !Task.isCancelled { log(error) }
            return draft
        }
    }

    // MARK: Customize

    /// Lets the app change the content.
    private func customize(_ draft: Draft) async throws -> Presented {
        let content = try await platform.customize(draft)
        return Presented(content, as: draft.presentation, on: platform)
    }

    // MARK: Admit

    /// Records the notification that is about to be displayed, and returns it with its last changes.
    private func admit(_ best: Presented) -> Presented {
        guard hasReadSecrets.withLock({ $0 }) else { return best }
        do throws(PushCryptError) {
            let admission = try opener.admit(
                best.presentation, displaying: platform.read(best.content), of: notification, doubles: best.doubles)
            switch admission {
            case .unchanged: return opener.proved(best, of: notification, on: platform)
            case .withdrawn(let result): return Presented(result, on: platform)
            case .shown(let doubles, let badge):
                var shown = best
                if let badge { shown.content = platform.content(best.content, withBadge: badge) }
                shown.doubles = doubles
                return opener.proved(shown, of: notification, on: platform)
            }
        } catch {
            log(error)
            return opener.proved(best, of: notification, on: platform)
        }
    }

    private func log(_ error: PushCryptError) { app.log?(NotificationHandler.Event(error)) }
}
