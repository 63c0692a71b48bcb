import Testing

/// Rules about the sources themselves, which a compiler does not know.
@Suite struct SourceRuleTests {
    private func offenders(
        _ pattern: Regex<Substring>, in files: [String] = SourceTree.files, except folders: [String] = []
    ) -> [String] {
        files.filter { file in
            !folders.contains { file.hasPrefix($0) } && SourceTree.code(of: file).contains(pattern)
        }
    }

    private func files(of target: String) -> [String] {
        SourceTree.files.filter { $0.hasPrefix(target + "/") }
    }

    @Test func theSourcesAreFound() {
        for (target, least) in [
            ("PushCryptCore", 40), ("PushCryptSender", 8), ("PushCryptReceiver", 15), ("PushCryptTesting", 4),
        ] {
            #expect(files(of: target).count >= least, "\(target)")
        }
        #expect(!offenders(/\bunsafe\b/).isEmpty, "The two folders that may say it do.")
    }

    /// The system's keychain hands an item over through a pointer, and a secret to it is written where it can be wiped.
    private let systemKeychain = "PushCryptApple/SystemKeychain.swift"

    @Test func onlyTwoFoldersAndOneFileAreUnsafe() {
        let words = /\bunsafe\w*|\bwithUnsafe\w+|\bUnsafe\w+/
        #expect(
            offenders(
                words,
                except: [
                    "PushCryptCore/Sodium/", "PushCryptCore/Memory/", "PushCryptKeyring/Files/",
                    "PushCryptCLI/Terminal/", systemKeychain,
                ]) == [])
        #expect(
            SourceTree.code(of: systemKeychain).matches(of: words).count == 3,
            "One pointer to the result, one to the copy, one write to that.")
    }

    @Test func onlyOneFileImportsTheSystemsKeychain() {
        #expect(SourceTree.files.filter { SourceTree.imports(of: $0).contains("Security") } == [systemKeychain])
    }

    @Test func onlyOneFolderImportsLibsodium() {
        let importers = SourceTree.files.filter {
            !Set(SourceTree.imports(of: $0)).isDisjoint(with: ["CSodium", "Clibsodium"])
        }
        #expect(importers.count >= 6)
        #expect(importers.allSatisfy { $0.hasPrefix("PushCryptCore/Sodium/") })
    }

    @Test func nothingEndsTheProcessOnPurpose() {
        #expect(offenders(/\btry!/) == [])
        #expect(offenders(/\bfatalError\(/) == [])
        #expect(offenders(/\bpreconditionFailure\(/) == [])
        #expect(offenders(/\sas!\s/) == [])
    }

    @Test(arguments: [
        (
            "PushCryptCore",
            ["CSodium", "Clibsodium", "Darwin", "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Musl"]
        ),
        (
            "PushCryptSender",
            [
                "Dispatch", "Foundation", "FoundationEssentials", "PushCryptCore", "PushCryptKeyring",
                "PushCryptPayload",
                "PushCryptRules",
            ]
        ),
        (
            "PushCryptReceiver",
            [
                "Dispatch", "Foundation", "FoundationEssentials", "PushCryptCore", "PushCryptKeyring",
                "PushCryptPayload",
            ]
        ),
    ])
    func librariesImportNothingElse(_ target: String, _ allowed: [String]) {
        // So neither sender nor receiver has the other, nor networking, nor logging.
        for file in files(of: target) {
            #expect(Set(SourceTree.imports(of: file)).subtracting(allowed).isEmpty, "\(file)")
        }
    }

    @Test func onlySystemCallsImportTheCLibrary() {
        for file in files(of: "PushCryptCore") {
            #expect(Set(SourceTree.imports(of: file)).isDisjoint(with: ["Darwin", "Glibc", "Musl"]), "\(file)")
        }
    }

    @Test(arguments: ["PushCryptCore", "PushCryptSender", "PushCryptReceiver"])
    func librariesNeitherConnectNorLog(_ target: String) {
        let words = /\bURLSession\b|\bURLRequest\b|\bNSLog\b|\bos_log\b|\bLogger\b|\bprint\(|\bdebugPrint\(|\bdump\(/
        #expect(offenders(words, in: files(of: target)) == [])
    }

    @Test(arguments: ["PushCryptCore", "PushCryptReceiver"])
    func allOfFoundationIsTheSecondChoice(_ target: String) {
        // NSNumber, which FoundationEssentials has not, comes from Foundation's own readers.
        for file in files(of: target) where !file.hasSuffix("/Reading/UserInfoValue.swift") {
            let code = SourceTree.code(of: file)
            let all = code.matches(of: /\bimport Foundation\b/).count
            #expect(
                code.matches(of: /#else\s+(public |internal |package )?import Foundation\b/).count == all, "\(file)")
        }
    }
}
