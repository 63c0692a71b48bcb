import Foundation
import GRDB

@testable import ExampleServer

extension Store {
    /// Adds rows to the outbox in one statement, with the tokens `00…01` and so on.
    func addRows(_ count: Int, at now: Date, finished: Date? = nil) throws {
        try database.write { database in
            try database.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
                    INSERT INTO outbox (
                        apns_id, message, account, device_token, payload, expiration, next_attempt,
                            finished)
                    SELECT printf('00000000-0000-4000-8000-%012x', i), printf('%08d', i), 'row',
                        printf('%064x', i),
                        x'7b7d', ?, ?, ? FROM n
                    """,
                arguments: [
                    count, (now + 3600).milliseconds, now.milliseconds, finished?.milliseconds,
                ])
        }
    }

    /// Adds a device that registered at a time.
    func addDevice(_ number: Int, registered: Date) throws {
        try database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO recipient (account, device_token, recipient, registered)
                    SELECT account, printf('%064x', ?), replace(recipient, device_token,
                        printf('%064x', ?)), ?
                    FROM recipient LIMIT 1
                    """, arguments: [number, number, registered.milliseconds])
        }
    }

    func number(_ sql: String) throws -> Int? {
        try database.read { try Int.fetchOne($0, sql: sql) }
    }
}
