import ArgumentParser
import Foundation

@testable import PushCryptCLI
@testable import PushCryptCore
@testable import PushCryptPayload
@testable import PushCryptReceiver
@testable import PushCryptSender
@testable import PushCryptSystem
@testable import PushCryptTesting

/// Invariants of lines.
///
/// Two bytes choose the filter and the length of each read. The lines follow.
///
/// - Each line is read once, in order, for any length of the reads.
/// - Each answer is one line without CR and LF, and is one strict JSON object.
/// - A refused answer has the number of its line, a code and a reason, and none of the filter's
///   members.
/// - A refused answer has no private JWK. No error has content.
/// - Members that the filter doesn't know keep their bytes, but for white space.
/// - A sealed payload isn't longer than APNs accepts, and has no content.
enum Lines {
    private static let sealing = fixed {
        try SealCommand.parse(["--lines", "--anonymous"]).lineSealing()
    }
    private static let opening = fixed {
        let signer = try TestKeys.sender().publicKey
        let keys = InMemoryKeyStore([try TestKeys.device()])
        return LineOpening(
            opener: Opener(keys: keys, senderPolicy: .signed(by: [signer]), time: TestClock()),
            type: .alert)
    }
    private static let sending = fixed {
        PushReader(try HeaderOptions.parse(["--topic", "com.example.app"]), AnswerFormat())
    }
    private static let maximumLength = 2048

    static func check(_ input: [UInt8]) {
        var reader = InputReader(input)
        let filter = reader.byte() % 3
        let step = Int(reader.byte()) + 1
        let lines = read(Array(reader.rest), step: step)
        require(lines == split(Array(reader.rest)), "each line is read once, in order")
        for (index, line) in lines.enumerated() {
            switch filter {
            case 0: check(line, index + 1, by: sealing)
            case 1: check(line, index + 1, by: opening)
            default: checkSending(line, index + 1)
            }
        }
    }

    // MARK: Reading

    private static func read(_ input: [UInt8], step: Int) -> [Line] {
        var buffer = LineBuffer(maximumLength: maximumLength)
        var lines: [Line] = []
        var rest = input[...]
        while !rest.isEmpty {
            let count = try? buffer.append { (bytes, room) throws(PushCryptError) in
                let part = Array(rest.prefix(min(step, room.count)))
                for (offset, byte) in part.enumerated() { bytes[room.lowerBound + offset] = byte }
                return part.count
            }
            require((count ?? 0) > 0, "there is always room for more bytes")
            rest = rest.dropFirst(count ?? 0)
            while let line = buffer.nextLine() { lines.append(line) }
        }
        if let line = buffer.lastLine() { lines.append(line) }
        return lines
    }

    private static func split(_ input: [UInt8]) -> [Line] {
        var pieces = input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if pieces.last?.isEmpty == true { pieces.removeLast() }
        return pieces.map { $0.count > maximumLength ? .tooLong : .bytes(Array($0)) }
    }

    // MARK: Answers

    /// Checks the answer to a line, as the work on a batch gives it.
    private static func check(_ line: Line, _ number: Int, by work: some LineWork) {
        var work = work
        var members: LineMembers?
        do throws(PushCryptError) {
            let scanned = try LineMembers(scanning: line, number: number)
            members = scanned
            let answer = try work.answer(scanned)
            let text = LineAnswerText(answer.bytes)
            // Without an error, only a line that an earlier filter has refused is refused.
            guard answer.kind == .accepted else {
                return text.checkRefusal(number: nil, hiding: ["payload"])
            }
            text.checkKeptMembers(of: line, but: ["to", "payload", "headers"])
            text.checkSealedPayload(of: work is LineSealing && text.isSealed)
        } catch {
            checkError(error)
            let answer = work.refusal(of: members, number: number, error)
            LineAnswerText(answer.bytes).checkRefusal(number: number, hiding: work.hiddenMembers)
        }
    }

    private static func checkSending(_ line: Line, _ number: Int) {
        guard
            let reading = accepted({ () throws(PushCryptError) in
                try sending.read(line, number: number)
            })
        else {
            return require(false, "a line that isn't an earlier output has an answer")
        }
        switch reading {
        case .answer(let answer):
            LineAnswerText(answer.bytes).checkRefusal(number: nil, hiding: ["payload"])
        case .push(let push):
            require(push.push.headers.id != nil, "a push has an ID")
            LineAnswerText(sending.format.accepted(push, mayArriveTwice: true).bytes)
                .checkKeptMembers(of: line, but: sendingMembers + ["payload", "headers"])
            for advice in [PushFailure.Advice.retry, .fixRequest, .deleteToken] {
                let failure = PushFailure(
                    error: PushCryptError(.invalidHeader, "The topic is missing."), advice: advice)
                let answer = LineAnswerText(sending.format.failed(push, failure).bytes)
                answer.checkRefusal(
                    number: number, hiding: advice.isUnsent ? [] : ["payload", "headers"])
                answer.checkKeptMembers(
                    of: line, but: sendingMembers + (advice.isUnsent ? [] : ["payload", "headers"]))
            }
        }
    }

    /// The members that `send` writes itself.
    private static let sendingMembers = ["line", "status", "apns-id", "may-arrive-twice", "error"]
}
