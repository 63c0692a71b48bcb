public import PushCryptCore
internal import PushCryptPayload

/// A place where a payload breaks a rule.
public struct Finding: Sendable, Hashable {
    /// The rule.
    public let rule: Rule

    /// Where.
    public let place: Place

    /// What the rule cannot know: a number, or the name that is expected.
    ///
    /// Never a value of the payload.
    public let detail: String?

    /// How to mend it in this place.
    public let mend: String

    package init(rule: Rule, place: Place, detail: String?, mend: String? = nil) {
        self.rule = rule
        self.place = place
        self.detail = detail
        self.mend = mend ?? rule.mend
    }

    /// The finding on one line: `aps.badge: is not of the type that Apple's table has (a whole number)`.
    public var message: String {
        let detail = detail.map { " (\($0))" } ?? ""
        return "\(place): \(rule.what)\(detail)"
    }

    /// The same as an error, for those who cannot go on.
    public var error: PushCryptError {
        let code: PushCryptError.Code =
            switch rule {
            case .noAlertText: .noAlertText
            case .payloadSize: .payloadTooLarge
            default: .invalidPayload
            }
        // An error may be logged, so it names Apple's keys alone: the app's own may say something.
        let detail = detail.map { " (\($0))" } ?? ""
        let place = place.isApples ? place.description : "A member of the payload"
        return PushCryptError(code, "\(place): \(rule.what)\(detail). \(mend) (Rule \(rule.id).)")
    }

    /// Where something is.
    public struct Place: Sendable, Hashable, CustomStringConvertible {
        /// The names that lead there from the top of the payload; in arrays, numbers from 0.
        ///
        /// Empty for the payload itself, and `nil` for what is not in the payload.
        public let path: [String]?

        /// The place as people write it: `aps.alert.title`, `apns-collapse-id`.
        public let description: String

        package init(_ path: [String]) {
            self.path = path
            description = path.isEmpty ? "the payload" : path.map(Self.readable).joined(separator: ".")
        }

        package init(outside name: String) {
            path = nil
            description = name
        }

        /// The place as a JSON Pointer (RFC 6901); `nil` for what is not in the payload.
        public var pointer: String? {
            path.map { path in
                path.map { name in
                    let tilde = name.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0")
                    return "/" + tilde.split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1")
                }.joined()
            }
        }

        /// Whether the place is made of Apple's names alone.
        var isApples: Bool {
            path?.allSatisfy { $0 == "aps" || PayloadKey(rawValue: $0) != nil } ?? true
        }

        /// A name as people read it, no longer than a line bears: the pointer has all of it.
        private static func readable(_ name: String) -> String {
            let isLong = name.utf8.count > 64 && name.unicodeScalars.count > 64
            let shown = isLong ? String(String.UnicodeScalarView(name.unicodeScalars.prefix(64))) : name
            return (isPlain(shown) ? shown : "[\(quoted(shown))]") + (isLong ? "…" : "")
        }

        private static func isPlain(_ name: String) -> Bool {
            !name.isEmpty
                && name.unicodeScalars.allSatisfy {
                    $0.properties.isAlphabetic || ("0"..."9").contains($0) || "-_".unicodeScalars.contains($0)
                }
        }

        private static func quoted(_ name: String) -> String {
            var bytes: [UInt8] = []
            JSONText.append(name, to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
