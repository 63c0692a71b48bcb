import Dispatch
import Foundation
import PushCryptCore
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptKeyring

/// A service that was told to stop if its keyring is deleted or damaged.
@Suite struct KeyringSourceFailureTests {
    private let scratch: Scratch
    private let file: KeyringFile<SigningKey>
    private let whole: [UInt8]
    private let key: VerificationKey
    private let errors = LockedValue<[PushCryptError.Code]>([])

    init() throws {
        scratch = try Scratch()
        file = KeyringFile(path: scratch.file())
        key = try file.createOrRotate(at: Date(timeIntervalSince1970: 1_700_000_000)).primary.key
            .publicKey
        whole = try #require(scratch.contents())
    }

    private func source(_ interval: Double = 0) throws -> KeyringSource<SigningKey> {
        try KeyringSource(file, interval: interval, whenUnreadable: .fail) { [errors] error in
            errors.withLock { $0.append(error.code) }
        }
    }

    private var codes: [PushCryptError.Code] { errors.withLock { $0 } }

    @Test(
        "A deleted or damaged file, and one without its keys, ends the use of the keys",
        arguments: [
            (nil, 0o600, .fileNotFound), ("", 0o600, .malformedJWK),
            (#"{"generation":8,"keys":[]}"#, 0o600, nil),
            ("whole", 0o644, .insecureFile),
        ] as [(String?, Int, PushCryptError.Code?)])
    func keysEnd(text: String?, mode: Int, code: PushCryptError.Code?) throws {
        let source = try source()
        #expect(try source.primaryKey.publicKey == key)
        try FileManager.default.removeItem(atPath: scratch.file())
        if let text { scratch.write(text == "whole" ? whole : Array(text.utf8), mode: mode) }
        let first = try #require(errorCode { try source.primaryKey })
        #expect(errorCode { try source.keyring } == first)
        #expect(code == nil || code == first)
        #expect(codes == [first, first], "With no interval, each call reads the file.")
        try? FileManager.default.removeItem(atPath: scratch.file())
        scratch.write(whole)
        #expect(try source.primaryKey.publicKey == key, "The file is back.")
    }

    @Test("Other keys in the file replace the old ones") func otherKeys() throws {
        let source = try source()
        scratch.write(Array(RingText(keys: [RingText.entry(.sender(), "primary")]).text.utf8))
        #expect(try source.primaryKey.publicKey == TestKeys.sender().publicKey)
        #expect(codes.isEmpty)
    }

    @Test("The error stays until the file is read again, ten intervals later") func errorStays()
        throws
    {
        let clock = LockedValue(DispatchTime.now())
        func wait(_ seconds: Double) { clock.withLock { $0 = $0 + seconds } }
        let source = try KeyringSource(
            file, interval: 1, whenUnreadable: .fail, now: { clock.withLock { $0 } }
        ) {
            [errors] error in errors.withLock { $0.append(error.code) }
        }
        try FileManager.default.removeItem(atPath: scratch.file())
        #expect(try source.primaryKey.publicKey == key, "The interval isn't over.")
        wait(1.1)
        #expect(errorCode { try source.primaryKey } == .fileNotFound)
        scratch.write(whole)
        wait(9.8)
        for _ in 0..<10 { #expect(errorCode { try source.primaryKey } == .fileNotFound) }
        wait(0.3)
        #expect(try source.primaryKey.publicKey == key)
        #expect(codes == [.fileNotFound])
    }
}
