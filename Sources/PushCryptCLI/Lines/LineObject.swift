internal import PushCryptSender

/// The members of a JSON object that is an answer, or a part of one.
struct LineObject: Sendable {
    /// The members with commas between them.
    private(set) var members: [UInt8] = []

    init(minimumCapacity: Int = 0) { members.reserveCapacity(minimumCapacity) }

    /// Appends a member with its name, byte for byte but for white space between tokens: it becomes one space.
    ///
    /// A line break between tokens would end the answer for its readers.
    mutating func append(member: ArraySlice<UInt8>) {
        if !members.isEmpty { members.append(UInt8(ascii: ",")) }
        var isInString = false
        var isEscaped = false
        var isAfterSpace = false
        for byte in member {
            let isSpace = !isInString && byte <= UInt8(ascii: " ")
            if !isSpace {
                members.append(byte)
            } else if !isAfterSpace {
                members.append(UInt8(ascii: " "))
            }
            isAfterSpace = isSpace
            if byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
            isEscaped = isInString && !isEscaped && byte == UInt8(ascii: "\\")
        }
    }

    /// Appends the members of another object.
    mutating func append(_ other: LineObject) {
        guard !other.members.isEmpty else { return }
        if !members.isEmpty { members.append(UInt8(ascii: ",")) }
        members += other.members
    }

    /// Appends a member with a value in JSON.
    mutating func append(_ name: String, json: [UInt8]) {
        append(name: name)
        members += json
    }

    mutating func append(_ name: String, _ text: String) {
        append(name: name)
        JSONText.append(text, to: &members)
    }

    mutating func append(_ name: String, _ number: some BinaryInteger) {
        append(name: name)
        members += "\(number)".utf8
    }

    mutating func append(_ name: String, _ object: LineObject) {
        append(name: name)
        object.write(to: &members)
    }

    /// Writes the members in braces.
    func write(to output: inout [UInt8]) {
        output.append(UInt8(ascii: "{"))
        output += members
        output.append(UInt8(ascii: "}"))
    }

    private mutating func append(name: String) {
        if !members.isEmpty { members.append(UInt8(ascii: ",")) }
        members.append(UInt8(ascii: "\""))
        members += name.utf8
        members += "\":".utf8
    }
}
