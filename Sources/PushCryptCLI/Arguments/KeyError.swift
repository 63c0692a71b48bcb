internal import PushCryptCore

extension PushCryptError {
    /// The same error with a name before its reason: a command line may name several keys.
    func naming(_ name: String) -> PushCryptError {
        PushCryptError(code, "\(name): \(reason)")
    }
}
