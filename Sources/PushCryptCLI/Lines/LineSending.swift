#if APNs
internal import Foundation
internal import PushCryptAPNs

/// The answers of `send --lines`.
struct LineSending: LineAnswers {
    /// The members that an answer doesn't repeat.
    private static let hidden = ["payload", "headers", "line", "status", "apns-id", "error"]

    let client: APNsClient
    let options: HeaderOptions

    func write(
        to output: borrowing LineOutput, reading reader: LineReader, _ progress: inout LineProgress
    ) throws(PushCryptError) {
        let (answers, lines, length) = (AnswerQueue(), progress.lines, reader.length)
        // A thread of its own: an answer, or the end of the output, doesn't wait for input.
        Thread { read(reader, after: lines, answers) }.start()
        var bytes: [UInt8] = []
        while true {
            if bytes.count > 1 << 14 || !answers.hasNext {
                try output.write(bytes)
                bytes.removeAll(keepingCapacity: true)
            }
            let next = answers.next()
            guard case .success(let answer?) = next else {
                try output.write(bytes)
                _ = try next.get()
                return
            }
            bytes += answer.bytes
            progress.lines += 1
            progress.refused += answer.isRefused ? 1 : 0
            progress.update(answer.position, of: length)
        }
    }

    private func read(_ reader: LineReader, after lines: Int, _ answers: AnswerQueue) {
        do throws(PushCryptError) {
            while case let batch = try reader.next(atMost: 100), !batch.lines.isEmpty {
                for line in batch.lines {
                    let place = answers.reserve()
                    Task { [line = line.map { Array(batch.bytes[$0]) }, position = reader.position] in
                        var answer = await answer(to: line, lines + place)
                        answer.position = position
                        answers.set(place, .success(answer))
                    }
                }
            }
            answers.set(answers.reserve(), .success(nil))
        } catch {
            answers.set(answers.reserve(), .failure(error))
        }
    }

    /// Sends the push of a line, and returns its answer.
    private func answer(to line: [UInt8]?, _ number: Int) async -> LineAnswer {
        var request: (push: APNsPush, token: String)?
        var answer = LineAnswer(to: line, number, hiding: Self.hidden) {
            (line, document, answer) throws(PushCryptError) in
            guard !answer.repeats(line, document) else { return }
            let payload = Array(line[try document.required("payload", in: line).range])
            let headers = try options.headers(replacedBy: document.headers(in: line))
            guard let token = try document.text("token", in: line) else {
                throw PushCryptError(.missingValue, "The member \"token\" is missing. Add the device token.")
            }
            request = (APNsPush(payload: payload, headers: headers), token)
            answer.bytes.append(UInt8(ascii: "{"))
            document.appendMembers(of: line, without: Self.hidden, to: &answer.bytes)
        }
        guard let request else { return answer }
        // Without the line break.
        answer.bytes.removeLast()
        switch await result(of: request.push, to: request.token) {
        case .success(let receipt): answer.bytes += "\(Self.members(of: receipt))}".utf8
        case .failure(let error):
            let status = error.status.map { #""status":\#($0),"# } ?? ""
            let time = error.timestamp.map { #","timestamp":\#($0.millisecondsSince1970)"# } ?? ""
            let delay = error.retryAfter.map { #","retry-after":\#(Int($0))"# } ?? ""
            answer.refuse(
                number, error.code, Self.reason(of: error),
                before: #"\#(status)"apns-id":"\#(error.id.uuidString.lowercased())","#,
                after: #","advice":"\#(error.advice.name)"\#(time)\#(delay)"#)
        }
        answer.bytes.append(UInt8(ascii: "\n"))
        return answer
    }

    func result(of push: APNsPush, to token: String) async -> Result<APNsReceipt, APNsError> {
        do throws(APNsError) {
            return .success(try await client.send(push, to: token))
        } catch {
            return .failure(error)
        }
    }

    /// Returns the members of JSON for an accepted push.
    static func members(of receipt: APNsReceipt) -> String {
        #""status":200,"apns-id":"\#(receipt.id.uuidString.lowercased())""#
    }

    /// Returns the reason of an error, with the option instead of the library's argument.
    static func reason(of error: APNsError) -> String {
        error.code.rawValue == "unsealed" ? "The push isn't sealed. Seal it, or add '--unsealed'." : error.reason
    }
}

/// Answers that arrive in any order, and leave in the order of their places.
private final class AnswerQueue: @unchecked Sendable {
    private let condition = NSCondition()
    /// Each is an answer, `nil` at the end of the input, or the error that ends it.
    private var answers: [Int: Result<LineAnswer?, PushCryptError>] = [:]
    private var (reserved, arrived, taken) = (0, 0, 0)

    /// Returns the next place, while at most 500 answers are awaited, and 1000 aren't taken.
    func reserve() -> Int {
        condition.withLock {
            while reserved - arrived >= 500 || reserved - taken >= 1000 { condition.wait() }
            reserved += 1
            return reserved
        }
    }

    func set(_ place: Int, _ answer: Result<LineAnswer?, PushCryptError>) {
        condition.withLock {
            answers[place] = answer
            arrived += 1
            condition.broadcast()
        }
    }

    var hasNext: Bool { condition.withLock { answers[taken + 1] != nil } }

    /// Waits for the next answer, and takes it.
    func next() -> Result<LineAnswer?, PushCryptError> {
        condition.withLock {
            while true {
                if let answer = answers.removeValue(forKey: taken + 1) {
                    taken += 1
                    condition.broadcast()
                    return answer
                }
                condition.wait()
            }
        }
    }
}
#endif
