/// What a reader does with a payload that has no `ENCRYPTED_DATA`.
///
/// It is always said, never defaulted: what the extension has opened before looks like what was never sealed, and nothing
/// in it proves which of the two it is.
public enum UnsealedPayloads: Sendable, Hashable {
    /// Refuses it.
    ///
    /// For background and VoIP pushes and Live Activities, which nobody has opened before, and for notifications whose
    /// extension leaves `userInfo` sealed (`keepsUserInfoSealed`): the only way in which an app can be sure.
    case refuse
    /// Reads it.
    ///
    /// For notifications that the extension has opened. Somebody who can send pushes for the app can write such a payload
    /// too: do nothing on its word alone that must not be done for a stranger.
    case accept
}
