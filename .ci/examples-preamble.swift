// Names that the examples of doc comments may use without declaring them. The examples are
// type-checked, never run.
import Foundation
import PushCryptAPNs
import PushCryptReceiver
import PushCryptSender
import UserNotifications

/// A payload in JSON.
public var payload: Data { fatalError() }
/// A payload in JSON, as bytes.
public var json: [UInt8] { fatalError() }
/// The sealed payload that a device has received.
public var userInfo: [AnyHashable: Any] { fatalError() }
/// The public key of the device that a payload is for.
public var device: RecipientPublicKey { fatalError() }
/// The public keys of several devices.
public var devices: [RecipientPublicKey] { fatalError() }
/// The server's keyring.
public var keyring: SigningKeyring { fatalError() }
/// The server's signing key.
public var signingKey: SigningKey { fatalError() }
/// The server's public key.
public var verificationKey: VerificationKey { fatalError() }
/// A sealer of the server.
public var sealer: Sealer { fatalError() }
/// An opener of the device.
public var opener: Opener { fatalError() }
/// The recipient that the server has stored for the device token.
public var storedRecipient: Recipient? { fatalError() }
/// A client of APNs.
public var apns: APNsClient { fatalError() }
/// The text of a key file for APNs.
public var p8: String { fatalError() }
/// The device token in hexadecimal digits.
public var token: String { fatalError() }
/// The address of a request to APNs.
public var url: URL { fatalError() }
/// The device token of the device, as the system hands it to the app.
public var deviceToken: Data { fatalError() }
/// The senders that the device accepts.
public var policy: SenderPolicy { fatalError() }
/// The store of the device's keys.
public var store: any KeyringStore { fatalError() }
/// The reader of a push that the app has received.
public var reader: PayloadReader { fatalError() }
/// The settings of the app's pushes.
public var configuration: PushConfiguration { fatalError() }
/// The function that sends a registration to the app's server.
public var send: PushInbox.SendRegistration { fatalError() }
/// The inbox of the device's notifications.
public var inbox: PushInbox { fatalError() }
/// A notification of the system.
public var notification: UNNotification { fatalError() }
/// The device's secrets.
public var secrets: any DeviceSecretsStore { fatalError() }
/// A notification that the device displays.
public var displayed: DeliveredNotification { fatalError() }
/// The path of a photo, and of its sealed file.
public var photoPath: String { fatalError() }
public var sealedPath: String { fatalError() }
/// The date of the last message that the user has read.
public var lastRead: Date { fatalError() }
/// The path of a directory.
public var directory: String { fatalError() }
/// A request that the system hands to a notification service extension.
public var request: UNNotificationRequest { fatalError() }
