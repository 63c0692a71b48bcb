import Testing

@testable import PushCryptCLI

/// Tests of the commit in `pushcrypt --version`.
@Suite struct ToolVersionTests {
    @Test(
        "Only an archive names a commit", arguments: ["$Format:%H$\n", "", "\n", "abc\n", "x\n\n"])
    func noCommit(file: String) {
        #expect(ToolVersion.commit(in: Array(file.utf8)) == nil)
    }

    @Test("The commit of an archive is named") func commit() {
        let commit = String(repeating: "0123456789abcdef", count: 3).prefix(40)
        #expect(ToolVersion.commit(in: Array("\(commit)\n".utf8)) == String(commit))
    }
}
