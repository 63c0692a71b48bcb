package import PushCryptCore

extension JSONDocument {
    /// Returns the same JSON without white space between tokens; every token stays as it is written.
    package func minified(_ bytes: Span<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count - whitespace)
        var position = 0
        for value in values {
            for text in [value.name, value.kind == .string ? value.range : nil] {
                guard let text else { continue }
                Self.appendTokens(bytes, position..<text.lowerBound, to: &result)
                for index in text { result.append(bytes[index]) }
                position = text.upperBound
            }
        }
        Self.appendTokens(bytes, position..<bytes.count, to: &result)
        return result
    }

    private static func appendTokens(_ bytes: Span<UInt8>, _ range: Range<Int>, to result: inout [UInt8]) {
        for index in range where bytes[index] > 0x20 { result.append(bytes[index]) }
    }
}
