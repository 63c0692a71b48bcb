internal import PushCryptSender

/// A line that is one JSON object, and its members.
struct LineMembers: Sendable {
    /// The number of the line.
    let number: Int
    let bytes: [UInt8]
    private let document: JSONDocument
    /// The usual length of the members that an answer adds.
    private static let lengthOfAddedMembers = 512

    init(scanning line: Line, number: Int) throws(PushCryptError) {
        guard case .bytes(let bytes) = line else {
            throw PushCryptError(
                .lineTooLong, "The line is longer than \(Line.maximumLength) bytes. Shorten it.")
        }
        self.number = number
        self.bytes = bytes
        // A payload with the greatest depth is one level deeper in the line.
        document = try JSONDocument(
            scanning: bytes.span, "line", maximumDepth: JSONDocument.maximumDepth + 1)
    }

    /// Returns an optional member.
    subscript(name: String) -> JSONDocument.Value? { document.member(name, in: bytes.span) }

    /// Returns a Boolean value that indicates whether the line has one of some members.
    func hasAny(of names: [String]) -> Bool { names.contains { self[$0] != nil } }

    /// Returns a required member.
    func required(_ name: String) throws(PushCryptError) -> JSONDocument.Value {
        if let member = self[name] { return member }
        throw PushCryptError(.missingValue, "The member \"\(name)\" is missing. Add it.")
    }

    /// Returns an optional member, which must be a string.
    func text(_ name: String) throws(PushCryptError) -> String? {
        guard let member = self[name] else { return nil }
        if let text = string(member) { return text }
        throw PushCryptError(.typeMismatch, "The member \"\(name)\" isn't a string. Use a string.")
    }

    /// Returns a required member, which must be a string.
    func requiredText(_ name: String) throws(PushCryptError) -> String {
        _ = try required(name)
        return try text(name) ?? ""
    }

    /// Returns the push type; by default, the one of the options.
    func pushType(or type: PushType) throws(PushCryptError) -> PushType {
        let name = try text("type") ?? type.rawValue
        if let type = PushType(rawValue: name) { return type }
        throw PushCryptError(
            .notSealable, "The push type isn't known. Use a type of 'pushcrypt help seal'.")
    }

    /// Returns the bytes of a value as they are written.
    func json(_ value: JSONDocument.Value) -> ArraySlice<UInt8> { bytes[value.range] }

    /// Returns the contents of a string; `nil` for any other value.
    func string(_ value: JSONDocument.Value) -> String? { document.string(value, in: bytes.span) }

    /// Returns an integer that is written as digits only; `nil` for any other value.
    func integer(_ value: JSONDocument.Value) -> UInt64? { document.integer(value, in: bytes.span) }

    /// Returns a Boolean value that indicates whether a member of an object is `true`.
    func isTrue(_ name: String, of object: JSONDocument.Value) -> Bool {
        document.isTrue(document.member(name, of: object, in: bytes.span), in: bytes.span)
    }

    /// Returns the name of a member.
    func name(of member: JSONDocument.Value) -> String { document.name(of: member, in: bytes.span) }

    /// Returns the members of an object or the elements of an array.
    func children(of value: JSONDocument.Value) -> JSONDocument.Children {
        document.children(of: value)
    }

    /// The line as an earlier filter has rejected it, for the next one to repeat; `nil` for any
    /// other line.
    var earlierRefusal: JSONObjectText? {
        guard self["error"] != nil, self["payload"] == nil,
            !KeyMaterial.isPrivateKey(document, bytes.span)
        else {
            return nil
        }
        return keptWithoutPrivateKeys(without: [])
    }

    /// Returns the members that the answer to an invalid line repeats: none if the line is a
    /// private key by mistake, and no member with a private key in it.
    func keptWithoutPrivateKeys(without names: [String]) -> JSONObjectText {
        if KeyMaterial.isPrivateKey(document, bytes.span) { return JSONObjectText() }
        let privateMembers = document.children(of: document.root).filter { member in
            KeyMaterial.hasPrivateKey(value: json(member))
        }
        return kept(without: names + privateMembers.map(name))
    }

    /// Returns the members that an answer repeats, with another payload if one is given.
    func kept(without names: [String], replacingPayload payload: [UInt8]? = nil) -> JSONObjectText {
        let length = bytes.count + (payload?.count ?? 0) + Self.lengthOfAddedMembers
        var object = JSONObjectText(minimumCapacity: length)
        for member in document.children(of: document.root) {
            if names.contains(where: { document.isNamed($0, member, in: bytes.span) }) { continue }
            if let payload, document.isNamed("payload", member, in: bytes.span) {
                object.append("payload", json: payload)
            } else {
                let start = (member.name?.lowerBound ?? 1) - 1
                object.append(member: bytes[start..<member.range.upperBound])
            }
        }
        return object
    }
}
