/// Finds mutants in Swift sources, or adds them to the sources.
///
///     instrumenter list FILE...      prints a JSON array of all mutants
///     instrumenter apply < MUTANTS   adds these, which have numbers, to the files below the working directory
///     instrumenter switch            prints the source that tells which mutant is active
///
/// A mutant changes nothing until it's active, so that one build has all of them.

import Foundation
import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Returns the mutants of a file.
func candidates(in path: String) throws -> [Candidate] {
    let source = try String(contentsOfFile: path, encoding: .utf8)
    let tree = OperatorTable.standardOperators.foldAll(Parser.parse(source: source)) { _ in }
    let finder = Finder(path: path, tree: tree)
    finder.walk(tree)
    return finder.candidates
}

/// Adds mutants to a file.
func apply(_ mutants: [Mutant], to path: String) throws {
    let numbers = Dictionary(uniqueKeysWithValues: mutants.map { ($0.identity, $0.number) })
    var insertions: [Insertion] = []
    for candidate in try candidates(in: path) {
        guard let number = numbers[candidate.mutant.identity].flatMap({ $0 }) else { continue }
        insertions += Insertion.around(candidate.wrapping, condition: "isMutant(\(number))")
    }
    guard insertions.count == 2 * mutants.count else { throw MissingMutant(path: path) }
    var source = Array(try String(contentsOfFile: path, encoding: .utf8).utf8)
    for insertion in insertions.sorted(by: >) {
        source.insert(contentsOf: insertion.text.utf8, at: insertion.offset)
    }
    try Data(source).write(to: URL(fileURLWithPath: path))
}

/// A mutant that the file doesn't have.
struct MissingMutant: Error {
    var path: String
}

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "list":
    let mutants = try arguments.dropFirst().flatMap { try candidates(in: $0).map(\.mutant) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    print(String(decoding: try encoder.encode(mutants), as: UTF8.self))
case "apply":
    let input = FileHandle.standardInput.readDataToEndOfFile()
    let mutants = try JSONDecoder().decode([Mutant].self, from: input)
    for (path, mutants) in Dictionary(grouping: mutants, by: \.path) {
        try apply(mutants, to: path)
        let module = path.split(separator: "/").prefix(2).joined(separator: "/")
        try Data(switchSource.utf8).write(to: URL(fileURLWithPath: module + "/MutantSwitch.swift"))
    }
case "switch":
    print(switchSource)
default:
    print("usage: instrumenter list FILE... | apply < MUTANTS | switch")
    exit(2)
}
