import Foundation
import PushCryptSender
import TestSupport
import Testing

@testable import PushCryptCLI

/// The file beside an output, and the checks before it is continued.
@Suite(.toolThreads) struct JournalTests {
    private let scratch: Scratch
    private let output: String
    private var path: String { Journal.path(for: output) }
    private static let answers = [
        #"{"line":1,"status":200}"#, #"{"line":2,"error":{}}"#, #"{"status":200}"#,
    ]

    init() throws {
        scratch = try Scratch()
        output = scratch.file("output")
    }

    private static func push(_ number: Int, length: Int = 3) -> JournaledPush {
        JournaledPush(
            number: number, id: UUID(), mayBeAccepted: true,
            line: Array(repeating: 0x61, count: length))
    }

    private static func mark(_ answers: some Sequence<String>) -> OutputMark {
        var mark = OutputMark()
        for answer in answers { mark.add(Array(answer.utf8)) }
        return mark
    }

    /// Writes an output with some answers, and a journal of a first place, a push and a second
    /// place.
    private func write(_ answers: [String], marks: [Int], keepsOrder: Bool = true) throws {
        scratch.write(Array(answers.map { "\($0)\n" }.joined().utf8), to: "output")
        let journal = try Journal(
            path, keepsOrder: keepsOrder, at: Self.mark(Self.answers.prefix(marks[0])), records: [])
        journal.add(.push(Self.push(3)))
        for (last, next) in zip(marks, marks.dropFirst()) {
            let written = Self.answers[last..<next].map { text in
                LineAnswer(.accepted, bytes: Array(text.utf8))
            }
            journal.add(written: written)
            try journal.write()
        }
    }

    private func run(lines: Int = 3, keepsOrder: Bool = true) throws -> EarlierRun {
        try EarlierRun(output, lines: lines, keepsOrder: keepsOrder, isRetry: false)
    }

    @Test("A journal is private, grows, is replaced, and is deleted") func growth() throws {
        let journal = try Journal(path, keepsOrder: true, at: OutputMark(), records: [])
        #expect(scratch.mode(of: "output.journal") == 0o600)
        for number in 1...17 { journal.add(.push(Self.push(number, length: 60_000))) }
        try journal.write()
        #expect(!journal.isLong(hasPushes: false))
        journal.add(.push(Self.push(18, length: 60_000)))
        try journal.write()
        #expect(journal.isLong(hasPushes: false) && !journal.isLong(hasPushes: true))
        let answer = LineAnswer(.accepted, bytes: [0x7B, 0x7D])
        journal.add(written: [answer])
        try journal.replace([.push(Self.push(18))])
        #expect(!journal.isLong(hasPushes: false) && scratch.mode(of: "output.journal") == 0o600)
        journal.add(.answer(answer, number: 20))
        try journal.write()
        let file = try #require(try JournalFile(of: output, keepsOrder: true))
        var records: [JournalRecord] = []
        try file.forEachRecord { records.append($0) }
        #expect(file.marks == [Self.mark(["{}"])] && records.count == 3)
        journal.delete()
        #expect(try scratch.names.isEmpty)
        #expect(try JournalFile(of: output, keepsOrder: true) == nil)
    }

    @Test("The file of a killed replacement is removed") func leftovers() throws {
        let name = "output.journal.pushcrypt-AAAAAAAAAAAA.tmp"
        scratch.write([1], to: name)
        scratch.write([1], to: "output.journal.old")
        _ = try Journal(path, keepsOrder: true, at: OutputMark(), records: [])
        #expect(try scratch.names == ["output.journal", "output.journal.old"])
    }

