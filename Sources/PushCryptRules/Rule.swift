/// One rule that a payload should keep: of Apple's, or about what is left in the clear.
public struct Rule: Sendable, Hashable, Identifiable {
    /// A rule's name, such as `wrong-type`.
    ///
    /// It never changes its meaning.
    public struct ID: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The name.
        public let rawValue: String

        /// Names a rule.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name.
        public var description: String { rawValue }
    }

    /// How bad it is to break a rule.
    public enum Severity: String, Sendable, Hashable, CaseIterable, Comparable {
        /// APNs or the system refuses or ignores the payload, or the part that breaks the rule. The sealer refuses it.
        case error
        /// It works, but not as it may be meant: something is lost, wasted, or readable on the way.
        case warning
        /// Nothing is wrong; it says what something does.
        case note

        /// The worse one is the smaller.
        public static func < (left: Self, right: Self) -> Bool {
            (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
        }
    }

    /// The rule's name.
    public let id: ID

    /// How bad it is to break it.
    public let severity: Severity

    /// What is wrong where it is broken, in a sentence without a subject: the place comes before it.
    public let what: String

    /// How to mend it.
    public let mend: String

    init(_ id: String, _ severity: Severity, _ what: String, mend: String) {
        self.id = ID(rawValue: id)
        self.severity = severity
        self.what = what
        self.mend = mend
    }
}
