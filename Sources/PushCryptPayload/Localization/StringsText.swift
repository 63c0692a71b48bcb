/// The characters of a `.strings` file, of whichever encoding.
enum StringsText {
    /// Decodes a file and refuses what is not text.
    static func scalars(of file: [UInt8]) throws(StringsProblem) -> [Unicode.Scalar] {
        for beginning in ["bplist00", "<?xml"] where file.starts(with: beginning.utf8) {
            throw StringsProblem(.propertyList, line: 1)
        }
        if file.starts(with: [0xFF, 0xFE]) { return try scalars(ofUTF16: file.dropFirst(2), highByte: 1) }
        if file.starts(with: [0xFE, 0xFF]) { return try scalars(ofUTF16: file.dropFirst(2), highByte: 0) }
        let text = file.starts(with: [0xEF, 0xBB, 0xBF]) ? file.dropFirst(3) : file[...]
        return try scalars(of: text, UTF8.self, otherwise: .malformedUTF8)
    }

    private static func scalars(
        ofUTF16 bytes: ArraySlice<UInt8>, highByte: Int
    ) throws(StringsProblem) -> [Unicode.Scalar] {
        let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).lazy.map { index in
            UInt16(bytes[index + highByte]) << 8 | UInt16(bytes[index + 1 - highByte])
        }
        let text = try scalars(of: units, UTF16.self, otherwise: .malformedUTF16)
        guard bytes.count.isMultiple(of: 2) else { throw StringsProblem(.malformedUTF16, at: text.count, in: text) }
        return text
    }

    private static func scalars<Encoding: Unicode.Encoding>(
        of units: some Sequence<Encoding.CodeUnit>, _: Encoding.Type, otherwise malformed: StringsProblem.Kind
    ) throws(StringsProblem) -> [Unicode.Scalar] {
        var text: [Unicode.Scalar] = []
        var parser = Encoding.ForwardParser()
        var rest = units.makeIterator()
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let encoded):
                let scalar = Encoding.decode(encoded)
                guard scalar != "\0" else { throw StringsProblem(.zero, at: text.count, in: text) }
                text.append(scalar)
            case .emptyInput:
                return text
            case .error:
                throw StringsProblem(malformed, at: text.count, in: text)
            }
        }
    }
}
