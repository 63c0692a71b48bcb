internal import PushCryptSender

/// A campaign from the command line, with its messages and its status.
struct CampaignRun {
    let options: CampaignOptions
    let data: DataOptions
    let headers: HeaderOptions
    let resumes: Bool

    private var isFile: Bool { data.output != "-" }

    /// Sends the lines with a client.
    ///
    /// - Throws: An ``ExitStatus`` unless all lines are sent, or the error of a file that can't be
    ///   used.
    func run(_ makeSender: (@escaping PushReceiver) -> any PushSender) throws {
        let settings = options.settings
        let reader = PushReader(
            headers, AnswerFormat(hasNumbers: !settings.keepsOrder), retries: options.retry != nil)
        let files = try CampaignFiles(
            data, resumes: resumes, keepsOrder: settings.keepsOrder, retrying: options.retry)
        let campaign = Campaign(settings, reader: reader, files: files, makeSender: makeSender)
        let interruption = Interruption { [inbox = campaign.inbox] in inbox.post(.interruption) }
        defer { interruption.end() }
        let status = run(campaign)
        if status != .success { throw status }
    }

    private func run(_ campaign: Campaign) -> ExitStatus {
        let writer = campaign.writer
        do throws(PushCryptError) {
            let ending = try campaign.run()
            writer.showSummary()
            report(ending)
            if writer.counts.unsent > 0 { hintAtRetry(writer.counts.unsent) }
            guard case .complete = ending else { return .failure }
            return writer.counts.status
        } catch {
            writer.clear()
            // The reader of a pipe has all that it wanted.
            if error.code != .outputClosed { Output.error(error) }
            return .failure
        }
    }

    /// Tells why lines have no answer, and how to continue.
    private func report(_ ending: Campaign.Ending) {
        switch ending {
        case .complete: return
        case .interrupted: Output.error("Interrupted before all lines were sent.")
        case .unreachable(let error):
            Output.error(error)
            Output.hint(
                """
                APNs couldn't be reached for \(options.patience ?? "1h"), the limit of \
                '--patience'
                """)
        case .failed(let error): Output.error(error)
        }
        Output.hint(
            isFile
                ? """
                some lines have no answer: continue with '--resume', and keep \
                \(Journal.path(for: data.output))
                """
                : "some lines have no answer; only an output file, '-o FILE', can be continued")
    }

    private func hintAtRetry(_ count: Int) {
        let name = isFile ? data.output : "FILE"
        Output.hint(
            """
            \(count) line\(count == 1 ? " isn't" : "s aren't") sent: send them with '--retry \
            \(name) -o NEW'
            """)
    }
}
