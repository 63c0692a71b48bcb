internal import PushCryptSender

/// The result of the work on a line.
enum LineResult: Sendable {
    case answer(LineObject)
    /// A line that an earlier filter has refused.
    case repeated(LineObject)
    case refusal(LineRefusal)

    var status: ExitStatus {
        switch self {
        case .answer: .success
        case .repeated: .input
        case .refusal(let refusal): refusal.status
        }
    }

    /// The error of the line if it concerns all lines, and this one stays without an answer.
    var failureOfAllLines: PushCryptError? {
        guard case .refusal(let refusal) = self, refusal.concernsAllLines else { return nil }
        return refusal.error
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
    let kept: LineObject
    /// The status of the command if it sends one push alone.
    ///
    /// With '--lines' it doesn't matter: the command ends with 65 after any refused line.
    var status = ExitStatus.input
    /// The members about the push that was sent, before "error".
    var facts = LineObject()
    /// The members that "error" has after its code and its reason.
    var details = LineObject()
    /// A Boolean value that indicates whether the error concerns all lines, and this one stays without an answer.
    var concernsAllLines = false

    var object: LineObject {
        var description = LineObject()
        description.append("code", error.code.rawValue)
        description.append("reason", error.reason)
        description.append(details)
        var object = kept
        object.append("line", number)
        object.append(facts)
        object.append("error", description)
        return object
    }
}
