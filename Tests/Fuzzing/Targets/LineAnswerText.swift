@testable import PushCryptCLI
@testable import PushCryptCore
@testable import PushCryptPayload
@testable import PushCryptSender

/// The text of an answer, and the invariants of it.
struct LineAnswerText {
    private let bytes: [UInt8]
    private let document: JSONDocument

    /// Checks that the text is one line and one strict JSON object.
    init(_ text: [UInt8]) {
        require(!text.contains { $0 == 0x0A || $0 == 0x0D }, "an answer has no CR and no LF inside")
        let depth = JSONDocument.maximumDepth + 1
        guard let document = try? JSONDocument(scanning: text.span, "answer", maximumDepth: depth)
        else {
            fatalError("Broken invariant: an answer is one strict JSON object")
        }
        let minified = document.minified(text.span).bytes
        guard let again = try? JSONDocument(scanning: minified.span, "answer", maximumDepth: depth)
        else {
            fatalError("Broken invariant: text without white space is accepted")
        }
        bytes = minified
        self.document = again
    }

    /// A Boolean value that indicates whether all of the payload is sealed.
    var isSealed: Bool {
        let type = document.member("apns-push-type", of: member("headers"), in: bytes.span)
        return document.string(type, in: bytes.span) != "liveactivity"
    }

    private func member(_ name: String) -> JSONDocument.Value? {
        document.member(name, in: bytes.span)
    }

    /// Checks an answer to a line that was refused; one of an earlier filter has any number.
    func checkRefusal(number: Int?, hiding hidden: [String]) {
        guard let error = member("error") else {
            return require(false, "a refused answer has an error")
        }
        for name in hidden { require(member(name) == nil, "a refused answer has no \(name)") }
        if let number {
            require(
                document.integer(member("line"), in: bytes.span) == UInt64(number),
                "an answer has its number")
            for name in ["code", "reason"] {
                let text = document.string(
                    document.member(name, of: error, in: bytes.span), in: bytes.span)
                require(text?.isEmpty == false, "an error has a \(name)")
            }
            require(!contains(marker, Array(bytes[error.range])), "an error has no content")
        }
        checkPrivateKeys()
    }

    /// Checks that no object is a private JWK.
    private func checkPrivateKeys() {
        for object in document.values where object.kind == .object && object.index > 0 {
            let isKey = ["kty", "crv"].contains {
                document.member($0, of: object, in: bytes.span) != nil
            }
            require(
                !isKey || document.member("d", of: object, in: bytes.span) == nil,
                "an answer has no private key")
        }
    }

    /// Checks that an answer has the other members of its line.
    func checkKeptMembers(of line: Line, but hidden: [String]) {
        guard case .bytes(let text) = line,
            let original = try? JSONDocument(
                scanning: text.span, "line", maximumDepth: JSONDocument.maximumDepth + 1)
        else { return require(false, "an answered line is a JSON object") }
        let minified = original.minified(text.span).bytes
        guard
            let line = try? JSONDocument(
                scanning: minified.span, maximumDepth: JSONDocument.maximumDepth + 1)
        else {
            return require(false, "text without white space is accepted")
        }
        for member in line.children(of: line.root) {
            let name = line.name(of: member, in: minified.span)
            guard !hidden.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else { continue }
            let kept = self.member(name)
            require(
                kept.map { Array(bytes[$0.range]) } == Array(minified[member.range]),
                "a member keeps its bytes")
        }
    }

    /// Checks the payload of an answer of `seal`.
    func checkSealedPayload(of isSealed: Bool) {
        guard isSealed else { return }
        guard let payload = member("payload") else {
            return require(false, "a sealed answer has a payload")
        }
        require(payload.range.count <= 5120, "a sealed payload isn't longer than APNs accepts")
        require(!contains(marker, Array(bytes[payload.range])), "a sealed payload has no content")
    }
}
