#if canImport(PushKit)
public import PushCryptReceiver
public import PushKit

extension PayloadReader {
    /// Reads a VoIP push.
    ///
    /// No extension has seen it, so `refuse` is what it should be read with. A call that must not ring twice is opened by
    /// `Opener.open(userInfo:)`, which minds the replay guard, and then read.
    ///
    /// - Parameters:
    ///   - payload: the push.
    ///   - opener: opens what is sealed; without its replay guard.
    ///   - unsealed: what to do with a payload that is not sealed.
    /// - Throws: ``PushCryptError`` as for the dictionary.
    public init(
        _ payload: PKPushPayload, opener: Opener, unsealed: UnsealedPayloads
    ) throws(PushCryptError) {
        try self.init(userInfo: payload.dictionaryPayload, opener: opener, unsealed: unsealed)
    }
}
#endif
