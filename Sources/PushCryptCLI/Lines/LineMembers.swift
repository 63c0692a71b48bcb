internal import PushCryptSender

/// The members of a line.
extension JSONDocument {
    /// Appends the members with a comma behind each.
    func appendMembers(
        of line: [UInt8], without names: [String] = [], payload: [UInt8]? = nil, to output: inout [UInt8]
    ) {
        for member in children(of: root) where !names.contains(where: { isNamed($0, member, in: line.span) }) {
            if let payload, isNamed("payload", member, in: line.span) {
                output += Array(#""payload":"#.utf8) + payload
            } else {
                output += line[((member.name?.lowerBound ?? 1) - 1)..<member.range.upperBound]
            }
            output.append(UInt8(ascii: ","))
        }
    }

    /// Returns a required member.
    func required(_ name: String, in line: [UInt8]) throws(PushCryptError) -> Value {
        if let member = member(name, in: line.span) { return member }
        throw PushCryptError(.missingValue, "The member \"\(name)\" is missing. Add it.")
    }

    /// Returns an optional member, which must be a string.
    func text(_ name: String, in line: [UInt8]) throws(PushCryptError) -> String? {
        guard let member = member(name, in: line.span) else { return nil }
        if let text = string(member, in: line.span) { return text }
        throw PushCryptError(.typeMismatch, "The member \"\(name)\" isn't a string. Use a string.")
    }

    /// Returns the push type, by default that of the options.
    func pushType(in line: [UInt8], or type: PushType) throws(PushCryptError) -> PushType {
        let name = try text("type", in: line) ?? type.rawValue
        if let type = PushType(rawValue: name) { return type }
        throw PushCryptError(.notSealable, "The push type isn't known. Use a type of 'pushcrypt help seal'.")
    }
}
