import Foundation

@testable import PushCryptCore
@testable import PushCryptPayload
@testable import PushCryptReceiver
@testable import PushCryptSender

/// Invariants of the JSON scanner.
///
/// - What the scanner accepts, Foundation accepts, but for a number beyond `Double`. Both read the
///   same value.
/// - What Foundation accepts, the scanner rejects for a documented reason alone.
/// - Text without white space between tokens has the same value, and removing it again changes
///   nothing.
/// - A value is equal to the one that its own JSON has. Only names that are equal in Unicode are
///   rejected as values.
/// - The location of a problem is in the text.
enum JSON {
    static func check(_ input: [UInt8]) {
        let theirs = try? JSONSerialization.jsonObject(with: Data(input))
        guard
            let document = accepted({ () throws(PushCryptError) in
                try JSONDocument(scanning: input.span)
            })
        else {
            return checkRejection(input, isAcceptedByFoundation: theirs is [String: Any])
        }
        checkRanges(of: document, input)
        checkMinified(document, input)
        guard let value = try? JSONValue(parsing: input) else {
            return require(
                hasEqualNames(document, input), "only names that are equal in Unicode are no value")
        }
        checkRoundTrip(value)
        guard let members = theirs as? [AnyHashable: Any] else {
            return require(
                hasNumberBeyondDouble(document, input),
                "Foundation accepts what the scanner accepts")
        }
        let system = accepted { () throws(PushCryptError) in try JSONValue(userInfo: members) }
        require(
            system.map { isSame(value, $0) } ?? false,
            "the scanner and Foundation read the same value")
    }

    private static func checkRejection(_ input: [UInt8], isAcceptedByFoundation: Bool) {
        var scanner = JSONScanner(input.span)
        do throws(JSONProblem) {
            try scanner.scanDocument()
        } catch {
            require((0...input.count).contains(error.offset), "a problem is in the text")
            require(
                !isAcceptedByFoundation || isDocumented(error, input),
                "\(error.what) is a documented reason")
            return
        }
        require(false, "the scanner rejects the text again")
    }

    /// Returns a Boolean value that indicates whether Foundation is known to accept what the
    /// scanner rejects.
    private static func isDocumented(_ problem: JSONProblem, _ input: [UInt8]) -> Bool {
        switch problem.what {
        case .byteOrderMark, .isUTF16, .duplicateKey, .tooDeep, .notAnObject: return true
        case .expectedKey, .expectedValue:
            // A trailing comma.
            let before = input[..<problem.offset].last { !JSONText.isWhitespace($0) }
            let isClosing = [UInt8(ascii: "}"), UInt8(ascii: "]")].contains(input[problem.offset])
            return before == UInt8(ascii: ",") && isClosing
        default: return false
        }
    }

    private static func checkRanges(of document: JSONDocument, _ input: [UInt8]) {
        for value in document.values {
            require(
                value.range.upperBound <= input.count && !value.range.isEmpty,
                "a value is in the text")
            require(
                value.next > value.index && value.next <= document.values.count,
                "a value ends after it begins")
            guard let text = document.string(value, in: input.span) else { continue }
            var written: [UInt8] = []
            JSONText.append(text, to: &written)
            require(
                written.count == JSONText.length(text),
                "the length of a string is the one of its JSON")
            require(
                JSONText.decoded(written.span, 1..<(written.count - 1)) == Array(text.utf8),
                "a string is kept")
        }
    }

    private static func checkMinified(_ document: JSONDocument, _ input: [UInt8]) {
        let minified = document.minified(input.span).bytes
        require(minified.count == input.count - document.whitespace, "only white space is removed")
        guard let again = try? JSONDocument(scanning: minified.span) else {
            return require(false, "text without white space is accepted")
        }
        require(
            again.whitespace == 0 && again.minified(minified.span).bytes == minified,
            "no white space is left")
        require(
            again.values.map(\.kind) == document.values.map(\.kind),
            "no value is lost with white space")
    }

    private static func checkRoundTrip(_ value: JSONValue) {
        guard let json = try? value.json(), let again = try? JSONValue(parsing: json) else {
            return require(false, "a value's JSON is accepted")
        }
        require(again == value && (try? again.json()) == json, "a value is the one of its JSON")
    }

    // MARK: Comparisons

    /// Returns a Boolean value that indicates whether an object has names that are equal in
    /// Unicode, but not in bytes.
    private static func hasEqualNames(_ document: JSONDocument, _ input: [UInt8]) -> Bool {
        document.values.contains { object in
            guard object.kind == .object else { return false }
            var names: [String: [UInt8]] = [:]
            for member in document.children(of: object) {
                let name = document.name(of: member, in: input.span)
                if let earlier = names.updateValue(Array(name.utf8), forKey: name) {
                    return earlier != Array(name.utf8)
                }
            }
            return false
        }
    }

    private static func hasNumberBeyondDouble(_ document: JSONDocument, _ input: [UInt8]) -> Bool {
        document.values.contains { value in
            guard let number = document.number(value, in: input.span) else { return false }
            let double = Double(number)
            return double?.isFinite != true || double == 0
                || double.map { abs($0) < .leastNormalMagnitude } == true
        }
    }

    private static func withoutMarks(_ text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.filter { $0 != "\u{FEFF}" }
    }

    /// Returns a Boolean value that indicates whether values are equal, but for digits that
    /// `Double` doesn't have.
    private static func isSame(_ ours: JSONValue, _ theirs: JSONValue) -> Bool {
        switch (ours, theirs) {
        case (.number(let one), .number(let other)):
            guard let one = one.double, let other = other.double else { return false }
            return one == other || abs(one - other) <= abs(one) * 4 * .ulpOfOne
        case (.string(let one), .string(let other)):
            // Foundation on Linux removes a byte order mark at the start of a string, and after an
            // escape.
            return withoutMarks(one) == withoutMarks(other)
        case (.array(let one), .array(let other)):
            return one.count == other.count && zip(one, other).allSatisfy(isSame)
        case (.object(let one), .object(let other)):
            // Foundation on Linux removes the marks of names, too, and then keeps one of two equal
            // names.
            guard !one.keys.contains(where: { $0.unicodeScalars.contains("\u{FEFF}") }) else {
                return true
            }
            return one.count == other.count
                && one.allSatisfy { name, value in other[name].map { isSame(value, $0) } ?? false }
        default: return ours == theirs
        }
    }
}
