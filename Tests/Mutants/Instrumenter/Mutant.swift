import Foundation

/// A change of one expression or statement that a test should notice.
struct Mutant: Codable {
    /// The path of the file, relative to the repository.
    var path: String
    /// The line of the changed code, from 1.
    var line: Int
    /// The name of the change, such as `skip-guard`.
    var change: String
    /// The code that changes, on one line.
    var code: String
    /// The function or the type around the code.
    var function: String
    /// The code's position among equal ones of the function, from 1.
    var occurrence: Int
    /// The number that activates the mutant.
    var number: Int?

    /// The same in another version of the file, if the code's function didn't change.
    var identity: String {
        "\(path)|\(function)|\(change)|\(occurrence)|\(code)"
    }
}

/// The text that goes around the code of a mutant.
struct Wrapping {
    var start: Int
    var end: Int
    /// Returns what precedes the code, given the condition that tells whether the mutant is active.
    var before: (String) -> String
    var after: String
}

/// A mutant and the edit that adds it to its file.
struct Candidate {
    var mutant: Mutant
    var wrapping: Wrapping
}
