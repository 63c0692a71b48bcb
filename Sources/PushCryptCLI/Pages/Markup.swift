/// A part of a page, in which every text from outside is escaped.
///
/// Names of elements and classes are literals, so that no payload can become markup.
struct Markup {
    fileprivate let html: String

    /// Creates a text.
    init(text: String) {
        html = SafeText.forTerminal(text)
            .replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    }

    /// Creates an element.
    ///
    /// - Parameters:
    ///   - name: The name of the element.
    ///   - style: The value of the attribute `class`.
    ///   - width: The width in percent of the element around it.
    ///   - contents: The parts of the element.
    init(
        _ name: StaticString, class style: StaticString? = nil, width: Double? = nil,
        _ contents: [Markup] = []
    ) {
        var attributes = style.map { " class=\"\($0)\"" } ?? ""
        if let width { attributes += " style=\"width: \((width * 100).rounded() / 100)%\"" }
        html = "<\(name)\(attributes)>\(contents.map(\.html).joined())</\(name)>"
    }

    /// Creates an element with one text.
    init(_ name: StaticString, class style: StaticString? = nil, text: String) {
        self.init(name, class: style, [Markup(text: text)])
    }
}

extension Markup {
    /// Returns a complete page that loads nothing and runs nothing.
    ///
    /// The head has a content security policy (https://www.w3.org/TR/CSP3/) that forbids scripts
    /// and requests.
    static func page(title: String, _ contents: [Markup]) -> String {
        """
        \(String(decoding: PackageResources.head_html, as: UTF8.self))\
        <title>\(Markup(text: title).html)</title>
        <style>
        \(String(decoding: PackageResources.page_css, as: UTF8.self))</style>
        </head>
        <body>
        \(contents.map(\.html).joined(separator: "\n"))
        </body>
        </html>

        """
    }
}
