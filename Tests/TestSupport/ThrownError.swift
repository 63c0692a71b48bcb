package import PushCryptCore
internal import Testing

/// Returns the error that a step throws, or `nil` if it throws no error.
package func thrownError<Result>(_ body: () throws -> Result) -> PushCryptError? {
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

/// Returns the code of the error that a step throws, or `nil` if it throws no error.
package func errorCode<Result>(_ body: () throws -> Result) -> PushCryptError.Code? {
    thrownError(body)?.code
}
