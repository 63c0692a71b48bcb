import Testing

@testable import PushCryptCore

@Suite struct JSONScannerLimitTests {
    private func problem(_ text: String) -> JSONProblem? {
        PushCryptCoreTests.problem(of: Array(text.utf8))
    }

    private func nested(_ opening: String, _ closing: String, levels: Int) -> String {
        String(repeating: opening, count: levels) + String(repeating: closing, count: levels)
    }

    @Test("Objects and arrays have at most 64 levels", arguments: 1...70)
    func levels(_ levels: Int) {
        let objects = "{" + nested(#""a":{"#, "}", levels: levels - 1) + "}"
        let arrays = levels == 1 ? "{}" : #"{"a":"# + nested("[", "]", levels: levels - 1) + "}"
        for text in [objects, arrays] {
            #expect(problem(text)?.what == (levels > 64 ? .tooDeep : nil))
        }
    }

    @Test("Objects and arrays count together", arguments: 1...35)
    func mixedLevels(_ pairs: Int) {
        #expect(
            problem(nested(#"{"a":["#, "]}", levels: pairs))?.what == (pairs > 32 ? .tooDeep : nil))
    }

    @Test("A million levels are refused without a stack overflow") func millionLevels() {
        #expect(problem(#"{"a":"# + String(repeating: "[", count: 1_000_000))?.what == .tooDeep)
    }

    @Test("A level ends with its bracket") func closedLevels() {
        let deep = nested("[", "]", levels: 63)
        #expect(problem(#"{"a":[\#(deep.dropFirst().dropLast())],"b":\#(deep)}"#) == nil)
    }

    /// An object with so many members, of which one has the name of an earlier one.
    private func object(of count: Int, with repeated: Int, as place: Int, escaped: Bool) -> (
        text: String, offset: Int
    ) {
        var text = "{"
        var offset = 0
        for index in 0..<count {
            if index == place { offset = text.utf8.count + (index == 0 ? 0 : 1) }
            let number = index == place ? repeated : index
            let name = index == place && escaped ? #"\u006b\#(number)"# : "k\(number)"
            text += "\(index == 0 ? "" : ",")\"\(name)\":\(index)"
        }
        return (text + "}", offset)
    }

    @Test(
        "A duplicate name is found at every position", arguments: [2, 3, 23, 24, 25, 26, 48, 200],
        [false, true])
    func duplicates(_ count: Int, _ escaped: Bool) {
        for place in Set([1, 22, 23, 24, 25, count / 2, count - 1]) where place < count && place > 0
        {
            for repeated in Set([0, place / 2, place - 1]) {
                let (text, offset) = object(of: count, with: repeated, as: place, escaped: escaped)
                #expect(
                    problem(text) == JSONProblem(offset: offset, what: .duplicateKey),
                    "\(count) members, number \(place) is named as number \(repeated)")
            }
        }
    }

    @Test("Equal names in different objects are no duplicates", arguments: [23, 24, 25, 26])
    func noDuplicates(_ count: Int) {
        let members = (0..<count).map { #""k\#($0)":{"k\#($0)":0}"# }.joined(separator: ",")
        #expect(problem("{\(members)}") == nil)
        #expect(problem(#"{"a":[{\#(members)},{\#(members)}]}"#) == nil)
    }

    @Test("A duplicate name behind an inner object is found", arguments: [1, 24, 25, 40])
    func duplicatesBehindObjects(_ count: Int) {
        let inner = (0..<count).map { #""k\#($0)":0"# }.joined(separator: ",")
        #expect(problem(#"{"k0":{\#(inner)},"k1":[{\#(inner)}],"k0":0}"#)?.what == .duplicateKey)
        #expect(problem(#"{"x":[{\#(inner),"k0":1}]}"#)?.what == .duplicateKey)
    }

    @Test("The first of several duplicates is reported", arguments: [1, 5, 12])
    func firstDuplicates(_ count: Int) {
        #expect(problem(everyNameTwice(count)) == firstDuplicate(count))
    }

    @Test("The first of many duplicates is reported", arguments: [30, 60])
    func firstOfManyDuplicates(_ count: Int) {
        #expect(problem(everyNameTwice(count)) == firstDuplicate(count))
    }

    @Test("Many names with the same FNV-1a hash are compared in time") func hashCollisions() {
        let names = (0..<400).map { "\"77kepQFQ8Kl\(String(repeating: "\\u0000", count: $0))\":0" }
        #expect(problem("{\(names.joined(separator: ","))}") == nil)
        let twice = problem("{\(names.joined(separator: ",")),\(names[7])}")
        #expect(twice?.what == .duplicateKey)
    }

    private func names(_ count: Int) -> String {
        (0..<count).map { #""k\#($0)":0"# }.joined(separator: ",")
    }

    private func everyNameTwice(_ count: Int) -> String {
        "{\(names(count)),\(names(count))}"
    }

    private func firstDuplicate(_ count: Int) -> JSONProblem {
        JSONProblem(offset: names(count).utf8.count + 2, what: .duplicateKey)
    }
}
