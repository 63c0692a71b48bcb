import PushCryptTesting
import Testing

/// Tests of the budget of two sealed values.
@Suite struct LiveActivityBudgetTests {
    private func json(_ type: String, attributes: Int, state: Int) -> [UInt8] {
        let texts = [attributes, state].map { String(repeating: "x", count: $0) }
        let text = """
            {"aps":{"timestamp":1,"event":"start","attributes-type":"\(type)","attributes":{"a":"\(texts[0])"},\
            "content-state":{"s":"\(texts[1])"}}}
            """
        return Array(text.utf8)
    }

    @Test(
        "Either sealed value can grow by the remaining bytes",
        arguments: ["T", "Te", "Tes", "Test"])
    func eitherSealedValueCanGrowByTheRemainingBytes(type: String) throws {
        let sealer = Sealer(.anonymous, padding: .none)
        let headers = APNsHeaders(.liveActivity)
        for attributes in 0..<3 {
            for state in 0..<3 {
                let short = json(type, attributes: attributes, state: state)
                let remaining = try sealer.budget(json: short, type: .liveActivity).remaining
                let fits = [remaining, remaining + 1].map { growth in
                    [
                        json(type, attributes: attributes + growth, state: state),
                        json(type, attributes: attributes, state: state + growth),
                    ].map { (try? sealer.prepare(json: $0, headers: headers)) != nil }
                }
                #expect(fits[0] == [true, true], "\(attributes) \(state)")
                #expect(fits[1].contains(false), "\(attributes) \(state)")
            }
        }
    }
}
