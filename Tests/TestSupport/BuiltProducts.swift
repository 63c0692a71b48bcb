package import Foundation

/// The products that are built with the tests.
package enum BuiltProducts {
    /// Returns the location of an executable; `nil` if it wasn't built.
    ///
    /// On Linux, the tests are an executable beside it. On a Mac, a helper of the toolchain runs
    /// the tests, and an argument names the test bundle beside it, or a file in that bundle.
    package static func url(of executable: String) -> URL? {
        let arguments = CommandLine.arguments
        let bundle =
            arguments.firstIndex(of: "--test-bundle-path").map {
                arguments[($0 + 1)...].first ?? ""
            } ?? ""
        let tests = [
            arguments[0], bundle, Bundle.main.executablePath ?? "", Bundle.main.bundlePath,
        ]
        let candidates = tests.filter { !$0.isEmpty }.flatMap { ancestors(of: $0) }
            .map { $0.appendingPathComponent(executable) }
        return candidates.first { candidate in
            var isDirectory: ObjCBool = false
            let exists = unsafe FileManager.default.fileExists(
                atPath: candidate.path, isDirectory: &isDirectory)
            return exists && !isDirectory.boolValue
                && FileManager.default.isExecutableFile(atPath: candidate.path)
        }
    }

    /// Returns the four directories above a file: a file in a bundle is three directories below it.
    private static func ancestors(of path: String) -> [URL] {
        var directory = URL(fileURLWithPath: path)
        return (0..<4).map { _ in
            directory.deleteLastPathComponent()
            return directory
        }
    }
}
