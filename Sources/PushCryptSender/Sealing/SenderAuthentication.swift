internal import PushCryptCore

/// Who signs a message.
///
/// It is always said, never defaulted: a sealed box alone is anonymous.
public enum SenderAuthentication: Sendable {
    /// Signed by this key, whose public half the devices have. A device that accepts this key alone opens nobody else's.
    case signed(by: SigningKey)
    /// By nobody: whoever knows a device's public key can make it show a text, if it accepts anonymous messages.
    case anonymous

    var signingKey: SigningKey? {
        switch self {
        case .signed(let key): key
        case .anonymous: nil
        }
    }
}
