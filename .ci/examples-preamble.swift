// Names that the examples of doc comments may use without declaring them. The examples are type-checked, never run.
import Foundation
import PushCryptReceiver
import PushCryptSender

/// A payload in JSON.
public var payload: Data { fatalError() }
/// The sealed payload that a device has received.
public var userInfo: [AnyHashable: Any] { fatalError() }
/// The public key of the device that a payload is for.
public var device: RecipientPublicKey { fatalError() }
/// The server's signing key.
public var signingKey: SigningKey { fatalError() }
/// The server's public key.
public var verificationKey: VerificationKey { fatalError() }
/// A sealer of the server.
public var sealer: Sealer { fatalError() }
/// An opener of the device.
public var opener: Opener { fatalError() }
