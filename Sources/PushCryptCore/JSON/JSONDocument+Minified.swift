extension JSONDocument {
    /// Returns the same JSON without white space between tokens, and its document.
    ///
    /// Every token stays as it is written.
    package func minified(_ bytes: Span<UInt8>) -> (bytes: [UInt8], document: JSONDocument) {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count - whitespace)
        // The new offset of each byte, and of the end.
        var offsets: [Int] = []
        offsets.reserveCapacity(bytes.count + 1)
        func append(_ range: Range<Int>, keepingSpaces: Bool) {
            for index in range {
                offsets.append(result.count)
                if keepingSpaces || bytes[index] > 0x20 { result.append(bytes[index]) }
            }
        }
        for value in values {
            for text in [value.name, value.kind == .string ? value.range : nil] {
                guard let text else { continue }
                append(offsets.count..<text.lowerBound, keepingSpaces: false)
                append(text, keepingSpaces: true)
            }
        }
        append(offsets.count..<bytes.count, keepingSpaces: false)
        offsets.append(result.count)
        return (result, JSONDocument(values: values.map { $0.moved(to: offsets) }))
    }

    private init(values: [Value]) {
        self.values = values
        whitespace = 0
    }
}

extension JSONDocument.Value {
    /// Returns the value after its bytes have moved to other offsets.
    fileprivate func moved(to offsets: [Int]) -> Self {
        func moved(_ range: Range<Int>) -> Range<Int> {
            offsets[range.lowerBound]..<offsets[range.upperBound]
        }
        return Self(
            name: name.map(moved), nameHasEscapes: nameHasEscapes, kind: kind, range: moved(range),
            index: index,
            next: next)
    }
}
