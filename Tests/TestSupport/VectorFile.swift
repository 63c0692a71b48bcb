package import Foundation

/// A file of test vectors in `Tests/Vectors`.
package enum VectorFile {
    /// A reason to refuse a file.
    package enum Failure: Error, Hashable {
        case otherVersion
        /// The array has another number of vectors than the file says, or fewer than expected.
        case wrongCount(String)
        /// Two vectors of the array have the same name, or a vector has no name.
        case invalidNames(String)
    }

    /// The parts that all files have.
    private struct Header: Decodable {
        let version: Int
        let counts: [String: Int]
    }

    /// Reads a file; a missing, malformed, short or doubled file throws.
    ///
    /// `minimum` has the expected number of vectors in each array, so that a generator that loses
    /// vectors is detected.
    package static func load<Corpus: Decodable>(
        _ name: String, minimum: [String: Int], as: Corpus.Type
    ) throws
        -> Corpus
    {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
        let data = try Data(contentsOf: tests.appendingPathComponent("Vectors/\(name)"))
        try check(data, minimum: minimum)
        return try JSONDecoder().decode(Corpus.self, from: data)
    }

    /// Throws if a file isn't complete.
    package static func check(_ data: Data, minimum: [String: Int]) throws {
        let header = try JSONDecoder().decode(Header.self, from: data)
        guard header.version == 1 else { throw Failure.otherVersion }
        let file = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
        for array in Set(header.counts.keys).union(minimum.keys) {
            let vectors = file[array] as? [[String: Any]] ?? []
            guard vectors.count == header.counts[array], vectors.count >= minimum[array] ?? .max
            else {
                throw Failure.wrongCount(array)
            }
            guard Set(vectors.compactMap { $0["name"] as? String }).count == vectors.count else {
                throw Failure.invalidNames(array)
            }
        }
    }
}
