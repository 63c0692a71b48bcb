public import PushCryptCore

/// An event for the app's own log, without content except for the payload of an opened message.
///
/// An event with an outcome reports that a notification's content was handed over. Any other event
/// has a failure: of the configuration, the app's code, an attachment, a withdrawal, or a file of
/// the app group.
public struct PushEvent: Sendable, CustomStringConvertible {
    /// The outcome of a notification; `nil` if the event reports another failure.
    public let outcome: PushOutcome?

    /// The failure, including the reason for a fallback; `nil` if nothing failed.
    public let failure: PushCryptError?

    init(_ outcome: PushOutcome) {
        self.outcome = outcome
        failure = outcome.failure
    }

    package init(_ failure: PushCryptError) {
        outcome = nil
        self.failure = failure
    }

    /// The outcome or the failure, without content.
    public var description: String { outcome?.description ?? failure?.description ?? "" }
}