    @Test("An output and its journal give what is left to do") func whatIsLeft() throws {
        try write(Self.answers, marks: [0, 1, 3])
        let run = try self.run()
        #expect(run.written == NumberSet(1...3))
        #expect(run.counts == AnswerCounts(accepted: 2, refused: 1, unsent: 0))
        #expect(
            run.mark == Self.mark(Self.answers) && run.pushes.isEmpty,
            "the output has the answer to the push")
        #expect(run.known == NumberSet(1...3))
    }

    @Test("A push whose answer the output lacks is left, also after a power failure")
    func aPushIsLeft() throws {
        for marks in [[0, 1], [1, 2], [2], [0, 3], [1, 3]] {
            try write(Array(Self.answers.prefix(2)), marks: marks + [marks[marks.count - 1]])
            let run = try self.run(lines: 2)
            #expect(run.pushes.keys.sorted() == [3] && run.known == NumberSet(1...3), "\(marks)")
        }
    }

    @Test("A journal of another output is refused", arguments: [[1, 2], [2], [0, 1], [0, 2]])
    func anotherOutput(marks: [Int]) throws {
        try write([#"{"status":201}"#, #"{"line":2,"error":{}}"#], marks: marks)
        #expect(throws: PushCryptError(.fileExists, "")) { try run(lines: 2) }
    }

    @Test(
        "A journal that knows more than an empty or too short output is refused",
        arguments: [[0, 2], [2, 3]])
    func aLostOutput(marks: [Int]) throws {
        try write(Array(Self.answers.prefix(marks[0] == 0 ? 0 : 1)), marks: marks)
        #expect(throws: PushCryptError(.fileExists, "")) { try run(lines: marks[0] == 0 ? 0 : 1) }
    }

    @Test("A damaged journal is refused, and a torn end isn't") func damage() throws {
        try write(Self.answers, marks: [0, 1, 3])
        let whole = try #require(scratch.contents(of: "output.journal"))
        for index in whole.indices {
            var damaged = whole
            damaged[index] ^= 0x10
            scratch.write(damaged, to: "output.journal")
            let result = Result { try run() }
            // Without its line break, the last record is a torn one.
            #expect((try? result.get()) == nil || index == whole.count - 1, "\(index)")
        }
        for count in whole.indices.dropFirst(28) {
            scratch.write(Array(whole[..<count]), to: "output.journal")
            #expect(throws: Never.self, "\(count)") { try run() }
        }
    }

    @Test("A file that isn't a journal, or that others could have written, is refused")
    func otherFiles() throws {
        scratch.write(Array("{}\n".utf8), to: "output")
        for text in ["", "x", "{}\n", "pushcrypt-journal 2 ordered\n", "pushcrypt-journal 1 ord"] {
            scratch.write(Array(text.utf8), to: "output.journal")
            #expect(throws: PushCryptError(.fileSystemError, ""), "\(text)") { try run(lines: 0) }
        }
        try FileManager.default.removeItem(atPath: path)
        scratch.write(Array("pushcrypt-journal 1 ordered\n".utf8), to: "other")
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: scratch.file("other"))
        #expect(throws: PushCryptError(.insecureFile, "")) { try run(lines: 0) }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.linkItem(atPath: scratch.file("other"), toPath: path)
        #expect(throws: PushCryptError(.insecureFile, "")) { try self.run(lines: 0) }
    }

    @Test("An output is continued in its own order only") func order() throws {
        try write(Self.answers, marks: [0, 1], keepsOrder: true)
        #expect(throws: PushCryptError(.fileExists, "")) { try self.run(keepsOrder: false) }
        try FileManager.default.removeItem(atPath: path)
        // Without a journal, the numbers tell.
        #expect(throws: PushCryptError(.fileExists, "")) { try self.run(keepsOrder: false) }
        let swapped = [#"{"line":2,"status":200}"#, #"{"line":1,"status":200}"#]
        scratch.write(Array(swapped.map { "\($0)\n" }.joined().utf8), to: "output")
        #expect(throws: PushCryptError(.fileExists, "")) { try self.run(lines: 2) }
        let run = try self.run(lines: 2, keepsOrder: false)
        #expect(run.written == NumberSet(1...2))
        scratch.write(Array((swapped + swapped).map { "\($0)\n" }.joined().utf8), to: "output")
        #expect(throws: PushCryptError(.fileExists, "")) {
            try self.run(lines: 4, keepsOrder: false)
        }
    }

    @Test("Only answers are continued") func otherOutputs() throws {
        for line in ["{}", "x", #"{"payload":{}}"#] {
            scratch.write(Array("\(line)\n".utf8), to: "output")
            #expect(throws: PushCryptError(.fileExists, ""), "\(line)") { try run(lines: 1) }
        }
    }
}
