import Foundation
import Testing

/// The stand-ins declare what Apple's frameworks do, no less and no more.
@Suite struct StandInTests {
    private let listed: [StandInDeclaration]
    private let declared: [StandInDeclaration]

    init() throws {
        listed = try AppleDeclarationList().declarations
        declared = try StandIns.frameworks.flatMap {
            DeclarationScanner(module: $0, sources: try StandIns.sources(of: $0)).declarations
        }
    }

    @Test func whatIsListedIsDeclared() {
        let missing = listed.filter { !declared.contains($0) }
        #expect(missing.isEmpty)
    }

    @Test func whatIsDeclaredIsListed() {
        let known = Set(listed + StandInExceptions.declarations)
        let more = declared.filter { !known.contains($0) }
        #expect(more.isEmpty)
        let twice = declared.enumerated().filter { declared[..<$0.offset].contains($0.element) }.map(\.element)
        #expect(twice.isEmpty)
    }

    @Test func noExceptionIsWithoutNeed() {
        for group in StandInExceptions.groups {
            let idle = group.declarations.filter { !declared.contains($0) || listed.contains($0) }
            #expect(idle.isEmpty, "\(group.reason)")
        }
    }

    /// A framework that is not compared would be one that the list knows and this suite does not, or the other way round.
    @Test func allFrameworksAreCompared() throws {
        #expect(Set(listed.map(\.module)) == Set(StandIns.frameworks))
        let shims = StandIns.folder.appendingPathComponent("../../Shims").standardizedFileURL
        let folders = try FileManager.default.contentsOfDirectory(atPath: shims.path).filter {
            try StandIns.sources(of: $0).isEmpty == false
        }
        #expect(Set(folders) == Set(StandIns.frameworks + StandIns.frameworksOfTheExamples))
    }

    /// Whatever says that it is public is seen by the comparison.
    @Test(arguments: StandIns.frameworks)
    func nothingPublicIsOverlooked(framework: String) throws {
        let sources = try StandIns.sources(of: framework)
        let scanner = DeclarationScanner(module: framework, sources: sources)
        let lines = sources.flatMap { DeclarationScanner.withoutComments($0).split(separator: "\n") }
        let words = lines.filter { !$0.hasPrefix("public import ") }.flatMap { $0.split(separator: " ") }
        #expect(words.count { $0 == "public" || $0 == "open" } == scanner.saidPublic)
        #expect(scanner.saidPublic > 2)
    }

    /// Apple's headers promise nothing about threads, so whoever crosses them must say so in his own code.
    @Test(arguments: StandIns.frameworks)
    func nothingMayCrossThreads(framework: String) throws {
        for source in try StandIns.sources(of: framework) {
            let code = DeclarationScanner.withoutComments(source)
            for word in ["Sendable", "sending", "@MainActor", "nonisolated", "@preconcurrency"] {
                #expect(!code.contains(word), "\(word)")
            }
        }
    }
}
