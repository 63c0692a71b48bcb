internal import Foundation
internal import PushCryptSender

/// A push that an earlier run has handed to the client.
struct JournaledPush: Sendable, Equatable {
    let number: Int
    let id: UUID
    /// A Boolean value that indicates whether APNs may have accepted the push.
    let mayBeAccepted: Bool
    /// The complete line, without its line break.
    let line: [UInt8]
}

/// A line of a journal.
///
/// It begins with a letter for its kind and a checksum of all that follows.
enum JournalRecord: Sendable, Equatable {
    /// The place in the output up to which all answers are written.
    case mark(OutputMark)
    /// A push that is about to be handed to the client.
    case push(JournaledPush)
    /// An answer that waits for the answer to an earlier line.
    case answer(LineAnswer, number: Int)

    /// Appends the record and its line break.
    func write(to journal: inout [UInt8]) {
        switch self {
        case .mark(let mark):
            Self.append(
                "m", "\(mark.lines) \(mark.length) \(hexadecimal(mark.checksum))", to: &journal)
        case .push(let push):
            let fields = "\(push.number) \(push.id.uuidString) \(push.mayBeAccepted ? 1 : 0)"
            Self.append("p", fields, line: push.line, to: &journal)
        case .answer(let answer, let number):
            Self.append("a", "\(number) \(answer.kind.rawValue)", line: answer.bytes, to: &journal)
        }
    }

    private static func append(
        _ kind: String, _ fields: String, line: [UInt8]? = nil, to journal: inout [UInt8]
    ) {
        var content = Array(fields.utf8)
        if let line {
            content.append(UInt8(ascii: " "))
            content += line
        }
        journal += "\(kind) \(hexadecimal(Checksum.of(content.span))) ".utf8
        journal += content
        journal.append(UInt8(ascii: "\n"))
    }

    /// Reads a record; returns `nil` if the line isn't one, or if it's damaged.
    init?(_ record: [UInt8]) {
        // A letter, a space, 16 digits and a space.
        guard record.count > Self.start, record[1] == UInt8(ascii: " ") else { return nil }
        let content = record[Self.start...]
        let sum = UInt64(String(decoding: record[2..<Self.start - 1], as: UTF8.self), radix: 16)
        guard record[Self.start - 1] == UInt8(ascii: " "), sum == Checksum.of(Array(content).span)
        else { return nil }
        switch record[0] {
        case UInt8(ascii: "m"): self.init(mark: content)
        case UInt8(ascii: "p"): self.init(push: content)
        case UInt8(ascii: "a"): self.init(answer: content)
        default: return nil
        }
    }

    /// The length of the kind and the checksum.
    private static let start = 19

    private init?(mark content: ArraySlice<UInt8>) {
        guard let fields = Fields(content, count: 2), let lines = Int(fields.texts[0]),
            let length = Int(fields.texts[1]),
            let checksum = UInt64(String(decoding: fields.rest, as: UTF8.self), radix: 16)
        else { return nil }
        self = .mark(OutputMark(lines: lines, length: length, checksum: checksum))
    }

    private init?(push content: ArraySlice<UInt8>) {
        guard let fields = Fields(content, count: 3), let number = Int(fields.texts[0]),
            let id = UUID(uuidString: fields.texts[1])
        else { return nil }
        let mayBeAccepted = fields.texts[2] == "1"
        self = .push(
            JournaledPush(
                number: number, id: id, mayBeAccepted: mayBeAccepted, line: Array(fields.rest)))
    }

    private init?(answer content: ArraySlice<UInt8>) {
        guard let fields = Fields(content, count: 2), let number = Int(fields.texts[0]),
            let kind = LineAnswer.Kind(rawValue: fields.texts[1])
        else { return nil }
        self = .answer(LineAnswer(kind, bytes: Array(fields.rest)), number: number)
    }
}

/// Fields with spaces between them, and the rest.
private struct Fields {
    let texts: [String]
    let rest: ArraySlice<UInt8>

    init?(_ content: ArraySlice<UInt8>, count: Int) {
        let parts = content.split(
            separator: UInt8(ascii: " "), maxSplits: count, omittingEmptySubsequences: false)
        guard parts.count == count + 1 else { return nil }
        texts = parts.prefix(count).map { String(decoding: $0, as: UTF8.self) }
        rest = parts[count]
    }
}

/// Returns the 16 digits of a number.
private func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}
