import Testing

@testable import PushCryptCLI

struct AnswerQueueTests {
    private static func answer(_ number: Int) -> LineAnswer {
        LineAnswer(.accepted, bytes: Array("\(number)".utf8))
    }

    private static func texts(_ answers: [LineAnswer]) -> [String] {
        answers.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    @Test("Answers wait for those to earlier lines") func theOrderIsKept() {
        var queue = AnswerQueue(keepsOrder: true, after: 4)
        queue.add(Self.answer(7), to: 7)
        queue.add(Self.answer(6), to: 6)
        #expect(queue.takeReady().isEmpty && queue.size == 2 * 129)
        #expect(queue.takeNewWaiting().map(\.number) == [7, 6])
        #expect(queue.takeNewWaiting().isEmpty && queue.allWaiting.map(\.number) == [6, 7])
        queue.add(Self.answer(9), to: 9)
        queue.add(Self.answer(5), to: 5)
        #expect(Self.texts(queue.takeReady()) == ["5", "6", "7"] && queue.takeReady().isEmpty)
        #expect(queue.takeNewWaiting().map(\.number) == [9] && queue.size == 129)
        queue.add(Self.answer(8), to: 8)
        #expect(Self.texts(queue.takeReady()) == ["8", "9"] && queue.size == 0)
        #expect(queue.takeNewWaiting().isEmpty)
    }

    @Test("An answer that is ready in the turn in which it came isn't new")
    func readyAnswersAreNotNew() {
        var queue = AnswerQueue(keepsOrder: true, after: 0)
        queue.add(Self.answer(2), to: 2)
        queue.add(Self.answer(1), to: 1)
        #expect(queue.takeNewWaiting().isEmpty && Self.texts(queue.takeReady()) == ["1", "2"])
    }

    @Test("Answers of an earlier run wait, and aren't new") func answersOfAnEarlierRun() {
        var queue = AnswerQueue(keepsOrder: true, after: 1, [2: Self.answer(2), 4: Self.answer(4)])
        #expect(Self.texts(queue.takeReady()) == ["2"])
        #expect(queue.takeNewWaiting().isEmpty && queue.allWaiting.map(\.number) == [4])
    }

    @Test("Without an order, nothing waits") func withoutAnOrder() {
        var queue = AnswerQueue(keepsOrder: false, after: 0)
        queue.add(Self.answer(3), to: 3)
        queue.add(Self.answer(1), to: 1)
        #expect(Self.texts(queue.takeReady()) == ["3", "1"] && queue.size == 0)
        #expect(queue.takeNewWaiting().isEmpty && queue.allWaiting.isEmpty)
    }
}
