/// A network of payment cards, by what its numbers look like.
///
/// Together they have about a third of all numbers, which with the check digit leaves 3 of 100 order numbers of 16
/// digits that could be taken for a card.
struct CardNetwork: Sendable {
    /// The first six digits of its numbers.
    let prefixes: [ClosedRange<Int>]
    /// How many digits they have.
    let lengths: Set<Int>

    /// Whether the first six digits are of this network.
    func holds(_ prefix: Int) -> Bool {
        prefixes.contains { $0.contains(prefix) }
    }

    static let all = [visa, mastercard, amex, discover, jcb, unionPay, diners, maestro, mir, troy]

    private static let visa = CardNetwork(prefixes: [400_000...499_999], lengths: [13, 16, 19])
    private static let mastercard = CardNetwork(prefixes: [222_100...272_099, 510_000...559_999], lengths: [16])
    private static let amex = CardNetwork(prefixes: [340_000...349_999, 370_000...379_999], lengths: [15])
    private static let discover = CardNetwork(
        prefixes: [601_100...601_199, 644_000...659_999], lengths: Set(16...19))
    private static let jcb = CardNetwork(prefixes: [352_800...358_999], lengths: Set(16...19))
    private static let unionPay = CardNetwork(prefixes: [620_000...629_999, 810_000...817_199], lengths: Set(16...19))
    private static let diners = CardNetwork(
        prefixes: [300_000...305_999, 309_500...309_599, 360_000...369_999, 380_000...399_999], lengths: Set(14...19))
    private static let maestro = CardNetwork(
        prefixes: [60_400...60_499, 500_000...509_999, 560_000...589_999, 630_000...639_999, 670_000...679_999],
        lengths: Set(12...19))
    private static let mir = CardNetwork(prefixes: [220_000...220_499], lengths: Set(16...19))
    private static let troy = CardNetwork(prefixes: [979_200...979_299], lengths: [16])
}
