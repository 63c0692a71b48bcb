import TestSupport
import Testing

@testable import PushCryptCLI

struct NumberSetTests {
    @Test(
        "It has the numbers of an ordinary set, in as few ranges as possible",
        arguments: [1, 2, 3] as [UInt64])
    func modelled(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var numbers = NumberSet()
        var model: Set<Int> = []
        for _ in 0..<400 {
            let number = Int.random(in: 1...120, using: &random)
            #expect(numbers.insert(number) == model.insert(number).inserted)
            let gaps = model.count { !model.contains($0 + 1) }
            #expect(numbers.ranges.count == gaps)
        }
        #expect((0...121).allSatisfy { numbers.contains($0) == model.contains($0) })
        #expect(numbers.highest == model.max())
        #expect(numbers.lengthOfStart == (1...122).first { !model.contains($0) }.map { $0 - 1 })
    }

    @Test("Numbers in a row take one range") func numbersInARow() {
        var numbers = NumberSet()
        #expect(numbers.isEmpty && numbers.highest == 0 && numbers.lengthOfStart == 0)
        for number in 1...10_000 { numbers.insert(number) }
        #expect(numbers == NumberSet(1...10_000) && numbers.lengthOfStart == 10_000)
    }
}
