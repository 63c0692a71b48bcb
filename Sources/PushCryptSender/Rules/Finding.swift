package import PushCryptCore
internal import PushCryptPayload

/// A location in a payload that breaks a rule.
public struct Finding: Sendable, Hashable {
    /// The rule.
    public let rule: Rule

    /// The location.
    public let location: Location

    /// A detail such as a number of bytes, and never a value of the payload.
    public let detail: String?

    /// A sentence that says how to fix it at this location.
    public let fix: String

    package init(rule: Rule, location: Location, detail: String?, fix: String? = nil) {
        self.rule = rule
        self.location = location
        self.detail = detail
        self.fix = fix ?? rule.fix
    }

    /// The location and the problem on one line, such as `aps.badge: The badge is negative.`.
    public var message: String { "\(location): \(problem)" }

    /// The finding as an error, which names Apple's keys only.
    package var error: PushCryptError {
        let code: PushCryptError.Code =
            switch rule {
            case .noAlertText: .noAlertText
            case .payloadSize: .payloadTooLarge
            default: .invalidPayload
            }
        let location = location.isApples ? location.description : "A member of the payload"
        return PushCryptError(code, "\(location): \(problem) \(fix) (Rule \(rule.id).)")
    }

    private var problem: String {
        detail.map { "\(rule.message.dropLast()) (\($0))." } ?? rule.message
    }

    /// A location in a payload, or a value outside of it.
    public struct Location: Sendable, Hashable, CustomStringConvertible {
        /// The keys and indices that lead to the value; empty for the payload itself, `nil` for a
        /// value outside of it.
        public let path: [String]?

        /// The location as text: `aps.alert.title`, `apns-collapse-id`.
        public let description: String

        package init(_ path: [String]) {
            self.path = path
            description =
                path.isEmpty ? "the payload" : path.map(Self.readable).joined(separator: ".")
        }

        package init(outside name: String) {
            path = nil
            description = name
        }

        /// The location as a JSON Pointer (RFC 6901), or `nil` for a value outside of the payload.
        public var pointer: String? {
            path?.map { name in
                let tilde = name.split(separator: "~", omittingEmptySubsequences: false).joined(
                    separator: "~0")
                return "/"
                    + tilde.split(separator: "/", omittingEmptySubsequences: false).joined(
                        separator: "~1")
            }.joined()
        }

        /// A Boolean value that indicates whether all keys of the path are Apple's.
        var isApples: Bool {
            path?.allSatisfy { $0 == "aps" || PayloadKey(rawValue: $0) != nil } ?? true
        }

        /// Returns a key as text of at most 64 characters, in JSON if it has other characters than
        /// letters and digits.
        private static func readable(_ name: String) -> String {
            let isLong = name.utf8.count > 64 && name.unicodeScalars.count > 64
            let shown =
                isLong ? String(String.UnicodeScalarView(name.unicodeScalars.prefix(64))) : name
            let isPlain = shown.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "-" || $0 == "_"
            }
            var bytes: [UInt8] = []
            JSONText.append(shown, to: &bytes)
            return
                (isPlain && !shown.isEmpty ? shown : "[\(String(decoding: bytes, as: UTF8.self))]")
                + (isLong ? "…" : "")
        }
    }
}
