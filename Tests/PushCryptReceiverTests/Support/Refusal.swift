import PushCryptCore
import Testing

/// The error that a step throws; `nil` where it throws none.
func refusal<Result>(_ body: () throws -> Result) -> PushCryptError? {
    do {
        _ = try body()
        return nil
    } catch let error as PushCryptError {
        return error
    } catch {
        Issue.record(error, "Only PushCryptError may be thrown.")
        return nil
    }
}
