internal import Foundation
internal import PushCryptCore
internal import PushCryptPayload

/// The path of one notification, from the system's request to the content that the device displays.
///
/// | Notification | Steps |
/// |---|---|
/// | opened | open, decide, attach, customize, admit, present |
/// | opened, and the app's decision is to drop it | open, decide, admit, present |
/// | opened, if the user has chosen to see less | open, decide, admit, present |
/// | withdrawal | open, withdraw, admit, present |
/// | fallback, or an unsealed one that is allowed | open, admit, present |
///
/// Opening runs on a queue of the request, and the other steps in a task. The steps offer better and better content to
/// the gate. The last step, the deadline or the expiry closes the gate. The thread that closes it admits the best
/// content so far, and presents it to the system.
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

    /// Returns the gate, which admits and presents the content, and records the outcome afterwards.
    func gate(
        fallbackReason: PushCryptError, record: DeliveryRecorder, present: @escaping Gate.Handler
    ) -> Gate {
        let fallback = opener.fallback(for: notification, because: fallbackReason)
        return Gate(
            fallback: Presented(fallback, on: platform),
            needsSteps: app.shouldShow != nil || platform.hasSteps,
            admit: { admit($0) },
            afterwards: { record.end($0.outcome) },
            handler: present)
    }

    /// Opens the notification, and starts a task for the later steps if it needs them.
    func run(_ request: RunningRequest, _ gate: Gate) {
        guard let draft = open(gate) else { return }
        let task = Task(priority: .userInitiated) { await improve(draft) }
        request.atEnd { task.cancel() }
    }

    /// Takes the steps after opening.
    ///
    /// If one fails, the best content so far is displayed.
    private func improve(_ draft: Draft) async {
        do {
            let better = try await improved(draft)
            draft.gate.step { $0.finished(with: better) }
        } catch {
            let action = draft.gate.step { $0.finished(with: nil) }
            // If the gate was closed before, its cancellation has caused the error.
            guard action != nil else { return }
            let reason = "The app's decision or customization threw \(type(of: error)). Catch the error there."
            log(PushCryptError(.customizationFailed, reason))
        }
    }

    private func improved(_ draft: Draft) async throws -> Presented {
        switch draft.presentation {
        case .opened(let push, _):
            guard try await decide(push) else { return Presented(opener.dropped(push), on: platform) }
            let attached = await attach(draft)
            try Task.checkCancellation()
            return try await customize(attached)
        case .reduced(let push, _):
            guard try await decide(push) else { return Presented(opener.dropped(push), on: platform) }
        case .withdrawal(let push, let withdrawal):
            await withdraw(withdrawal, push)
        case .dropped, .unsealed, .fallback:
            break
        }
        return Presented(draft.content, as: draft.presentation, on: platform)
    }

    // MARK: Open

    /// Opens the notification, and offers the result to the gate.
    ///
    /// - Returns: A draft for the later steps; `nil` if the notification needs none of them or the gate is closed.
    private func open(_ gate: Gate) -> Draft? {
        // After the deadline or the expiry, opening would use up the message's ID in the replay guard.
        let result = opener.open(notification) { !gate.isClosed }
        let opened = Presented(result, on: platform)
        let action = gate.step { $0.opened(opened) }
        guard case .improve = action, let push = result.presentation.push else { return nil }
        return Draft(
            push: push, original: result.content, content: opened.content, presentation: result.presentation,
            platform: platform, gate: gate)
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

    /// Records the notification that is about to be displayed, and returns it with its last change.
    private func admit(_ best: Presented) -> Presented {
        do throws(PushCryptError) {
            let admission = try opener.admit(
                best.presentation, displaying: platform.read(best.content), identifier: notification.identifier)
            switch admission {
            case .unchanged: return best
            case .withdrawn(let result): return Presented(result, on: platform)
            case .counted(let badge):
                let content = platform.content(best.content, withBadge: badge)
                return Presented(content, as: best.presentation, on: platform)
            }
        } catch {
            log(error)
            return best
        }
    }

    private func log(_ error: PushCryptError) { app.log?(NotificationHandler.Event(error)) }
}
