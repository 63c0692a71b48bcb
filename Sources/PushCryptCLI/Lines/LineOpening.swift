internal import PushCryptReceiver
internal import PushCryptSender

/// The work of `open --lines`.
struct LineOpening: LineWork {
    let opener: Opener
    let type: PushType

    func answer(_ line: [UInt8]?, _ number: Int) -> LineAnswer {
        LineAnswer(to: line, number, hiding: ["to", "payload", "headers"] + LineSealing.options) {
            (line, document, answer) throws(PushCryptError) in
            guard !answer.repeats(line, document) else { return }
            let json = line[try document.required("payload", in: line).range]
            let payload = try opener.original(of: json, as: document.pushType(in: line, or: type))
            answer.bytes.append(UInt8(ascii: "{"))
            document.appendMembers(of: line, payload: payload, to: &answer.bytes)
            answer.bytes[answer.bytes.count - 1] = UInt8(ascii: "}")
        }
    }
}

extension Opener {
    /// Opens a payload of a push type.
    func original(of json: some UTF8Text, as type: PushType) throws(PushCryptError) -> [UInt8] {
        try type.checkSealable()
        return type == .liveActivity
            ? try open(liveActivity: json) : try open(json: json, as: type.acceptedKinds).payload
    }
}
