/// A rule for payloads: one of Apple's, or one about text that stays readable.
public struct Rule: Sendable, Hashable, Identifiable {
    /// The name of a rule, such as `wrong-type`.
    ///
    /// A name never changes its meaning. The static members are the rules that depend on Apple's
    /// tables. Ignore them when Apple has extended a table since this release.
    public struct ID: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The rule about values of another type than Apple lists.
        public static let wrongType = Rule.wrongType.id
        /// The rule about interruption levels that Apple doesn't list.
        public static let unknownInterruptionLevel = Rule.unknownInterruptionLevel.id
        /// The rule about events of Live Activities that Apple doesn't list.
        public static let unknownEvent = Rule.unknownEvent.id
        /// The rule about keys of a Live Activity push that Apple doesn't list.
        public static let liveActivityUnknownKey = Rule.liveActivityUnknownKey.id

        /// The name.
        public let rawValue: String

        /// Creates the name of a rule.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name.
        public var description: String { rawValue }
    }

    /// The severity of a broken rule, the worst first.
    public enum Severity: String, Sendable, Hashable, CaseIterable {
        /// APNs or the system rejects or ignores the payload, or a part of it. The sealer rejects
        /// the payload.
        case error
        /// The payload works, but something is lost, wasted or readable.
        case warning
        /// Nothing is wrong. The finding explains an effect.
        case note
    }

    /// The name of the rule.
    public let id: ID

    /// The severity of a finding.
    public let severity: Severity

    /// A sentence that says what is wrong with the value at a finding's location.
    public let message: String

    /// A sentence that says how to fix it.
    public let fix: String

    package init(_ id: String, _ severity: Severity, message: String, fix: String) {
        self.id = ID(rawValue: id)
        self.severity = severity
        self.message = message
        self.fix = fix
    }
}
