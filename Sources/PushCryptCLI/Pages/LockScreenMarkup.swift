internal import PushCryptReceiver

/// A notification on the lock screen of a phone, light and dark.
struct LockScreenMarkup {
    let content: NotificationContent

    var phones: [Markup] {
        [
            Markup(
                "div", class: "phone light", [Markup("div", class: "clock", text: "9:41"), banner]),
            Markup(
                "div", class: "phone dark", [Markup("div", class: "clock", text: "9:41"), banner]),
        ]
    }

    private var banner: Markup {
        var lines = [
            Markup(
                "div", class: "app",
                [Markup("span", text: "YOUR APP"), Markup("span", text: "now")])
        ]
        if !content.title.isEmpty {
            lines.append(Markup("div", class: "title", text: content.title))
        }
        if !content.subtitle.isEmpty {
            lines.append(Markup("div", class: "subtitle", text: content.subtitle))
        }
        if !content.body.isEmpty { lines.append(Markup("div", class: "body", text: content.body)) }
        let badge = content.badge.flatMap {
            $0 > 0 ? Markup("div", class: "badge", text: "\($0)") : nil
        }
        return Markup(
            "div", class: "banner",
            [Markup("div", class: "icon", badge.map { [$0] } ?? []), Markup("div", lines)])
    }

    /// The attributes that a lock screen doesn't display as text.
    var attributes: Markup? {
        var rows: [(name: String, value: String)] = []
        if let sound = content.sound { rows.append(("Sound", sound.name ?? "default")) }
        for (name, value) in [
            ("Thread", content.threadIdentifier), ("Category", content.categoryIdentifier),
            ("Filter criteria", content.filterCriteria ?? ""),
            ("Launch image", content.launchImageName),
        ] where !value.isEmpty {
            rows.append((name, value))
        }
        if content.interruptionLevel != .active {
            rows.append(("Interruption level", content.interruptionLevel.rawValue))
        }
        guard !rows.isEmpty else { return nil }
        return Markup(
            "table",
            rows.map { Markup("tr", [Markup("th", text: $0.name), Markup("td", text: $0.value)]) })
    }
}
