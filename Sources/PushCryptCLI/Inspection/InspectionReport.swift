internal import PushCryptSender

extension Inspection {
    var text: String {
        var rows: [(String, String)] = []
        var sections: [String] = []
        func close(_ title: String) {
            let width = rows.map(\.0.count).max() ?? 0
            let lines = rows.map { "  \($0.0.padded(to: width))  \($0.1)" }
            sections.append(([title] + lines).joined(separator: "\n"))
            rows = []
        }
        let visible = visibleValues
        rows = visible.rows.map { (SafeText.onOneLine($0.name), SafeText.onOneLine($0.value)) }
        if visible.omitted > 0 { rows.append(("…", "and \(visible.omitted) more values")) }
        close(rows.isEmpty ? "Apple can read nothing." : "Apple can read")
        for member in sealedValues {
            switch member.sealed {
            case .success(let sealed):
                rows = [
                    ("version", "\(Envelope.version)"), ("key id", "\(sealed.keyID)"),
                    ("envelope", "\(sealed.envelopeLength) bytes"),
                    ("message", "\(sealed.messageLength) bytes, padding included"),
                ]
                close(member.location)
            case .failure(let error):
                rows = [(error.code.rawValue, error.reason)]
                close("\(member.location) cannot be read")
            }
        }
        rows = [
            ("payload", "\(length) bytes"), ("limit", "\(limit) bytes"),
            (left < 0 ? "too many" : "left", "\(abs(left)) bytes"),
        ]
        close("Size")
        return sections.joined(separator: "\n\n")
    }

    func json() throws(PushCryptError) -> String {
        try JSONText.pretty([
            "visible": .object(visibleMembers()), "sealed": .array(sealedValues.map(Self.value)),
            "size": [
                "payload": .number(JSONNumber(length)), "limit": .number(JSONNumber(limit)),
                "left": .number(JSONNumber(left)),
            ],
        ])
    }

    private static func value(_ member: SealedMember) -> JSONValue {
        switch member.sealed {
        case .success(let sealed):
            [
                "location": .string(member.location),
                "version": .number(JSONNumber(Envelope.version)),
                "keyID": .string(sealed.keyID.description),
                "bytes": .number(JSONNumber(sealed.envelopeLength)),
                "messageBytes": .number(JSONNumber(sealed.messageLength)),
            ]
        case .failure(let error):
            ["location": .string(member.location), "reason": .string(error.code.rawValue)]
        }
    }

    private var left: Int { limit - length }
}
