internal import PushCryptCore

/// The members of a JSON object that is written member by member.
package struct JSONObjectText: Sendable {
    /// The members with commas between them.
    package private(set) var members: [UInt8] = []

    package init(minimumCapacity: Int = 0) { members.reserveCapacity(minimumCapacity) }

    /// Appends a member with its name, byte for byte but for white space between tokens: it becomes
    /// one space.
    ///
    /// A line break between tokens would end a line for its readers.
    package mutating func append(member: ArraySlice<UInt8>) {
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
    package mutating func append(_ other: JSONObjectText) {
        guard !other.members.isEmpty else { return }
        if !members.isEmpty { members.append(UInt8(ascii: ",")) }
        members += other.members
    }

    /// Appends a member with a value in JSON.
    package mutating func append(_ name: String, json: [UInt8]) {
        append(name: name)
        members += json
    }

    /// Appends a member with the value `true`.
    package mutating func append(true name: String) {
        append(name, json: Array("true".utf8))
    }

    package mutating func append(_ name: String, _ text: String) {
        append(name: name)
        JSONText.append(text, to: &members)
    }

    package mutating func append(_ name: String, _ number: some BinaryInteger) {
        append(name: name)
        members += "\(number)".utf8
    }

    package mutating func append(_ name: String, _ object: JSONObjectText) {
        append(name: name)
        object.write(to: &members)
    }

    /// Returns an array of texts in JSON.
    package static func array(of texts: [String]) -> [UInt8] {
        var array = [UInt8(ascii: "[")]
        for text in texts {
            if array.count > 1 { array.append(UInt8(ascii: ",")) }
            JSONText.append(text, to: &array)
        }
        return array + [UInt8(ascii: "]")]
    }

    /// Writes the members in braces.
    package func write(to output: inout [UInt8]) {
        output.append(UInt8(ascii: "{"))
        output += members
        output.append(UInt8(ascii: "}"))
    }

    /// The whole object.
    package var object: [UInt8] {
        var object: [UInt8] = []
        object.reserveCapacity(members.count + 2)
        write(to: &object)
        return object
    }

    private mutating func append(name: String) {
        if !members.isEmpty { members.append(UInt8(ascii: ",")) }
        members.append(UInt8(ascii: "\""))
        members += name.utf8
        members += "\":".utf8
    }
}
