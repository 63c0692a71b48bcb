internal import PushCryptSender

/// The answers to the lines of an input.
protocol LineAnswers {
    /// Writes one line for each line of the input, in order.
    func write(
        to output: borrowing LineOutput, reading reader: LineReader, _ progress: inout LineProgress
    ) throws(PushCryptError)
}

/// The answer to one line, with its line break.
struct LineAnswer: Sendable {
    var bytes: [UInt8] = []
    var isRefused = false
    /// The number of bytes of the input that were read before it.
    var position = 0

    init() {}

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
            refuse(number, error.code, error.reason)
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Appends the members for an error, and ends the object.
    mutating func refuse(
        _ number: Int, _ code: PushCryptError.Code, _ reason: String, before: String = "", after: String = ""
    ) {
        isRefused = true
        bytes += #""line":\#(number),\#(before)"error":{"code":"\#(code)","reason":"#.utf8
        JSONText.append(reason, to: &bytes)
        bytes += "\(after)}}".utf8
    }

    /// Repeats a line that `seal --lines` has refused, and returns `false` for any other line.
    mutating func repeats(_ line: [UInt8], _ document: JSONDocument) -> Bool {
        isRefused =
            document.member("error", in: line.span) != nil && document.member("payload", in: line.span) == nil
            && !Self.isSecret(line)
        if isRefused { bytes = line }
        return isRefused
    }

    /// Returns a Boolean value that indicates whether a line has a private key, as input by mistake.
    private static func isSecret(_ line: [UInt8]) -> Bool {
        KeyMaterial.isKeys(line.span) || KeyMaterial.redacted(String(decoding: line, as: UTF8.self)) == "(private)"
    }
}
