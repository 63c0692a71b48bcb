// Names: no object has one twice.
extension JSONScanner {
    /// FNV-1a.
    ///
    /// It only makes comparisons rare; two names with one hash are still compared.
    static func hash(_ name: Span<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for index in 0..<name.count {
            hash = (hash ^ UInt64(name[index])) &* 0x100_0000_01B3
        }
        return hash
    }

    static func haveSameName(
        _ one: JSONDocument.Member, _ other: JSONDocument.Member, in bytes: Span<UInt8>
    ) -> Bool {
        JSONText.decoded(bytes, one.key) == JSONText.decoded(bytes, other.key)
    }

    /// Compares the names of an object that has many, in the order of the names.
    ///
    /// Not by their hashes: whoever writes the JSON can make as many names with one hash as there is room for.
    func refuseDuplicates(_ bytes: Span<UInt8>, endingAt last: Int32) throws(JSONProblem) {
        var names: [(name: [UInt8], start: Int)] = []
        var index = last
        while index >= 0 {
            let member = document.members[Int(index)]
            names.append((JSONText.decoded(bytes, member.key), member.key.lowerBound - 1))
            index = member.previous
        }
        names.sort { one, other in
            one.name == other.name ? one.start < other.start : one.name.lexicographicallyPrecedes(other.name)
        }
        var first: Int?
        for (one, other) in zip(names, names.dropFirst()) where one.name == other.name {
            first = min(first ?? .max, other.start)
        }
        if let first { throw JSONProblem(offset: first, what: .duplicateKey) }
    }
}
