import Foundation
import GRDB
import PushCryptAPNs
import Testing

@testable import ExampleServer

struct OutboxTests {
    private static let payload = #"{"aps":{"alert":"Card payment"}}"#

    /// The statements that a connection runs.
    private final class Statements: @unchecked Sendable {
        // Only the queue of the writer appends, and the test reads afterwards.
        var list: [String] = []
    }

    @Test func noStatementReadsAllOfAMillionRows() async throws {
        let (server, device, apns) = (try TestServer(), try Device(1), FakeAPNs())
        defer { try? FileManager.default.removeItem(atPath: server.directory) }
        let (store, now) = (try server.store(), server.clock.now)
        try store.addRows(1_000_000, at: now, finished: now)
        try await server.run(apns) { client in
            try await device.register(with: client)
            #expect(try await client.post(Self.payload).number("devices") == 1)
            try await client.settle()
        }
        #expect(apns.sent.count == 1)
        let statements = Statements()
        try await store.database.write { $0.trace { statements.list.append("\($0)") } }
        try await Self.use(store, at: now)
        try await store.database.write { database in
            database.trace(options: [])
            var plans = 0
            for sql in statements.list where sql.contains("outbox") {
                let unbound = StatementArguments(
                    [Int?](repeating: nil, count: sql.count { $0 == "?" }))
                for row in try Row.fetchAll(
                    database, sql: "EXPLAIN QUERY PLAN " + sql, arguments: unbound)
                {
                    let detail: String = row["detail"]
                    #expect(!detail.hasPrefix("SCAN outbox"), "\(sql): \(detail)")
                    plans += detail.hasPrefix("SEARCH outbox") ? 1 : 0
                }
            }
            // Two each of take and forget, one each of retry, finish, delete and the end of leases.
            #expect(plans >= 8)
        }
    }

    /// Runs each statement of the outbox once.
    private static func use(_ store: Store, at now: Date) async throws {
        let push = try Sealer(.anonymous).prepare(
            json: payload, headers: APNsHeaders(topic: "com.example.app"))
        #expect(
            try await store.enqueue(UUID(), to: "anna", at: now) { try push.seal(for: $0) } == 1)
        let taken = try await store.take(100, lease: 600, at: now)
        let first = try #require(taken.first)
        try await store.retry(first, notBefore: now)
        try await store.finish(first, at: now)
        try await store.delete(deviceToken: first.deviceToken, account: "anna", at: now)
        try await store.endLeases()
        #expect(try await store.forget(finishedBefore: now + 1) == Limits.rows)
    }

    @Test func timerForgetsFinishedPushesInBatches() async throws {
        let server = try TestServer()
        let (store, now) = (try server.store(), server.clock.now)
        try store.addRows(Limits.rows * 2 + 1, at: now, finished: now)
        #expect(try await store.forget(finishedBefore: now + 1) == Limits.rows)
        try await server.run(tidying: .milliseconds(10)) { client in
            #expect(try store.number("SELECT count(*) FROM outbox") == Limits.rows + 1)
            server.clock.advance(by: Limits.memory + 1)
            for _ in 0..<6000 where try store.number("SELECT count(*) FROM outbox") != 0 {
                try await Task.sleep(for: .milliseconds(10))
            }
        }
        #expect(try store.number("SELECT count(*) FROM outbox") == 0)
    }

    @Test(arguments: [true, false])
    func deviceThatChangesWhileAMessageIsSealed(signsOut: Bool) async throws {
        let (server, device) = (try TestServer(), try Device(2))
        let store = try server.store()
        try await server.run { try await device.register(with: $0) }
        let newer = try Registration(parsing: try await device.registration())
        let push = try Sealer(.anonymous).prepare(
            json: Self.payload, headers: APNsHeaders(topic: "com.example.app"))
        let counter = Counter()
        let now = server.clock.now
        let devices = try await store.enqueue(UUID(), to: "anna", at: now) { recipient in
            if counter.next() == 1 {
                try store.database.write { database in
                    let changed = try Recipient(
                        registration: newer, deviceToken: device.deviceToken, account: "anna",
                        registered: now + 1)
                    let json = String(decoding: try JSONEncoder().encode(changed), as: UTF8.self)
                    try database.execute(
                        sql: signsOut
                            ? "DELETE FROM recipient WHERE ? <> ''"
                            : "UPDATE recipient SET recipient = ?",
                        arguments: [json])
                }
            }
            return try push.seal(for: recipient)
        }
        #expect(devices == (signsOut ? 0 : 1))
        #expect(try store.number("SELECT count(*) FROM outbox") == devices)
        #expect(counter.next() == devices + 2)
    }
}
