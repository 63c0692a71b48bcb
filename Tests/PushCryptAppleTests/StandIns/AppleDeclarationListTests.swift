import Foundation
import Testing

/// A list that lacks something is not believed.
@Suite struct AppleDeclarationListTests {
    private let text: String

    init() throws {
        let file = StandIns.folder.appendingPathComponent("AppleDeclarations.txt")
        text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }

    @Test func anEmptyListIsRefused() {
        #expect(throws: AppleDeclarationList.Problem.count(0)) { try AppleDeclarationList("") }
        #expect(throws: AppleDeclarationList.Problem.count(0)) { try AppleDeclarationList("# UserNotifications\n") }
    }

    @Test func aShortOrLongListIsRefused() throws {
        let count = AppleDeclarationList.count
        let short = text.replacingOccurrences(of: "    var url: URL { get }\n", with: "")
        #expect(throws: AppleDeclarationList.Problem.count(count - 1)) { try AppleDeclarationList(short) }
        #expect(throws: AppleDeclarationList.Problem.count(count + 1)) { try AppleDeclarationList(text + "class A\n") }
    }

    @Test func aLineThatIsThereTwiceIsRefused() {
        let twice = text.replacingOccurrences(of: "    case active\n", with: "    case passive\n")
        #expect(throws: AppleDeclarationList.Problem.self) { try AppleDeclarationList(twice) }
    }

    @Test func aLineThatDeclaresNothingIsRefused() {
        #expect(throws: AppleDeclarationList.Problem.noDeclaration("hello")) {
            try AppleDeclarationList(text + "hello\n")
        }
    }
}
