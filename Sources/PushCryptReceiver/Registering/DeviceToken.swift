internal import Foundation
public import PushCryptCore
internal import PushCryptKeyring

/// The token that the app's carrier has issued for this device.
///
/// ```swift
/// let fromTheSystem = DeviceToken([0x1F, 0xA2])
/// let fromFirebase = DeviceToken("dPz-1:APA91bH_Zx")
/// ```
public struct DeviceToken: Sendable, Hashable {
    private let text: String
    private let isFromSystem: Bool

    /// Creates the token of a carrier, such as Firebase's registration token or
    /// `ExponentPushToken[…]`.
    ///
    /// For APNs, it's the system's device token in hexadecimal digits.
    public init(_ text: String) {
        self.text = text
        isFromSystem = false
    }

    /// Creates the token from the bytes that the system gives to the app, usually 32.
    public init(_ bytes: some Collection<UInt8>) {
        text = bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        isFromSystem = true
    }

    /// Returns the token as text.
    ///
    /// - Throws: ``PushCryptError`` with `missingValue` if it's empty, or `invalidConfiguration` if
    ///   the system has issued it and the carrier has tokens of its own.
    func text(for carrier: Carrier) throws(PushCryptError) -> String {
        guard !text.isEmpty else {
            throw PushCryptError(
                .missingValue, "The device token is empty. Wait until the carrier has issued it.")
        }
        guard !isFromSystem || carrier == .apns else {
            throw PushCryptError(
                .invalidConfiguration,
                """
                The device token is from APNs, but the carrier is \(carrier). Pass the carrier's \
                own token as text.
                """)
        }
        return text
    }
}

extension DeviceToken: CustomStringConvertible, Redacted {
    /// The name of the type.
    public var description: String { "DeviceToken" }
}
