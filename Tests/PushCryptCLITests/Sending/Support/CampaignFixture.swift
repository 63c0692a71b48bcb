import Foundation
import PushCryptSender
import PushCryptSystem
import TestSupport
import Testing

@testable import PushCryptCLI

/// Campaigns in a temporary directory.
struct CampaignFixture {
    let scratch: Scratch
    var settings = CampaignSettings()
    var resumes = false
    var retry: String?
    var output: String

    init(_ scratch: Scratch? = nil) throws {
        self.scratch = try scratch ?? Scratch()
        output = self.scratch.file("output")
        settings.pauses = Outage.Pauses(first: 0.001, longest: 0.004)
        settings.collection = 0
    }

    var journal: String { Journal.path(for: output) }

    /// Returns a line for a device, whose seal tells two inputs apart.
    static func line(_ number: Int, seal: String = "AQ", headers: String = "") -> String {
        let token = String(number, radix: 16)
        let padded = String(repeating: "0", count: 64 - token.count) + token
        let members = #""apns-topic":"a.b"\#(headers)"#
        return
            #"{"id":\#(number),"token":"\#(padded)","payload":{"ENCRYPTED_DATA":"\#(seal)"},"headers":{\#(members)}}"#
    }

    static func lines(_ numbers: some Sequence<Int>, seal: String = "AQ") -> [String] {
        numbers.map { line($0, seal: seal) }
    }

    /// Creates the campaign of some lines.
    func campaign(_ lines: [String], _ sender: FakeSender) throws -> Campaign {
        scratch.write(Array(lines.map { "\($0)\n" }.joined().utf8), to: "input")
        return try campaign(reading: scratch.file("input"), sender)
    }

    func campaign(reading input: String, _ sender: FakeSender) throws -> Campaign {
        var data = DataOptions()
        data.input = input
        data.output = output
        let reader = PushReader(
            HeaderOptions.none, AnswerFormat(hasNumbers: !settings.keepsOrder),
            retries: retry != nil)
        let files = try CampaignFiles(
            data, resumes: resumes, keepsOrder: settings.keepsOrder, retrying: retry)
        return Campaign(settings, reader: reader, files: files) { sender.sending(to: $0) }
    }

    /// Runs the campaign of some lines, and returns its ending; another thread releases results
    /// that are held.
    @discardableResult func run(_ lines: [String], _ sender: FakeSender) throws -> Campaign.Ending {
        try run(campaign(lines, sender), sender)
    }

    /// Runs the campaign of some lines, and a closure on another thread.
    func run(
        _ lines: [String], _ sender: FakeSender,
        meanwhile: @escaping @Sendable (Inbox<Campaign.Event>) -> Void
    ) throws -> Campaign.Ending {
        let campaign = try campaign(lines, sender)
        Thread { [inbox = campaign.inbox] in meanwhile(inbox) }.start()
        return try campaign.run()
    }

    func run(reading input: String, _ sender: FakeSender) throws -> Campaign.Ending {
        try run(campaign(reading: input, sender), sender)
    }

    private func run(_ campaign: Campaign, _ sender: FakeSender) throws -> Campaign.Ending {
        let isOver = LockedValue(false)
        defer { isOver.withLock { $0 = true } }
        Thread {
            while !isOver.withLock({ $0 }) {
                sender.release()
                usleep(200)
            }
        }.start()
        return try campaign.run()
    }

    /// The lines of the output.
    func answers(of path: String? = nil) throws -> [String] {
        try String(contentsOfFile: path ?? output, encoding: .utf8).split(separator: "\n").map(
            String.init)
    }

    var hasJournal: Bool { FileManager.default.fileExists(atPath: journal) }

    /// Returns a resumption of this campaign, perhaps with a copy of its files.
    func resumption(copying source: String? = nil) throws -> CampaignFixture {
        var copy = source == nil ? self : try CampaignFixture()
        copy.settings = settings
        copy.resumes = true
        if let source {
            for end in ["", ".journal"] where FileManager.default.fileExists(atPath: source + end) {
                try FileManager.default.copyItem(atPath: source + end, toPath: copy.output + end)
            }
        }
        return copy
    }
}

extension HeaderOptions {
    /// No options.
    static var none: HeaderOptions {
        var options = HeaderOptions()
        options.topic = nil
        options.type = nil
        options.priority = nil
        options.expiration = nil
        options.collapseId = nil
        return options
    }
}

extension Campaign.Ending {
    var isComplete: Bool {
        if case .complete = self { return true }
        return false
    }

    /// The code of the error that has ended the campaign.
    var code: String? {
        switch self {
        case .failed(let error), .unreachable(let error): error.code.rawValue
        default: nil
        }
    }
}

/// Returns a Boolean value that indicates whether an answer says that a push was accepted.
func isAccepted(_ answer: String, _ number: Int) -> Bool {
    answer.hasPrefix(#"{"id":\#(number),"#) && answer.contains(#","status":200,"apns-id":""#)
}

/// Returns the `apns-id` of an answer.
func id(of answer: String) -> UUID? {
    answer.firstMatch(of: /"apns-id":"([0-9a-f-]{36})"/).flatMap {
        UUID(uuidString: String($0.output.1))
    }
}
