import Foundation
import Testing

/// The files that this process has open.
enum OpenFile {
    /// Lets the descriptor of an open file be that of another one.
    static func replace(_ path: String, by other: String) throws {
        let directory = "/proc/self/fd"
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
        let number = names.compactMap { Int32($0) }.first {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(directory)/\($0)"))
                == target
        }
        let file = try #require(FileHandle(forWritingAtPath: other))
        #expect(dup2(file.fileDescriptor, try #require(number)) >= 0)
    }
}
