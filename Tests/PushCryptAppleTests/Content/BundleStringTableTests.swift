import Foundation
import Testing

@testable import PushCryptApple

/// A bundle in a temporary directory, which is deleted with the test.
private final class TestBundle {
    let path =
        FileManager.default.temporaryDirectory.path + "/pushcrypt-" + UUID().uuidString + ".bundle"

    init(_ tables: [String: String]) throws {
        for language in ["en", "Base"] {
            let directory = "\(path)/\(language).lproj"
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true)
            for (name, text) in tables {
                try text.write(
                    toFile: "\(directory)/\(name).strings", atomically: true, encoding: .utf8)
            }
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

@Suite struct BundleStringTableTests {
    @Test("A table finds the strings of its bundle") func tableFindsTheStringsOfItsBundle() throws {
        let directory = try TestBundle([
            "Localizable":
                #"/* c */ "greeting" = "Hello, %1$@!"; "OK" = "OK"; "empty" = ""; "e\"s" = "Gr\U00fc\U00dfe";"#
        ])
        let table = BundleStringTable(try #require(Bundle(path: directory.path)))
        #expect(table.string(forKey: "greeting") == "Hello, %1$@!")
        #expect(table.string(forKey: #"e"s"#) == "Grüße")
        #expect(table.string(forKey: "empty")?.isEmpty == true)
    }

    @Test("A string that equals its key isn't missing") func stringThatEqualsItsKeyIsntMissing()
        throws
    {
        let directory = try TestBundle(["Localizable": #""OK" = "OK";"#])
        let table = BundleStringTable(try #require(Bundle(path: directory.path)))
        #expect(table.string(forKey: "OK") == "OK")
        #expect(table.string(forKey: "Cancel") == nil)
        #expect(table.string(forKey: "") == nil)
    }

    @Test("A table reads the file with its name") func tableReadsTheFileWithItsName() throws {
        let directory = try TestBundle([
            "Localizable": #""a" = "1";"#, "Pushes": #""a" = "2"; "b" = "3";"#,
        ])
        let bundle = try #require(Bundle(path: directory.path))
        #expect(BundleStringTable(bundle).string(forKey: "a") == "1")
        #expect(BundleStringTable(bundle).string(forKey: "b") == nil)
        #expect(BundleStringTable(bundle, table: "Pushes").string(forKey: "a") == "2")
        #expect(BundleStringTable(bundle, table: "None").string(forKey: "a") == nil)
    }

    @Test("A test bundle has no strings and no containing app")
    func testBundleHasNoStringsAndNoContainingApp() {
        #expect(BundleStringTable().string(forKey: "no such key") == nil)
        #expect(BundleStringTable.containingApp.string(forKey: "no such key") == nil)
        #expect(ContainingApp.path(of: Bundle.main.bundlePath) == Bundle.main.bundlePath)
    }

    @Test(
        "The containing app is above the extension",
        arguments: [
            ("/a/My.app/PlugIns/Push.appex", "/a/My.app"),
            ("/a/My.app/Extensions/Push.appex", "/a/My.app"),
            ("/a/My.app/Contents/PlugIns/Push.appex", "/a/My.app"),
            ("/a/My.app/Watch/Other.app/PlugIns/Push.appex", "/a/My.app/Watch/Other.app"),
            ("/a/My.app/PlugIns/Push.appex/", "/a/My.app"),
            ("/a/My.app", "/a/My.app"),
            ("/a/My.app/PlugIns/Push.bundle", "/a/My.app/PlugIns/Push.bundle"),
            ("/a/b/c/d/Push.appex", "/a/b/c/d/Push.appex"), ("/Push.appex", "/Push.appex"),
            ("/", "/"),
        ])
    func containingAppIsAboveTheExtension(path: String, app: String) {
        #expect(ContainingApp.path(of: path) == app)
    }

    @Test("The keychain's service has the app's bundle ID, so that two apps have their own keys")
    func keychainService() {
        #expect(ContainingApp.keychainService(of: "com.example.app") == "pushcrypt.com.example.app")
        #expect(
            ContainingApp.keychainService(of: nil) == "pushcrypt",
            "A program without a bundle ID has no group.")
    }
}
