internal import PushCryptSender
internal import PushCryptSystem

/// The numbers of recipients that accept each key of a server's keyring, in memory for the keys
/// alone.
struct RecipientCounts {
    /// The keys of the keyring: those that sign, in the order in which a sealer prefers them, and
    /// then the others.
    let keys: [VerificationKey]
    private let kidsOfKeyring: Set<String>
    /// The number of keys that sign.
    let signing: Int
    private(set) var total = 0
    /// The number of recipients that don't tell which keys they accept.
    private(set) var bare = 0
    /// The number of recipients that accept no key that signs.
    private(set) var unreachable = 0
    /// The numbers of recipients that accept keys outside of the keyring, such as revoked ones, by
    /// their thumbprints.
    private(set) var others: [String: Int] = [:]
    /// The number of different keys that are counted outside of the keyring, because a file may
    /// have any.
    private static let maximumOthers = 64
    /// The number of recipients that accept a key, by its index.
    private var counts: [Int]
    /// The indices of keys that sign for a recipient.
    private var needed: Set<Int> = []

    init(signing: [VerificationKey], others: [VerificationKey]) {
        keys = signing + others
        kidsOfKeyring = Set(keys.map(\.kid))
        self.signing = signing.count
        counts = Array(repeating: 0, count: keys.count)
    }

    /// Counts the recipients in a file.
    ///
    /// - Throws: ``PushCryptError`` if a line isn't a recipient, or if there is none: keys that no
    ///   recipient of a wrong file needs would be destroyed.
    mutating func add(_ path: String) throws(PushCryptError) {
        let reader = try naming("--recipients") { () throws(PushCryptError) in
            LineReader(try Input.open(path, flags: 0))
        }
        func next() throws(PushCryptError) -> [Line] {
            try naming("--recipients") { () throws(PushCryptError) in try reader.next(atMost: 256) }
        }
        var number = 0
        while case let lines = try next(), !lines.isEmpty {
            for line in lines {
                number += 1
                if case .bytes(let bytes) = line, JSONText.trimmed(bytes.span).isEmpty { continue }
                try naming("--recipients \(path), line \(number)") { () throws(PushCryptError) in
                    add(try Self.recipient(line, number).signers)
                }
            }
        }
        guard total > 0 else {
            throw PushCryptError(
                .missingValue,
                "--recipients \(path) has no recipients. Give the lines of all registered devices.")
        }
    }

    mutating func add(_ accepted: AcceptedSigners?) {
        total += 1
        guard let accepted else {
            bare += 1
            return
        }
        let known = keys.indices.filter { accepted.contains(keys[$0]) }
        for index in known { counts[index] += 1 }
        countOthers(accepted.kids)
        if let first = known.first, first < signing {
            needed.insert(first)
        } else {
            unreachable += 1
        }
    }

    private mutating func countOthers(_ kids: [String]) {
        for kid in kids where !kidsOfKeyring.contains(kid) {
            guard others[kid] != nil || others.count < Self.maximumOthers else { continue }
            others[kid, default: 0] += 1
        }
    }

    /// One recipient for each group that needs another key, for the library's choice of unneeded
    /// keys.
    var representatives: [AcceptedSigners?] {
        needed.map { AcceptedSigners([keys[$0]]) }
    }

    func count(of key: VerificationKey) -> Int { keys.firstIndex(of: key).map { counts[$0] } ?? 0 }

    /// Returns the recipient of a line: a registration, a row with one as `registration`, or a line
    /// with `to`.
    private static func recipient(_ line: Line, _ number: Int) throws(PushCryptError)
        -> any SealTarget
    {
        let members = try LineMembers(scanning: line, number: number)
        let value = members["registration"] ?? members["to"]
        let text = value.map { value in
            members.string(value).map { Array($0.utf8) } ?? Array(members.json(value))
        }
        let bytes = text ?? members.bytes
        return try KeyArgument.recipient(parsing: bytes.span)
    }
}
