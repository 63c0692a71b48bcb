import Foundation
import PushCryptKeyring
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

@Suite struct OutputFileTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    private func write(_ text: String = "new", isPrivate: Bool = true) throws {
        try OutputFile.write(Array(text.utf8), to: scratch.file("out"), isPrivate: isPrivate)
    }

    @Test(
        "A file is created or replaced",
        arguments: ["", "new", String(repeating: "long", count: 10_000)])
    func writesAFileOrReplacesIt(_ text: String) throws {
        for _ in 0..<2 {
            try write(text)
            #expect(scratch.contents(of: "out") == Array(text.utf8))
            #expect(scratch.mode(of: "out") == 0o600)
            #expect(try scratch.names == ["out"])
        }
    }

    @Test("Only a regular file is replaced", arguments: ["link", "dangling", "directory", "pipe"])
    func replacesNothingButAPlainFile(_ kind: String) throws {
        let path = scratch.file("out")
        scratch.write(Array("old".utf8), to: "other")
        switch kind {
        case "link":
            try FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: scratch.file("other"))
        case "dangling":
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "nowhere")
        case "directory":
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false)
        default: #expect(unsafe mkfifo(path, 0o600) == 0)
        }
        #expect(errorCode { try write() } == .insecureFile)
        #expect(try scratch.names == ["other", "out"], "No temporary file is left.")
        #expect(scratch.contents(of: "other") == Array("old".utf8))
    }

    @Test("A missing directory is reported as missing") func aMissingFolderIsMissing() {
        #expect(
            errorCode {
                try OutputFile.write([1], to: scratch.file("missing/out"), isPrivate: true)
            } == .fileNotFound)
    }

    @Test("The umask decides the mode of a file that is not private")
    func theUmaskDecidesUnlessItIsPrivate() async {
        await #expect(processExitsWith: .success) {
            _ = umask(0o027)
            let scratch = try Scratch()
            try OutputFile.write([1], to: scratch.file("public"), isPrivate: false)
            try OutputFile.write([1], to: scratch.file("private"), isPrivate: true)
            #expect(scratch.mode(of: "public") == 0o640)
            #expect(scratch.mode(of: "private") == 0o600)
        }
    }
}
