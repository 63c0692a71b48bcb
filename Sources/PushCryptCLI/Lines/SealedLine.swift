internal import PushCryptSender

/// A sealed payload with the headers of its request in one line, as `seal` writes it and `send`
/// reads it.
enum SealedLine {
    /// Returns the line of `seal --envelope`, without its line break.
    static func object(of push: SealedPush) -> JSONObjectText {
        var line = JSONObjectText()
        line.append("payload", json: push.payload)
        line.append("headers", JSONObjectText(push.headers))
        return line
    }

    /// Returns the line of `seal --envelope` for a carrier: its request's body and headers.
    static func object(of request: CarrierRequest) -> JSONObjectText {
        var line = JSONObjectText()
        line.append("payload", json: request.body)
        line.append("headers", JSONObjectText(request.headers))
        return line
    }

    /// Returns the line that `send --lines` would read for a device and the input of `send`.
    ///
    /// The input is a payload, or an object with "payload" and "headers" and no members of a
    /// payload.
    static func line(for input: [UInt8], to device: String) throws(PushCryptError) -> [UInt8] {
        // A payload with the greatest depth is one level deeper in an envelope.
        let document = try JSONDocument(
            scanning: input.span, maximumDepth: JSONDocument.maximumDepth + 1)
        var object = JSONObjectText()
        object.append("token", device)
        if let envelope = Envelope(document, input.span) {
            object.append("payload", json: Array(input[envelope.payload.range]))
            object.append("headers", json: Array(input[envelope.headers.range]))
        } else {
            object.append("payload", json: input)
        }
        var line: [UInt8] = []
        object.write(to: &line)
        return line
    }

    /// The two members of an object that isn't a payload.
    private struct Envelope {
        let payload: JSONDocument.Value
        let headers: JSONDocument.Value

        init?(_ document: JSONDocument, _ input: Span<UInt8>) {
            // A payload may have members with these names, beside one that each payload has.
            let isPayload = ["aps", "ENCRYPTED_DATA"].contains {
                document.member($0, in: input) != nil
            }
            guard !isPayload, let payload = document.member("payload", in: input),
                let headers = document.member("headers", in: input)
            else { return nil }
            self.payload = payload
            self.headers = headers
        }
    }
}

extension JSONObjectText {
    /// The headers of a request by their names.
    init(_ headers: APNsHeaders) {
        self.init(minimumCapacity: 256)
        for field in headers.fields { append(field.name, field.value) }
    }

    /// The headers of a carrier's request, sorted by name.
    init(_ headers: [String: String]) {
        self.init(minimumCapacity: 256)
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) { append(name, value) }
    }
}
