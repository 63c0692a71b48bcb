import Foundation
import Testing

/// No page points to a file that is not there.
@Suite struct LinkTests {
    @Test(arguments: [
        "README.md", "Keys/README.md", "Docs/Payloads.md", "Docs/Reading.md", "Docs/Format.md", "Docs/ThreatModel.md",
        "Docs/Security.md", "Docs/Errors.md", "Docs/KeyManagement.md", "Docs/Xcode.md", "Docs/Diagnosis.md",
        "Docs/Benchmarks.md", "Docs/Contributing.md", "Docs/CHANGELOG.md", "Tests/Vectors/README.md",
    ])
    func everyLinkLeadsSomewhere(path: String) throws {
        let page = Document.project.appendingPathComponent(path)
        for match in try Document(path).text.matches(of: /\]\(([^):#]+)(#[^)]*)?\)/) {
            let target = page.deletingLastPathComponent().appendingPathComponent(String(match.output.1))
            #expect(FileManager.default.fileExists(atPath: target.path), "\(match.output.1)")
        }
    }
}
