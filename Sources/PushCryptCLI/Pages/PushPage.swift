internal import PushCryptLint
internal import PushCryptReceiver
internal import PushCryptSender

/// A page that shows a push to a person: the lock screen beside the values that Apple and every
/// relay can read.
struct PushPage {
    let title: String

    /// The notification on the lock screen.
    let content: NotificationContent

    /// A sentence about the notification.
    let caption: String

    /// The reason for a fallback.
    var failure: PushCryptError?

    /// The readable part of the payload; `nil` if the payload isn't JSON.
    let inspection: Inspection?

    /// The findings of `lint` in the delivered payload.
    let findings: [Finding]

    /// Creates a page with the findings of a payload.
    init(
        _ title: String, _ content: NotificationContent, caption: String,
        failure: PushCryptError? = nil,
        inspection: Inspection?, type: PushType
    ) throws(PushCryptError) {
        self.title = title
        self.content = content
        self.caption = caption
        self.failure = failure
        self.inspection = inspection
        guard let inspection else {
            findings = []
            return
        }
        findings = try Sealer(.anonymous).lint(json: inspection.bytes, headers: APNsHeaders(type))
            .findings
    }

    /// The page as HTML.
    var html: String {
        let main = Markup("main", [Markup("section", lockScreen), Markup("section", payload)])
        return Markup.page(title: title, [Markup("h1", text: title), main])
    }

    private var lockScreen: [Markup] {
        let screen = LockScreenMarkup(content: content)
        var parts = [Markup("h2", text: "The lock screen")] + screen.phones
        parts.append(Markup("p", class: "soft", text: caption))
        if let failure {
            parts.append(Markup("p", class: "reason", text: "\(failure.reason) [\(failure.code)]"))
        }
        if let attributes = screen.attributes { parts.append(attributes) }
        return parts
    }

    private var payload: [Markup] {
        let heading = Markup("h2", text: "What Apple and every relay can read")
        guard let inspection else {
            return [
                heading,
                Markup("p", class: "reason", text: "The payload isn't JSON: APNs rejects it."),
            ]
        }
        var parts = [heading, readableValues(of: inspection)]
        if inspection.sealedValues.isEmpty {
            parts.append(
                Markup(
                    "p", class: "reason",
                    text: "The payload isn't sealed: Apple can read all of it."))
        }
        parts += [Markup("h2", text: "Size")] + SizeMarkup(inspection: inspection).parts
        return parts + [Markup("h2", text: "Findings"), findingList]
    }

    private func readableValues(of inspection: Inspection) -> Markup {
        let visible = inspection.visibleValues
        var rows = visible.rows.map { row in
            let marks = findings.filter { $0.location.path == row.path }.map(Self.mark)
            return Markup(
                "tr",
                [
                    Markup("td", [Markup("code", text: row.name)]),
                    Markup("td", [value(row.value)] + marks),
                ])
        }
        if visible.omitted > 0 {
            rows.append(
                Markup(
                    "tr",
                    [
                        Markup("td", text: "…"),
                        Markup("td", text: "and \(visible.omitted) more values"),
                    ]))
        }
        rows += inspection.sealedValues.map { member in
            Markup(
                "tr",
                [
                    Markup("td", [Markup("code", text: member.location)]),
                    Markup("td", Self.sealed(member)),
                ])
        }
        return Markup("table", rows)
    }

    private func value(_ text: String) -> Markup { Markup("code", class: "readable", text: text) }

    private static func sealed(_ member: Inspection.SealedMember) -> [Markup] {
        switch member.sealed {
        case .success(let sealed):
            let text =
                """
                sealed: key ID \(sealed.keyID), \(sealed.envelopeLength) bytes that only the \
                device opens
                """
            return [Markup("span", class: "sealed", text: text)]
        case .failure(let error):
            return [Markup("span", class: "error", text: "\(error.reason) [\(error.code)]")]
        }
    }

    private var findingList: Markup {
        guard !findings.isEmpty else { return Markup("p", text: "None.") }
        return Markup("ul", findings.map { Markup("li", [Self.mark($0)]) })
    }

    private static func mark(_ finding: Finding) -> Markup {
        let text = "\(finding.rule.severity.rawValue): \(LintReport.line(finding))"
        return switch finding.rule.severity {
        case .error: Markup("div", class: "error", text: text)
        case .warning: Markup("div", class: "warning", text: text)
        case .note: Markup("div", class: "note", text: text)
        }
    }
}
