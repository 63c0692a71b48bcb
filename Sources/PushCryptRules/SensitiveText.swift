/// Sensitive text in the readable part of a push.
package enum SensitiveText: String, Sendable, CaseIterable {
    /// The number of a payment card: 13 to 19 digits with a valid check digit.
    case cardNumber = "card-number"
    /// An international bank account number with valid check digits.
    case iban = "iban"
    /// An e-mail address.
    case emailAddress = "email-address"
    /// A one-time code: 4 to 8 digits near a word such as "code" or "PIN".
    case oneTimeCode = "one-time-code"
    /// A telephone number in international form.
    case phoneNumber = "phone-number"
    /// More text than a placeholder needs.
    case longText = "long-text"

    /// Returns the kinds of sensitive text in a string, each once, in the order of the cases.
    package static func kinds(in string: String) -> [SensitiveText] {
        var text = FoldedText(string)
        var found: Set<SensitiveText> = []
        if text.isLong { found.insert(.longText) }
        if text.scalars.indices.contains(where: text.isEmailAddress) { found.insert(.emailAddress) }
        // Digits count once, so each detector erases its own.
        for (kind, detect) in [
            (SensitiveText.iban, FoldedText.ibans), (.cardNumber, FoldedText.cardNumbers),
            (.phoneNumber, FoldedText.phoneNumbers), (.oneTimeCode, FoldedText.oneTimeCodes),
        ] {
            for range in detect(text)() {
                found.insert(kind)
                text.erase(range)
            }
        }
        return allCases.filter(found.contains)
    }
}

extension FoldedText {
    /// All numbers that stand alone, each as groups of digits with one space or hyphen between them.
    private var numbers: [[Range<Int>]] {
        var numbers: [[Range<Int>]] = []
        for start in scalars.indices where isDigit(start) && !isDigit(start - 1) {
            let end = scalars.indices[start...].first { !isDigit($0) } ?? scalars.endIndex
            if numbers.last?.last?.upperBound == start - 1, scalars[start - 1] == " " || scalars[start - 1] == "-" {
                numbers[numbers.count - 1].append(start..<end)
            } else {
                numbers.append([start..<end])
            }
        }
        return numbers.filter {
            let (start, end) = ($0[0].lowerBound, $0[$0.count - 1].upperBound)
            return !continues(at: start - 1, start - 2) && !continues(at: end, end + 1)
        }
    }

    /// Returns whether a number continues at the two characters beside it, with a letter or as in 1.5 and 12:30.
    private func continues(at near: Int, _ far: Int) -> Bool {
        isWord(near) || isDigit(far) && ".,:".unicodeScalars.contains(scalars[near])
    }

    // MARK: Long text and e-mail addresses

    /// At least 12 words, or 80 characters in 7 words; 5 letters of a script without spaces count as 2 words.
    var isLong: Bool {
        var words = 0
        var isInWord = false
        for index in kinds.indices where kinds[index] == .letter || scalars[index].properties.isWhitespace {
            // Only white space ends a word, so a link or a token is one.
            if kinds[index] == .letter, !isInWord { words += 1 }
            isInWord = kinds[index] == .letter
        }
        return words * 5 + kinds.count { $0 == .unspaced } * 2 >= 60 || words >= 7 && kinds.count > 80
    }

    /// A Boolean value that indicates whether the character at an index is the @ of an e-mail address.
    func isEmailAddress(_ at: Int) -> Bool {
        guard scalars[at] == "@" else { return false }
        func isPart(_ index: Int) -> Bool {
            guard let scalar = self[index] else { return false }
            return isWord(index) || kinds[index] == .unspaced || "._%+-'".unicodeScalars.contains(scalar)
        }
        let start = (0...64).first { !isPart(at - 1 - $0) }.map { at - $0 } ?? at
        var end = (1...254).first { !isPart(at + $0) }.map { at + $0 } ?? at
        while end > at, self[end - 1] == "." { end -= 1 }
        // `@name@server` is a handle, and `icon@2x.png` is a file.
        guard start < at, at < end, self[at - 1] != ".", self[start - 1] != "@" else { return false }
        let labels = scalars[(at + 1)..<end].split(separator: ".", omittingEmptySubsequences: false)
        let isFile = labels.count == 2 && labels[0].count == 2 && labels[0].last == "x" && isDigit(at + 1)
        return labels.count > 1 && !isFile && labels.allSatisfy { !$0.isEmpty }
            && labels[labels.count - 1].count > 1 && !labels[labels.count - 1].indices.allSatisfy(isDigit)
    }

    // MARK: Account and card numbers

    func ibans() -> [Range<Int>] {
        scalars.indices.compactMap { isDigit($0 + 2) && isDigit($0 + 3) && !isWord($0 - 1) ? iban(from: $0) : nil }
    }

    private func iban(from start: Int) -> Range<Int>? {
        var values: [Int] = []
        var position = start
        while values.count < 34, let scalar = self[position], scalar.isASCII, isWord(position) {
            guard values.count > 1 || !isDigit(position) else { return nil }
            values.append(isDigit(position) ? value(position) : Int(scalar.value) - 0x61 + 10)
            position += 1
            // The remainder modulo 97 is 1, with country and check digits at the end (ISO 13616).
            if values.count >= 15, !isWord(position),
                (values[4...] + values[..<4]).reduce(0, { ($0 * ($1 < 10 ? 10 : 100) + $1) % 97 }) == 1
            {
                return start..<position
            }
            if values.count.isMultiple(of: 4), self[position] == " " || self[position] == "-" { position += 1 }
        }
        return nil
    }

