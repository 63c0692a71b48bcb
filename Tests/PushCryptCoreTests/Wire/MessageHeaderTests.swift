import Foundation
import TestSupport
import Testing

@testable import PushCryptCore

/// The header of a message, against the table in Docs/Format.md.
@Suite struct MessageHeaderTests {
    /// A header with other bytes in each field.
    private static func header() throws -> MessageHeader {
        MessageHeader(
            .ed25519, .withdrawal, payloadLength: 0x0203, lifetime: 0x0010_0607,
            issuedAt: 0x0809_0A0B_0C0D_0E0F,
            id: try MessageID([UInt8](0x10..<0x20)))
    }

    /// The bytes of each field that the table names, in the order of its rows.
    private static let fields: [[UInt8]] = [
        [1], [8], [2, 3], [0, 0x10, 6, 7], [8, 9, 10, 11, 12, 13, 14, 15], [UInt8](0x10..<0x20),
    ]

    /// A row of the table: the offset and the number of bytes of a field.
    private struct Row {
        let offset: Int
        let count: Int
        let field: Substring
    }

    /// The rows of section 5 with a number as offset, up to the payload.
    private static func rows() throws -> [Row] {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Docs/Format.md")
        let text = try String(contentsOf: page.standardizedFileURL, encoding: .utf8)
        let section = try #require(text.range(of: "## 5. Message"))
        return text[section.upperBound...].split(separator: "\n").prefix {
            !$0.hasPrefix("p isn't stored")
        }
        .compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 3, let offset = Int(cells[0]), let count = Int(cells[1]) else {
                return nil
            }
            return Row(offset: offset, count: count, field: Substring(cells[2]))
        }
    }

    @Test("Each field is at its offset in the table") func eachFieldIsAtItsOffset() throws {
        var bytes = [UInt8](repeating: 0xFF, count: 40)
        try Self.header().write(to: &bytes, at: 4)
        let rows = try Self.rows()
        try #require(rows.count == Self.fields.count)
        for (row, field) in zip(rows, Self.fields) {
            #expect(
                Array(bytes[(4 + row.offset)..<(4 + row.offset + row.count)]) == field,
                "\(row.field)")
        }
        #expect(rows.map(\.count).reduce(0, +) == MessageHeader.length)
        #expect(bytes[..<4].allSatisfy { $0 == 0xFF } && bytes[36...].allSatisfy { $0 == 0xFF })
    }

    @Test("A header that is written is read") func isReadAsWritten() throws {
        var bytes = [UInt8](repeating: 0, count: 33)
        try Self.header().write(to: &bytes, at: 1)
        #expect(try MessageHeader(reading: bytes.span, at: 1) == Self.header())
    }

    @Test("A short header is rejected", arguments: [0, 1, 31]) func rejectsAShortHeader(count: Int)
        throws
    {
        var bytes = [UInt8](repeating: 0, count: 32)
        try Self.header().write(to: &bytes)
        let short = Array(bytes[..<count])
        #expect(errorCode { try MessageHeader(reading: short.span) } == .malformedMessage)
    }

    @Test(
        "Unknown values are rejected, the first field first",
        arguments: [
            (0, UInt8(2), PushCryptError.Code.unsupportedAuthentication), (1, 0, .unsupportedKind),
            (1, 10, .unsupportedKind), (4, 1, .malformedMessage),
        ])
    func rejectsUnknownValues(offset: Int, byte: UInt8, code: PushCryptError.Code) throws {
        var bytes = [UInt8](repeating: 0, count: 32)
        try Self.header().write(to: &bytes)
        bytes[offset] = byte
        #expect(errorCode { try MessageHeader(reading: bytes.span) } == code)
        // A later field doesn't hide the error of an earlier one.
        for later in (offset + 1)..<8 where offset < 4 { bytes[later] = 0xFF }
        #expect(errorCode { try MessageHeader(reading: bytes.span) } == code)
    }

    @Test(
        "A lifetime of 1 second to 30 days is read",
        arguments: [(UInt32(0), false), (1, true), (2_592_000, true), (2_592_001, false)])
    func readsLifetimes(lifetime: UInt32, isValid: Bool) throws {
        var header = try Self.header()
        header.lifetime = lifetime
        var bytes = [UInt8](repeating: 0, count: 32)
        header.write(to: &bytes)
        #expect((errorCode { try MessageHeader(reading: bytes.span) } == nil) == isValid)
    }
}
