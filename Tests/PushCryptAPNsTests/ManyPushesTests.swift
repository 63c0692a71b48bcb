#if APNs
import Foundation
import PushCryptAPNs
import PushCryptAPNsTesting
import TestSupport
import Testing

@Suite("Many pushes") struct ManyPushesTests {
    @Test("Results have the order of the pushes") func order() async throws {
        let script: Script = { request in
            let number = Int(request.deviceToken, radix: 16) ?? 0
            return number % 3 == 0
                ? .answer(400, "BadTopic", after: 0.1) : .accept(after: Double(number % 7) / 50)
        }
        try await Fixture.run(connections: 2, script: script) { fixture in
            for limit in [1, 7, 500] {
                let results = await fixture.sendMany(limit == 1 ? 10 : 100, concurrently: limit)
                #expect(results.count == (limit == 1 ? 10 : 100))
                for (index, result) in results.enumerated() {
                    if case .success = result {
                        #expect(index % 3 != 0)
                    } else {
                        #expect(index % 3 == 0)
                    }
                }
            }
        }
    }

    @Test("Pushes are read while results are awaited") func laziness() async throws {
        try await Fixture.run { fixture in
            let endless = sequence(first: 0) { $0 + 1 }.lazy.map {
                (push: Fixture.push(), device: Fixture.device(number: $0))
            }
            var count = 0
            for await result in fixture.client.send(endless, concurrently: 10) {
                _ = try result.get()
                count += 1
                if count == 50 { break }
            }
            #expect(fixture.server.record.requests <= 60)
        }
    }

    @Test("The end of the iteration cancels what is being sent") func breakCancels() async throws {
        let script: Script = {
            $0.deviceToken == Fixture.device(number: 0) ? .accept() : .stall(accepted: false)
        }
        try await Fixture.run(script: script) { fixture in
            _ = try await fixture.client.send(Fixture.push(), to: Fixture.device(number: 0))
            let pushes = (0..<10).map { (push: Fixture.push(), device: Fixture.device(number: $0)) }
            for await result in fixture.client.send(pushes) {
                _ = try result.get()
                break
            }
            let start = Date()
            await fixture.client.shutDown()
            #expect(Date().timeIntervalSince(start) < 10)
        }
    }

    /// Each is accepted at least once or reported; twice only after a request without an answer.
    @Test("All faults together lose no push") func faults() async throws {
        let count = LongRun.count(1000, full: 20_000)
        try await Fixture.run(connections: 4, timeout: 5, script: Faults.script()) { fixture in
            let results = await fixture.sendInAnyOrder(count, workers: 100)
            let record = fixture.server.record
            var (accepted, reported) = (0, 0)
            #expect(results.count == count)
            for result in results {
                switch result {
                case .success(let receipt):
                    accepted += 1
                    #expect((record.tallies[receipt.id]?.accepted ?? 0) >= 1, "lost")
                case .failure(let error):
                    reported += 1
                    #expect(error.advice == .retry, "\(error)")
                }
            }
            // An answer can cross with the end of its connection, or of its time: the server has
            // written it, and the client never gets it.
            var violations = record.violations
            let crossed = violations.removeValue(forKey: "sent-after-200") ?? 0
            #expect(crossed <= 4 + count / 1000)
            let unexplained = record.repeated.values.filter { $0.accepted > 1 + $0.unanswered }
            #expect(unexplained.count <= crossed)
            #expect(violations.isEmpty, "\(violations)")
            #expect(accepted + reported == count)
            // Faults end after two attempts, and a silent connection costs others an attempt.
            #expect(reported < count / 20)
            print(
                "\(accepted) accepted, \(reported) reported, \(record.repeated.count) more than once,",
                "\(crossed) answers crossed, \(record.connections) connections, \(record.requests) requests"
            )
        }
    }
}
#endif
