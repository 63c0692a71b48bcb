internal import PushCryptSender

/// The result of the work on a line.
enum LineResult: Sendable {
    case answer(JSONObjectText)
    /// A line that an earlier filter has rejected.
    case repeated(JSONObjectText)
    case refusal(LineRefusal)

    var isRefused: Bool {
        if case .answer = self { return false }
        return true
    }

    /// Appends the answer and its line break.
    func write(to output: inout [UInt8]) {
        switch self {
        case .answer(let object): object.write(to: &output)
        case .repeated(let object): object.write(to: &output)
        case .refusal(let refusal): refusal.object.write(to: &output)
        }
        output.append(UInt8(ascii: "\n"))
    }
}

/// The error of a line, and the members of its answer.
struct LineRefusal: Sendable {
    let error: PushCryptError
    /// The number of the line.
    let number: Int
    /// The members of the line that the answer repeats.
    let kept: JSONObjectText

    var object: JSONObjectText {
        var description = JSONObjectText()
        description.append("code", error.code.rawValue)
        description.append("reason", error.reason)
        var object = kept
        object.append("line", number)
        object.append("error", description)
        return object
    }
}
