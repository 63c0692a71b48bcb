internal import PushCryptReceiver
internal import PushCryptSender

/// The work of `open --lines`.
struct LineOpening: LineWork {
    let hiddenMembers = ["to", "payload", "headers"] + LineSealing.options
    let opener: Opener
    let type: PushType

    func answer(_ line: LineMembers) throws(PushCryptError) -> LineAnswer {
        if let refusal = line.earlierRefusal { return LineAnswer(.refused, refusal) }
        let sealed = line.json(try line.required("payload"))
        let type = try line.pushType(or: type)
        let original = try opener.original(of: sealed, as: type)
        // The sender chooses the white space, and a line break would forge the answer to another
        // line.
        let payload = try JSONDocument(scanning: original.span).minified(original.span).bytes
        return LineAnswer(.accepted, line.kept(without: [], replacingPayload: payload))
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
