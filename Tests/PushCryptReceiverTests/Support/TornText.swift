/// A sealed payload with one character of its sealed text changed.
func torn(_ payload: [UInt8]) -> [UInt8] {
    var payload = payload
    guard let end = payload.lastIndex(of: UInt8(ascii: "\"")) else { return payload }
    // In the last sealed text of the payload, well inside of the box.
    let place = end - 100
    payload[place] = payload[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
    return payload
}
