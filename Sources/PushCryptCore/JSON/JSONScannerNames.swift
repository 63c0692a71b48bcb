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

    func refuseDuplicates(_ bytes: Span<UInt8>, endingAt last: Int32) throws(JSONProblem) {
        var siblings: [JSONDocument.Member] = []
        var index = last
        while index >= 0 {
            siblings.append(document.members[Int(index)])
            index = document.members[Int(index)].previous
        }
        siblings.sort { ($0.hash, $0.keyStart) < ($1.hash, $1.keyStart) }
        var first: Int?
        for (position, member) in siblings.enumerated() {
            var earlier = position - 1
            while earlier >= 0, siblings[earlier].hash == member.hash {
                if Self.haveSameName(siblings[earlier], member, in: bytes) {
                    first = min(first ?? .max, member.key.lowerBound - 1)
                    break
                }
                earlier -= 1
            }
        }
        if let first { throw JSONProblem(offset: first, what: .duplicateKey) }
    }
}
