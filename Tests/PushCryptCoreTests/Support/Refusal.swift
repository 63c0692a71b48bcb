import PushCryptCore
import Testing

/// The code of the error that a step throws; `nil` where it throws none.
func refusal<Result>(_ body: () throws -> Result) -> PushCryptError.Code? {
    do {
        _ = try body()
        return nil
    } catch let error as PushCryptError {
        return error.code
    } catch {
        Issue.record(error, "Only PushCryptError may be thrown.")
        return nil
    }
}

/// The error that a step throws; `nil` where it throws none.
func refusalError<Result>(_ body: () throws -> Result) -> PushCryptError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? PushCryptError
    }
}
