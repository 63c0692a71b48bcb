internal import ArgumentParser

/// The format of a report.
struct ReportFormat: ParsableArguments {
    @Flag(help: "Print one JSON object.") var json = false
    @Flag(help: "Write one page of HTML, which runs no script and loads nothing.") var html = false

    func validate() throws {
        guard !json || !html else {
            throw ValidationError("'--json' and '--html' exclude each other. Remove one.")
        }
    }
}
