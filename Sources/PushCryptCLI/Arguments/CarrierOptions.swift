internal import ArgumentParser
internal import PushCryptSender

/// The carrier of a sealed push, and what its request needs.
struct CarrierOptions: ParsableArguments {
    @Option(help: "The service that sends the push. Its request is written instead of the payload.")
    var carrier: Carrier = .apns

    @Option(
        help: ArgumentHelp(
            "With '--carrier': the carrier's token of the device.", valueName: "token"))
    var device: String?

    @Option(
        help: ArgumentHelp(
            "With '--carrier onesignal': the app's ID at OneSignal.", valueName: "id"))
    var appId: String?

    /// A Boolean value that indicates whether the carrier wraps the payload.
    var isWrapping: Bool { carrier != .apns }

    func validate() throws {
        guard isWrapping || device == nil else {
            throw ValidationError("'--device' requires '--carrier'. Add it, or remove '--device'.")
        }
        guard (carrier == .oneSignal) == (appId != nil) else {
            throw ValidationError(
                "'--app-id' and '--carrier onesignal' require each other. Add or remove one.")
        }
    }

    /// Checks that one push has the token of its device, and that a line has its own.
    func check(isLines: Bool) throws {
        guard isWrapping, isLines == (device != nil) else { return }
        throw ValidationError(
            isLines
                ? "With '--lines', each line names its device as \"token\". Remove '--device'."
                : "The device's token is missing. Give '--device TOKEN'.")
    }

    /// Returns the request for a push to a device.
    func request(for push: SealedPush, to token: String) throws(PushCryptError) -> CarrierRequest {
        try push.request(to: token, appID: appId)
    }
}
