internal import Foundation
internal import PushCryptCore
internal import PushCryptKeyring
internal import PushCryptPayload

/// The keys of a keyring, without anything secret.
struct KeyList {
    private struct Row {
        let id: String
        let thumbprint: String
        let state: String
        let created: Date
        let retired: Date?
        let expiration: Date?
    }

    private let generation: UInt64
    private let use: KeyUse
    private let now: Date
    private let rows: [Row]

    init<Key: PrivateKey>(_ ring: Keyring<Key>, _ use: KeyUse, at now: Date) {
        generation = ring.generation
        self.use = use
        self.now = now
        func row(_ entry: Keyring<Key>.Entry, _ state: String) -> Row {
            let key = entry.key.publicKey
            return Row(
                id: "\(key.keyID)", thumbprint: "\(key.thumbprint)", state: state, created: entry.created,
                retired: nil, expiration: nil)
        }
        rows =
            [row(ring.primary, "primary")] + ring.pending.map { row($0, "pending") }
            + ring.retired.map { entry in
                Row(
                    id: "\(entry.key.publicKey.keyID)", thumbprint: "\(entry.key.publicKey.thumbprint)",
                    state: "retired", created: entry.created, retired: entry.retired, expiration: entry.expiration)
            }
    }

    /// The keys for people.
    var table: String {
        let titles = ["ID", "USE", "STATE", "AGE", "OPENS UNTIL"]
        let cells =
            [titles]
            + rows.map { row in
                [
                    row.id, use.rawValue, row.state, age(row.created),
                    row.expiration.map { $0 <= now ? "\(Self.day($0)) (due)" : Self.day($0) } ?? "-",
                ]
            }
        let widths = titles.indices.map { column in cells.map { TextLayout.width($0[column]) }.max() ?? 0 }
        return cells.map { row in
            row.enumerated().map { $0 == row.count - 1 ? $1 : TextLayout.padded($1, width: widths[$0]) }
                .joined(separator: "  ")
        }.joined(separator: "\n")
    }

    /// The keys for programs.
    var value: JSONValue {
        [
            "generation": .number(JSONNumber(generation)),
            "keys": .array(
                rows.map { row in
                    var members: [String: JSONValue] = [
                        "id": .string(row.id), "kid": .string(row.thumbprint), "use": .string(use.rawValue),
                        "state": .string(row.state), "created": Self.seconds(row.created),
                        "ageInDays": .number(JSONNumber(days(row.created))),
                    ]
                    members["retired"] = row.retired.map(Self.seconds)
                    members["expiration"] = row.expiration.map(Self.seconds)
                    return .object(members)
                }),
        ]
    }

    private func days(_ created: Date) -> Int {
        Int(max(now.timeIntervalSince(created), 0) / (24 * 3600))
    }

    private func age(_ created: Date) -> String {
        let days = days(created)
        return days == 1 ? "1 day" : "\(days) days"
    }

    private static func day(_ date: Date) -> String {
        date.formatted(.iso8601.year().month().day())
    }

    private static func seconds(_ date: Date) -> JSONValue {
        .number(JSONNumber(Int64(date.timeIntervalSince1970)))
    }
}
