internal import PushCryptSender

/// The size of a payload: a bar, and the padding class of the sealed message.
struct SizeMarkup {
    let inspection: Inspection

    /// The length of the sealed values in base64url, in bytes.
    private var sealedLength: Int {
        inspection.sealedValues.reduce(0) { sum, member in
            guard case .success(let sealed) = member.sealed else { return sum }
            return sum + Base64URL.encodedLength(sealed.envelopeLength)
        }
    }

    var parts: [Markup] {
        let length = inspection.length
        let limit = inspection.limit
        // A payload that is too long fills the bar.
        let percent = 100 / Double(max(length, limit, 1))
        let bar = Markup(
            "div", class: "bar",
            [
                Markup("div", class: "readable", width: Double(length - sealedLength) * percent),
                Markup("div", class: "sealed", width: Double(sealedLength) * percent),
            ])
        let left = limit - length
        let rest = left < 0 ? "\(-left) bytes too many" : "\(left) bytes left"
        let legend = Markup(
            "p",
            [
                Markup(text: "\(length) of \(limit) bytes: "),
                Markup("span", class: "readable", text: "\(length - sealedLength) readable"),
                Markup(text: ", "),
                Markup("span", class: "sealed", text: "\(sealedLength) sealed"),
                Markup(text: ", \(rest)."),
            ])
        return [bar, legend] + paddingClasses
    }

    /// The lengths to which the default padding rounds messages.
    private static let classes = [256, 512, 1024, 2048]

    private var paddingClasses: [Markup] {
        inspection.sealedValues.compactMap { member in
            guard case .success(let sealed) = member.sealed else { return nil }
            let length = sealed.messageLength
            // The longest message leaves no room for three more bytes, which are four characters.
            let isLongest = inspection.limit - inspection.length < 4
            var items = Self.classes.map {
                Markup("li", class: $0 == length ? "chosen" : nil, text: "\($0)")
            }
            items.append(Markup("li", class: isLongest ? "chosen" : nil, text: "maximum"))
            let isExact = !Self.classes.contains(length) && !isLongest
            let meaning =
                isExact
                ? """
                The message has \(length) bytes, which is no padding class: its length reveals \
                the original's.
                """
                : """
                The message has \(length) bytes with padding. All originals of one class look \
                alike.
                """
            return Markup(
                "div",
                [
                    Markup("p", text: "Padding class of \(member.location)"),
                    Markup("ul", class: "classes", items),
                    Markup("p", class: "soft", text: meaning),
                ])
        }
    }
}
