import PushCryptSender

/// The measured lengths of payloads in bytes.
let payloadLengths = [64, 256, 1024, 2800]

/// A chat message of an exact length, with text that isn't all ASCII.
func payload(length: Int) -> [UInt8] {
    let start =
        length < 128
        ? #"{"aps":{"alert":{"body":""#
        : #"{"aps":{"alert":{"title":"Löwen Apotheke","body":""#
    let end =
        length < 128
        ? #""}},"id":8842}"#
        : #""},"badge":3,"thread-id":"account-4421"},"link":"bank://payments/8842","amount":1249.10}"#
    let text = Array(
        "You paid 1,249.00 € in Berlin. Not you? Tap to block the card at once, and call us on Monday. "
            .utf8)
    var bytes = Array(start.utf8)
    let room = length - end.utf8.count
    while bytes.count + text.count <= room { bytes += text }
    bytes += [UInt8](repeating: UInt8(ascii: "x"), count: room - bytes.count)
    return bytes + Array(end.utf8)
}
