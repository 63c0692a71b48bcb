/// International bank account numbers (ISO 13616): of a country's length, with the right check digits.
enum IBAN {
    static func ranges(in text: ScannedText, except claimed: ClaimedCharacters) -> [Range<Int>] {
        text.scalars.indices.compactMap { range(in: text, from: $0) }.filter { !claimed.overlap($0) }
    }

    /// The account number that begins at a place.
    private static func range(in text: ScannedText, from start: Int) -> Range<Int>? {
        guard text.kind(start) == .letter, text.kind(start + 1) == .letter, text.isDigit(start + 2),
            text.isDigit(start + 3), !text.isInWord(start - 1), let length = length(text, start)
        else { return nil }
        var values: [Int] = []
        var position = start
        while values.count < length {
            // It may be written in groups of four.
            if !values.isEmpty, values.count.isMultiple(of: 4),
                text.scalar(position) == " " || text.scalar(position) == "-"
            {
                position += 1
            }
            guard let value = value(text.scalar(position)) else { return nil }
            values.append(value)
            position += 1
        }
        guard !text.isInWord(position), isRight(values) else { return nil }
        return start..<position
    }

    /// The length that the country has, which the first two letters name.
    private static func length(_ text: ScannedText, _ start: Int) -> Int? {
        guard let first = value(text.scalar(start)), let second = value(text.scalar(start + 1)) else { return nil }
        return lengths[first * 36 + second]
    }

    /// What a character stands for: 0 to 9, and 10 to 35 for the letters in either case.
    private static func value(_ scalar: Unicode.Scalar?) -> Int? {
        guard let scalar, scalar.isASCII else { return nil }
        return Int(String(scalar), radix: 36)
    }

    /// Whether the remainder modulo 97 is 1, with country and check digits at the end (ISO/IEC 7064, MOD 97-10).
    private static func isRight(_ values: [Int]) -> Bool {
        let remainder = (values[4...] + values[..<4]).reduce(0) { rest, value in
            (rest * (value < 10 ? 10 : 100) + value) % 97
        }
        return remainder == 1
    }

    /// The length in each country of the registry, by the two letters as digits of base 36.
    private static let lengths: [Int: Int] = {
        var lengths: [Int: Int] = [:]
        for (length, countries) in registry {
            for country in countries.split(separator: " ") {
                if let code = Int(country, radix: 36) { lengths[code] = length }
            }
        }
        return lengths
    }()

    /// The countries of the IBAN registry (https://www.swift.com/resource/iban-registry-pdf, release 100), by length.
    private static let registry: [(Int, String)] = [
        (15, "NO"), (16, "BE"), (18, "DK FI FK FO GL NL SD"), (19, "MK SI"), (20, "AT BA EE KZ LT LU MN XK"),
        (21, "CH HR LI LV"), (22, "BG BH CR DE GB GE IE ME RS VA"), (23, "AE GI IL IQ OM SO TL"),
        (24, "AD CZ ES MD PK RO SA SE SK TN VG"), (25, "LY PT ST"), (26, "IS TR"), (27, "BI DJ FR GR IT MC MR SM"),
        (28, "AL AZ BY CY DO GT HN HU LB NI PL SV"), (29, "BR EG PS QA UA"), (30, "JO KW MU YE"), (31, "MT SC"),
        (32, "LC"), (33, "RU"),
    ]
}
