#if os(Linux)
import Foundation
import Testing

/// The memory of another process, in a core dump and outside of it.
struct MemoryImage {
    /// The pages of the process that the kernel would dump.
    let dumped: [[UInt8]]
    /// The pages that libsodium keeps out of dumps.
    let guarded: [[UInt8]]

    /// Reads the memory of a stopped process.
    init(of process: Int32) throws {
        var dumped: [[UInt8]] = []
        var guarded: [[UInt8]] = []
        let memory = try #require(
            FileHandle(forReadingAtPath: "/proc/\(process)/mem"), "its memory cannot be read")
        for region in try MemoryRegion.all(of: process)
        where region.isReadable && region.hasOwnPages {
            try memory.seek(toOffset: region.start)
            // The kernel reads no further than it can.
            let bytes = Array(try memory.read(upToCount: Int(region.end - region.start)) ?? Data())
            #expect(
                bytes.count == Int(region.end - region.start), "a region was not read to its end")
            if region.isKeptOutOfDumps { guarded.append(bytes) } else { dumped.append(bytes) }
        }
        (self.dumped, self.guarded) = (dumped, guarded)
    }

    /// Returns a Boolean value that indicates whether a dump would contain some bytes.
    func dumps(_ secret: [UInt8]) -> Bool { dumped.contains { Self.contains($0, secret) } }

    /// Returns a Boolean value that indicates whether memory outside of a dump contains some bytes.
    func guards(_ secret: [UInt8]) -> Bool { guarded.contains { Self.contains($0, secret) } }

    private static func contains(_ bytes: [UInt8], _ secret: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe secret.withUnsafeBytes { secret in
                guard let start = bytes.baseAddress, let wanted = secret.baseAddress else {
                    return false
                }
                // For tens of megabytes, C's functions are fast enough in a debug build.
                var place = 0
                while place + secret.count <= bytes.count {
                    let length = bytes.count - secret.count + 1 - place
                    guard let found = unsafe memchr(start + place, Int32(secret[0]), length) else {
                        return false
                    }
                    if unsafe memcmp(found, wanted, secret.count) == 0 { return true }
                    place = unsafe UnsafeRawPointer(found) - start + 1
                }
                return false
            }
        }
    }
}

extension Data {
    /// Reads a file of the kernel, whose length is 0 for stat(2).
    init(kernelFile path: String) throws {
        let file = try #require(FileHandle(forReadingAtPath: path), "\(path) cannot be read")
        self.init()
        while let more = try file.read(upToCount: 1 << 16), !more.isEmpty { append(more) }
    }
}

/// A region of a process's memory, from `/proc/…/smaps`.
private struct MemoryRegion {
    let start: UInt64
    let end: UInt64
    let isReadable: Bool
    /// A Boolean value that indicates whether there are pages other than a file's.
    var hasOwnPages = false
    /// A Boolean value that indicates whether the process has called madvise with MADV_DONTDUMP for
    /// it.
    var isKeptOutOfDumps = false

    static func all(of process: Int32) throws -> [Self] {
        let text = String(decoding: try Data(kernelFile: "/proc/\(process)/smaps"), as: UTF8.self)
        var regions: [Self] = []
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            let bounds = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
            if bounds.count == 2 {
                regions.append(
                    Self(start: bounds[0], end: bounds[1], isReadable: words[1].hasPrefix("r")))
            } else if words[0] == "Anonymous:", !regions.isEmpty {
                regions[regions.count - 1].hasOwnPages = words[1] != "0"
            } else if words[0] == "VmFlags:", !regions.isEmpty {
                regions[regions.count - 1].isKeptOutOfDumps = words.contains("dd")
            }
        }
        // Libraries, heap and stack. With fewer, the parser would be wrong.
        try #require(regions.filter(\.hasOwnPages).count > 5)
        return regions
    }
}
#endif
