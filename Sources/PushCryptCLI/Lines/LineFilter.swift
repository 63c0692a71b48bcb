internal import Dispatch
internal import PushCryptSender

/// The work on one line, of which each thread has a copy.
protocol LineWork: Sendable {
    /// Appends the answer to a line.
    mutating func answer(_ line: [UInt8], _ document: JSONDocument, to output: inout [UInt8]) throws(PushCryptError)
}

/// Answers each line with one line, in order, on several threads.
struct LineFilter<Work: LineWork>: Sendable {
    let work: Work
    let threads: Int

    private typealias Answer = (bytes: [UInt8], isRefused: Bool)

    /// Answers the lines behind those that the output has, and returns `false` if it refuses some.
    func run(_ reader: inout LineReader, _ output: borrowing LineOutput) throws(PushCryptError) -> Bool {
        // These are in memory at once.
        let most = min(max(32 * threads, 128), 2048)
        var number = 0
        while number < output.lines {
            let count = try reader.next(atMost: min(output.lines - number, most)).lines.count
            number += count
            guard count > 0 else {
                throw PushCryptError(
                    .fileExists, "The output has more lines than the input. Name the output of this input.")
            }
        }
        try output.removeTornLine()
        var progress = LineProgress(isVisible: !output.isTerminal, skipped: number, reader.position)
        while case let batch = try reader.next(atMost: most), !batch.lines.isEmpty {
            var bytes: [UInt8] = []
            for answer in answers(to: batch.lines, batch.bytes, number + 1) {
                bytes += answer.bytes
                progress.refused += answer.isRefused ? 1 : 0
                guard bytes.count > 1 << 14 else { continue }
                try output.write(bytes)
                bytes.removeAll(keepingCapacity: true)
            }
            try output.write(bytes)
            number += batch.lines.count
            progress.update(number, reader.position, of: reader.length)
        }
        try output.finish()
        progress.end(number)
        return progress.refused == 0
    }

    private func answers(to lines: [Range<Int>?], _ bytes: [UInt8], _ firstNumber: Int) -> [Answer] {
        let state = LockedValue((next: 0, answers: [Answer](repeating: ([], false), count: lines.count)))
        DispatchQueue.concurrentPerform(iterations: min(threads, lines.count)) { _ in
            var work = work
            while true {
                let index = state.withLock { state in
                    defer { state.next += 1 }
                    return state.next
                }
                guard index < lines.count else { return }
                let answer = Self.answer(lines[index].map { Array(bytes[$0]) }, firstNumber + index, by: &work)
                state.withLock { $0.answers[index] = answer }
            }
        }
        return state.withLock { $0.answers }
    }

    /// Returns the answer to a line, or the error for which the line is refused.
    private static func answer(_ line: [UInt8]?, _ number: Int, by work: inout Work) -> Answer {
        var answer: Answer = ([], false)
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
            try work.answer(line, scanned, to: &answer.bytes)
        } catch {
            answer = ([UInt8(ascii: "{")], true)
            // The members of a keyring, as input by mistake, must not be printed.
            if let line, let document, !KeyMaterial.isKeys(line.span),
                KeyMaterial.redacted(String(decoding: line, as: UTF8.self)) != "(private)"
            {
                let hidden = ["to", "payload", "headers", "line", "error"] + LineSealing.options
                document.appendMembers(of: line, without: hidden, to: &answer.bytes)
            }
            answer.bytes += #""line":\#(number),"error":{"code":"\#(error.code)","reason":"#.utf8
            JSONText.append(error.reason, to: &answer.bytes)
            answer.bytes += "}}".utf8
        }
        answer.bytes.append(UInt8(ascii: "\n"))
        return answer
    }
}
