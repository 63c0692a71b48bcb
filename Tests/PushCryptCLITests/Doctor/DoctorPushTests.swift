#if APNs
import Foundation
import PushCryptTesting
import PushCryptAPNsTesting
import Testing

@testable import PushCryptAPNs
@testable import PushCryptCLI
@testable import PushCryptKeyring
@testable import PushCryptSender

/// The doctor's steps with APNs and a device, from the credentials to the answer.
@Suite(.timeLimit(.minutes(20))) struct DoctorPushTests {
    private func report(
        _ options: [String: String] = [:], secret: String = String(repeating: "A", count: 43),
        files: [String] = DoctorSetup.files, wait: String = "120s",
        _ prepare: (DoctorSetup) throws -> Void = { _ in }
    ) async throws -> DoctorReport {
        let device = try await DoctorDevice(DoctorSetup(), secret: secret)
        try prepare(device.setup)
        let report = try await device.report(device.options(options) + files + ["--wait", wait])
        try await device.server.stop()
        return report
    }

    @Test("A device answers, and every step is ok") func soundDevice() async throws {
        let report = try await report()
        #expect(report.findings.isEmpty, "\(report.text)")
        let steps = ["keyring", "secret", "recipient", "credentials", "push", "answer"]
        for step in steps { #expect(report.text.contains("\(step): ok: "), "\(report.text)") }
    }

    @Test("A server without proofs needs no secret") func withoutProofs() async throws {
        let device = try await DoctorDevice(DoctorSetup())
        let row = device.setup.tool.path("row.json")
        let before = try String(contentsOfFile: row, encoding: .utf8)
        // Such a server ignores the proof, and stores the time of the registration.
        let command = device.options() + ["--recipient", "row.json", "--wait", "120s"]
        async let report = device.report(command)
        while device.server.record.accepted == 0 { try await Task.sleep(for: .milliseconds(10)) }
        let registered = try #require(before.firstMatch(of: /"registered":(\d+)/)?.output.1)
        let after = before.replacing(
            registered, with: "\(Int(Date().timeIntervalSince1970 * 1000))")
        try after.write(toFile: row, atomically: true, encoding: .utf8)
        #expect(try await report.findings.isEmpty)
        try await device.server.stop()
    }

    @Test("A device that doesn't answer is found") func noAnswer() async throws {
        let foreign = try await report(secret: String(repeating: "E", count: 43), wait: "1s")
        #expect(
            foreign.findings.map(\.rule) == [DoctorRule.noAnswer], "The server has another secret.")
        let untrusted = try await report(wait: "1s") { setup in
            let other = Keyring<SigningKey>(
                generation: 1, primary: .init(key: try SigningKey(), created: setup.now))
            try setup.write(other)
            try setup.writeRow(setup.row())
        }
        #expect(
            untrusted.findings.map(\.rule) == [DoctorRule.noAnswer],
            "The device accepts another key.")
    }

    @Test("Without a wait, the answer isn't checked") func noWait() async throws {
        let report = try await report(wait: "0s")
        #expect(
            report.findings.isEmpty && report.text.contains("push: ok")
                && report.text.contains("answer: not"))
    }

    @Test("Each fault between the tool and APNs is named by exactly its finding")
    func faultsOfAPNs() async throws {
        let garbage = try await report(["--p8": "row.json"])
        #expect(garbage.findings.map(\.rule) == [DoctorRule.credentialsUnreadable])
        let team = try await report(["--team-id": "AAAAAAAAAA"])
        #expect(team.findings.map(\.rule) == [DoctorRule.credentialsRejected], "\(team.text)")
        let topic = try await report(["--topic": "com.example.other"])
        #expect(topic.findings.map(\.rule) == [DoctorRule.topicWrong], "\(topic.text)")
        let token = try await report { setup in
            let json = try setup.tool.read("row.json")
            let bad = String(repeating: "00fc", count: 8)
            try setup.tool.write(json.replacing(DoctorDevice.token, with: bad), to: "row.json")
        }
        #expect(token.findings.map(\.rule) == [DoctorRule.tokenRejected], "\(token.text)")
        let unreachable = try await report(["--port": "1"])
        #expect(
            unreachable.findings.map(\.rule) == [DoctorRule.apnsUnreachable], "\(unreachable.text)")
    }

    @Test("An earlier fault skips the push") func earlierFault() async throws {
        let report = try await report { try $0.tool.write("{}", to: "row.json") }
        #expect(report.findings.map(\.rule) == [DoctorRule.recipientInvalid])
        #expect(report.text.contains("push: not checked: an earlier step failed"))
        let without = try await self.report(files: [])
        #expect(
            without.findings.isEmpty
                && without.text.contains("push: not checked: give '--recipient'"))
    }

    // MARK: Reasons

    private static let rules: [(rule: Rule, reasons: [APNsError.Reason])] = [
        (DoctorRule.tokenRejected, [.badDeviceToken]),
        (DoctorRule.environmentWrong, [.badEnvironmentKeyIDInToken, .badCertificateEnvironment]),
        (
            DoctorRule.topicWrong,
            [.deviceTokenNotForTopic, .topicDisallowed, .badTopic, .missingTopic]
        ),
        (DoctorRule.deviceUnregistered, [.unregistered, .expiredToken]),
        (DoctorRule.clockWrong, [.expiredProviderToken]),
        (
            DoctorRule.credentialsRejected,
            [
                .invalidProviderToken, .forbidden, .badCertificate, .missingProviderToken,
                .unrelatedKeyIDInToken,
            ]
        ),
        (
            DoctorRule.apnsBusy,
            [
                .idleTimeout, .internalServerError, .serviceUnavailable, .shutdown,
                .tooManyRequests, .tooManyProviderTokenUpdates,
            ]
        ),
    ]

    @Test("Each of Apple's reasons has its finding") func reasons() {
        for reason in APNsError.Reason.all {
            let status =
                reason == .tooManyRequests || reason == .tooManyProviderTokenUpdates ? 429 : 400
            let answer = APNsAnswer(
                status: status, uniqueID: nil, retryAfter: nil,
                body: Array(#"{"reason":"\#(reason.rawValue)"}"#.utf8))
            let finding = DoctorFinding(answer.error(UUID()))
            let rule =
                Self.rules.first { $0.reasons.contains(reason) }?.rule ?? DoctorRule.pushRejected
            #expect(finding.rule == rule, "\(reason)")
        }
        #expect(APNsError.Reason.all.count > 25)
    }
}
#endif
