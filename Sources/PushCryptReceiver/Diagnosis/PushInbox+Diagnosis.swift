package import Foundation
public import PushCryptCore
internal import PushCryptKeyring

// What has become of the pushes, and why some of them weren't opened.
extension PushInbox {
    /// Finds the steps between the server and this device that fail.
    ///
    /// It reads what the inbox has stored, in the app and in the extension. It changes no key, and
    /// sends nothing. Show the result in a screen for support, or send it to your server:
    ///
    /// ```swift
    /// for finding in await inbox.diagnose(DeviceToken("dPz-1:APA91bH_Zx")) {
    ///     print(finding.code, finding.message, finding.remedy)
    /// }
    /// ```
    ///
    /// To test the way of a push, run `pushcrypt doctor` on the server: it sends a challenge, and
    /// the device answers.
    ///
    /// - Parameters:
    ///   - token: The token that the carrier has issued for this device; `nil` if there isn't one.
    ///   - account: The account, as in ``register(_:account:with:)``.
    /// - Returns: The findings, the first step first; empty if everything works.
    public func diagnose(_ token: DeviceToken?, account: String = "") async -> [DeviceFinding] {
        var findings: [DeviceFinding] = []
        if token == nil { findings.append(.deviceTokenMissing) }
        do throws(PushCryptError) {
            try configuration.check()
        } catch {
            return findings + [DeviceFinding("The configuration isn't valid.", error)]
        }
        findings += findingsOfExtension()
        do {
            return try await findings + registrar(account).findings(token: token)
        } catch {
            let known = error as? PushCryptError
            let failure =
                known ?? PushCryptError(.invalidConfiguration, "The registration has no directory.")
            return findings + [DeviceFinding("The device's registration can't be read.", failure)]
        }
    }

    private func findingsOfExtension() -> [DeviceFinding] {
        guard let store else { return [] }
        do throws(PushCryptError) {
            guard try store.secrets?.read() != nil else { return [.stateNotPrepared] }
            return try summary().diagnoses.map { diagnosis in
                let count =
                    diagnosis.count == 1
                    ? "1 notification has" : "\(diagnosis.count) notifications have"
                return DeviceFinding(
                    DeviceFinding.Code(rawValue: diagnosis.finding),
                    message: "\(count) this problem.",
                    remedy: diagnosis.advice)
            }
        } catch {
            return [DeviceFinding("The state of the app group can't be read.", error)]
        }
    }

    // MARK: The delivery log

    /// Returns counts of the last notifications, except for those that have begun within the last
    /// minute.
    ///
    /// - Throws: ``PushCryptError`` with `invalidConfiguration` without a shared directory,
    ///   `fileNotFound` if it's missing, `insecureFile`, `lockTimeout` or `fileSystemError`.
    public func summary() throws(PushCryptError) -> DeliverySummary {
        DeliverySummary(try requiredStore().deliveryLog.entries(), now: configuration.time.now)
    }

    /// Deletes the delivery log's entries, after the user has signed out or the app has reported
    /// them.
    ///
    /// - Throws: ``PushCryptError`` as ``summary()`` does.
    public func clearLog() throws(PushCryptError) { try requiredStore().deliveryLog.clear() }

    /// Records a notification that the app finds displayed, if the extension hasn't seen it.
    package func recordDelivered(_ notification: DeliveredNotification, at date: Date)
        throws(PushCryptError)
    {
        try store?.deliveryLog.recordDelivered(notification, at: date)
    }
}
