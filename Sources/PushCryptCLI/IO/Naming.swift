internal import PushCryptSender

/// Runs a step, and puts a name before the reason of its error: a command line may name several
/// files.
func naming<Result>(
    _ name: String, _ body: () throws(PushCryptError) -> Result
) throws(PushCryptError) -> Result {
    do throws(PushCryptError) {
        return try body()
    } catch {
        throw PushCryptError(error.code, "\(name): \(error.reason)")
    }
}
