import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// The example's files are those that the tool writes, so the compilation of the examples covers
/// both.
@Suite(.ownThread) struct XcodeFilesTests {
    @Test("The example's files are those that the tool writes")
    func filesAreWritten() throws {
        let scratch = try Scratch()
        let key = try SigningKey().publicKey
        let command =
            "pushcrypt xcode write --bundle-id com.example.app --keychain-group com.example.shared --background -o . "
            + "--attachment-host media.example.com "
            + "--signed-by \(Base64URL.encode(key.rawRepresentation))"
        #expect(try Shell.run(command, in: URL(fileURLWithPath: scratch.path)).status == 0)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: scratch.path).filter {
            $0.contains(".")
        }
        #expect(paths.count == 5)
        for path in paths {
            let written = String(decoding: try #require(scratch.contents(of: path)), as: UTF8.self)
                .replacing(Base64URL.encode(key.rawRepresentation), with: "YOUR_SERVER_KEY")
            #expect(try Document("Docs/Examples/\(path)").text == written, "\(path)")
        }
        let check = try Shell.run("pushcrypt xcode check Docs/Examples", in: Document.project)
        let lines = check.output.split(separator: "\n")
        #expect(check.status == 65 && lines.count == 2)
        #expect(lines.allSatisfy { $0.hasSuffix("[server-key-invalid]") })
    }
}
