import Foundation
import Testing

/// The links of the pages to files of the project.
@Suite struct LinkTests {
    @Test(
        "Every link leads to a file that exists",
        arguments: [
            "README.md", "Keys/README.md", "Docs/Payloads.md", "Docs/Reading.md", "Docs/Format.md",
            "Docs/ThreatModel.md", "Docs/Security.md", "Docs/Errors.md", "Docs/KeyManagement.md", "Docs/Xcode.md",
            "Docs/Diagnosis.md", "Docs/Benchmarks.md", "Docs/Contributing.md", "Docs/CHANGELOG.md",
            "Docs/Alternatives.md", "Docs/Install.md", "Tests/Vectors/README.md",
        ])
    func everyLinkLeadsToAFile(path: String) throws {
        let page = Document.project.appendingPathComponent(path)
        let text = try Document(path).text
        let inline = text.matches(of: /\]\(([^):#]+)(#[^)]*)?\)/).map { String($0.output.1) }
        let definitions = text.matches(of: /\n\[[^\]\n]+\]: ([^:#\s]+)(?=\s)/).map { String($0.output.1) }
        for link in inline + definitions {
            let target = page.deletingLastPathComponent().appendingPathComponent(link)
            #expect(FileManager.default.fileExists(atPath: target.path), "\(link)")
        }
    }

    @Test("Every source that the alternatives cite is defined, and every definition is cited")
    func everySourceIsDefined() throws {
        let text = try Document("Docs/Alternatives.md").text
        let cited = Set(text.matches(of: /\]\[([a-z0-9]+)\]/).map { String($0.output.1) })
        let defined = text.matches(of: /\n\[([a-z0-9]+)\]: (?:https:\/\/|[A-Z])/).map { String($0.output.1) }
        #expect(cited == Set(defined))
        #expect(defined.count == cited.count)
    }
}
