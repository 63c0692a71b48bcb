/// Who signs a message.
///
/// It is always said, never defaulted: a sealed box alone is anonymous.
public enum SenderAuthentication: Sendable {
    /// Signed by this key, whose public half the devices have. Nobody else can then make a device show a text.
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
