internal import PushCryptSender

/// The answer to one line, with its line break.
struct LineAnswer: Sendable {
    private(set) var status = ExitStatus.success
    private(set) var error: PushCryptError?
    var bytes: [UInt8] = []
    /// A Boolean value that indicates whether the error concerns all lines, and this one stays without an answer.
    var isForAllLines = false

    /// Creates the answer that a function sets, or the error for which it refuses the line.
    init(
        to line: [UInt8]?, _ number: Int, hiding names: [String],
        by work: ([UInt8], JSONDocument, inout LineAnswer) throws(PushCryptError) -> Void
    ) {
        var document: JSONDocument?
        do throws(PushCryptError) {
            guard let line else {
                throw PushCryptError(
                    .init(rawValue: "line-too-long"),
                    "The line is longer than \(LineReader.maximumLength) bytes. Shorten it.")
            }
            // A payload with the greatest depth is one level deeper in the line.
            let scanned = try JSONDocument(scanning: line.span, "line", maximumDepth: JSONDocument.maximumDepth + 1)
            document = scanned
            try work(line, scanned, &self)
        } catch {
            bytes = [UInt8(ascii: "{")]
            if let line, let document, !Self.isSecret(line) {
                document.appendMembers(of: line, without: names + ["line", "error"], to: &bytes)
            }
            refuse(number, error)
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Appends the members for an error, and ends the object.
    mutating func refuse(
        _ number: Int, _ error: PushCryptError, _ status: ExitStatus = .input, before: String = "", after: String = ""
    ) {
        (self.error, self.status) = (error, status)
        bytes += #""line":\#(number),\#(before)"error":{"code":"\#(error.code)","reason":"#.utf8
        JSONText.append(error.reason, to: &bytes)
        bytes += "\(after)}}".utf8
    }

    /// Repeats a line that `seal --lines` has refused, and returns `false` for any other line.
    mutating func repeats(_ line: [UInt8], _ document: JSONDocument) -> Bool {
        guard document.member("error", in: line.span) != nil, document.member("payload", in: line.span) == nil,
            !Self.isSecret(line)
        else { return false }
        (bytes, status) = (line, .input)
        return true
    }

    /// Returns a Boolean value that indicates whether a line has a private key, as input by mistake.
    private static func isSecret(_ line: [UInt8]) -> Bool {
        KeyMaterial.isKeys(line.span) || KeyMaterial.redacted(String(decoding: line, as: UTF8.self)) == "(private)"
    }
}
