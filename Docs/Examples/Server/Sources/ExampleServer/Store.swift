import Foundation
import GRDB

/// The database, whose statements `postgresql.sql` has for PostgreSQL.
struct Store: Sendable {
    let database: DatabasePool

    init(path: String) throws {
        var configuration = Configuration()
        // Another process may write, such as the operator's sqlite3. Without a timeout, that would
        // end the server.
        configuration.busyMode = .timeout(30)
        database = try DatabasePool(path: path, configuration: configuration)
        try database.write { try $0.execute(sql: Self.schema) }
    }

    /// Throws if the database doesn't answer.
    func check() async throws {
        try await database.read { _ = try Int.fetchOne($0, sql: "SELECT 1 FROM recipient LIMIT 1") }
    }
}

extension Date {
    /// The milliseconds since 1970, as APNs counts.
    var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }
}
