public import PushCryptFoundation

/// The terms of a list of accepted keys, beside its keys.
///
/// ```swift
/// func terms(for environment: String) -> SignerListTerms {
///     SignerListTerms(validity: 180 * 24 * 3600, audience: environment)
/// }
/// ```
public struct SignerListTerms: Sendable, Hashable {
    /// The time for which devices take the list, in seconds.
    public var validity: TimeInterval

    /// The text that the app pins beside its roots; `nil` for the audience of the last list, or
    /// none.
    public var audience: String?

    /// A number that the list exceeds, for a root whose last list is lost; zero if there is none.
    public var numberAbove: UInt64

    /// A Boolean value that indicates whether the operator vouches for a clock that is years ahead
    /// of the last list.
    public var isClockConfirmed: Bool

    /// Creates terms.
    ///
    /// - Parameters:
    ///   - validity: The time for which devices take the list, in seconds: 365 days by default.
    ///   - audience: The text that the app pins beside its roots; `nil` for the audience of the
    ///     last list, or none.
    ///   - numberAbove: A number that the list exceeds, for a root whose last list is lost.
    ///   - isClockConfirmed: A Boolean value that indicates whether the operator vouches for the
    ///     clock.
    public init(
        validity: TimeInterval = 365 * 24 * 3600, audience: String? = nil, numberAbove: UInt64 = 0,
        isClockConfirmed: Bool = false
    ) {
        self.validity = validity
        self.audience = audience
        self.numberAbove = numberAbove
        self.isClockConfirmed = isClockConfirmed
    }
}
