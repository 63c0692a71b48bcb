/// Returns a sealed payload with one changed character of its last sealed text.
func torn(_ payload: [UInt8]) -> [UInt8] {
    var payload = payload
    guard let end = payload.lastIndex(of: UInt8(ascii: "\"")) else { return payload }
    let place = end - 100
    payload[place] = payload[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
    return payload
}
