import Foundation
import Testing

/// The page about the tool's installation.
@Suite struct InstallPageTests {
    @Test("The completion command of each shell prints a script for the tool")
    func completionCommandsPrintScripts() throws {
        let rows = try Document("Docs/Install.md").table("shell | command | for yourself")
        #expect(rows.compactMap(\.first) == ["bash", "zsh", "fish"])
        for row in rows {
            let command = try #require(row.dropFirst().first?.quoted)
            let script = try #require(command.split(separator: " > ").first)
            let run = try Shell.run(String(script), in: FileManager.default.temporaryDirectory)
            #expect(run.status == 0)
            #expect(run.output.contains("__pushcrypt"))
        }
    }

    @Test("The page builds the product that the package declares")
    func theProductExists() throws {
        let commands = try #require(Document("Docs/Install.md").blocks("sh").first)
        #expect(commands.contains("\nswift build -c release --static-swift-stdlib --product pushcrypt\n"))
        #expect(try Document("Package.swift").text.contains(#".executable(name: "pushcrypt""#))
    }
}