    func cardNumbers() -> [Range<Int>] {
        numbers.compactMap { groups in
            // Short groups after the number may be a date or a security code.
            let length = groups.prefix(20).lastIndex { $0.count > 3 }.map { $0 + 1 } ?? 0
            for count in [groups.count, length + 1, length] where count <= min(groups.count, 6) {
                let digits = groups[..<count].joined().map(value)
                if groups[..<count].dropLast().allSatisfy({ $0.count > 3 }), Self.isCard(digits) {
                    return groups[0].lowerBound..<groups[count - 1].upperBound
                }
            }
            return nil
        }
    }

    /// Cards begin with 2 to 6 and have a check digit by Luhn's formula (ISO/IEC 7812-1).
    private static func isCard(_ digits: [Int]) -> Bool {
        guard (13...19).contains(digits.count), (2...6).contains(digits[0]), Set(digits).count > 1 else { return false }
        return digits.reversed().enumerated().reduce(0) { sum, digit in
            let value = digit.offset.isMultiple(of: 2) ? digit.element : digit.element * 2
            return sum + value / 10 + value % 10
        }.isMultiple(of: 10)
    }

    // MARK: Telephone numbers and one-time codes

    func phoneNumbers() -> [Range<Int>] {
        scalars.indices.compactMap { scalars[$0] == "+" && !isWord($0 - 1) ? phoneNumber(from: $0) : nil }
    }

    /// A plus and 9 to 15 digits, with one or two separators between them; always 11 digits after +1 and +7.
    private func phoneNumber(from start: Int) -> Range<Int>? {
        guard isDigit(start + 1), value(start + 1) != 0 else { return nil }
        let isFixed = [1, 7].contains(value(start + 1))
        var (count, position) = (0, start + 1)
        while count <= 15, isDigit(position) {
            while isDigit(position) { (count, position) = (count + 1, position + 1) }
            if isFixed ? count == 11 : (9...15).contains(count), !isWord(position) { return start..<position }
            position += scalars[position...].prefix(2).prefix { " -./()".unicodeScalars.contains($0) }.count
        }
        return nil
    }

    func oneTimeCodes() -> [Range<Int>] {
        let (codeWords, otherWords) = (marks(of: Self.codeWords), marks(of: Self.otherWords))
        return numbers.compactMap { groups in
            let range = groups[0].lowerBound..<groups[groups.count - 1].upperBound
            let isLength =
                groups.count == 1 ? (4...8).contains(range.count) : [[3, 3], [4, 4]].contains(groups.map(\.count))
            let isYear = range.count == 4 && (1900...2099).contains(range.reduce(0) { $0 * 10 + value($1) })
            let neighbors = [range.lowerBound - 2, range.lowerBound - 1, range.upperBound, range.upperBound + 1]
            let isAmount = neighbors.contains { self[$0]?.properties.generalCategory == .currencySymbol }
            let isCode = isNear(range, codeWords, within: 32) && !isNear(range, otherWords, within: 8)
            return isLength && !isYear && !isAmount && isCode ? range : nil
        }
    }

    /// A Boolean value that indicates whether a mark is in the same sentence, within some characters of a range.
    private func isNear(_ range: Range<Int>, _ marks: [Bool], within reach: Int) -> Bool {
        [(range.lowerBound - 1, -1), (range.upperBound, 1)].contains { start, step in
            for index in stride(from: start, to: start + step * reach, by: step) {
                guard let scalar = self[index], !"!?。".unicodeScalars.contains(scalar),
                    scalar != "." || self[index + 1] != " "
                else { return false }
                if marks[index] { return true }
            }
            return false
        }
    }

    /// Returns marks at the characters of some words, of which those of up to three letters must stand alone.
    private func marks(of words: [Unicode.Scalar: [[Unicode.Scalar]]]) -> [Bool] {
        var marks = [Bool](repeating: false, count: scalars.count)
        for start in scalars.indices {
            for word in words[scalars[start]] ?? [] where scalars[start...].starts(with: word) {
                let end = start + word.count
                guard word.count > 3 || !isWord(start - 1) && !isWord(end) else { continue }
                for index in start..<end { marks[index] = true }
            }
        }
        return marks
    }

    private static func byFirstLetter(_ words: String) -> [Unicode.Scalar: [[Unicode.Scalar]]] {
        Dictionary(grouping: words.split(separator: " ").map { Array($0.unicodeScalars) }) { $0[0] }
    }

    private static let codeWords = byFirstLetter(
        """
        code kode koodi kód kod kodu kodem código codigo codice codici otp totp pin 2fa mfa tan token password passwort \
        kennwort verif vérif bestätig doğrula weryfik clave contraseña senha wachtwoord hasło şifre lösenord код кода \
        кодом пароль رمز الرمز رمزك كود קוד κωδικό कोड ओटीपी 验证码 驗證碼 校验码 动态码 密码 密碼 コード パスワード 暗証番号 \
        認証番号 인증 비밀번호 코드 รหัส
        """)

    /// Words beside the numbers of other things: `order 12345`, `promo code 12345`, `12345 points`.
    private static let otherWords = byFirstLetter(
        """
        order invoice receipt ticket flight room booking reservation tracking account customer promo coupon voucher \
        discount gift postal zip area error response status qr barcode points steps credits bestellung auftrag rechnung \
        gutschein commande facture pedido factura ordine sconto заказ 订单 訂單 注文 クーポン バーコード 주문 쿠폰
        """)
}
