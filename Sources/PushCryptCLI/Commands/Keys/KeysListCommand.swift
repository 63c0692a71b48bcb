internal import ArgumentParser
internal import Foundation
internal import PushCryptSender

struct KeysListCommand: KeyringCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the keys: ID, use, state, age, and the day until which they open messages.",
        discussion: "Example: pushcrypt keys list --json")

    @OptionGroup var keyring: KeyringOption

    @Flag(help: KeyringOption.mountedHelp) var mounted = false
    @Flag(help: "Print one JSON object.") var json = false

    func run<Key: PrivateKey>(with file: KeyringFile<Key>) throws(PushCryptError) -> String {
        let ring = try file.read()
        let now = Date()
        var rows = [Row(ring.primary.key, "primary", created: ring.primary.created, at: now)]
        rows += ring.pending.map { Row($0.key, "pending", created: $0.created, at: now) }
        rows += ring.retired.map { Row($0, at: now) }
        if json {
            return JSONText.pretty([
                "generation": .number(JSONNumber(ring.generation)),
                "keys": .array(rows.map(\.value)),
            ])
        }
        return Self.table(rows.map(\.cells))
    }

    /// A key as cells of the table, and as JSON.
    private struct Row {
        let cells: [String]
        let value: JSONValue

        init<Key: PrivateKey>(_ entry: Keyring<Key>.RetiredEntry, at now: Date) {
            // A signing key has no due date: devices may accept no newer one.
            let expiration = KeyUse(Key.self) == .sig ? nil : entry.expiration
            self.init(
                entry.key, "retired", created: entry.created, retired: (entry.retired, expiration),
                at: now)
        }

        init<Key: PrivateKey>(
            _ key: Key, _ state: String, created: Date,
            retired: (date: Date, expiration: Date?)? = nil, at now: Date
        ) {
            let id = key.publicKey.keyID.description
            let use = KeyUse(Key.self).rawValue
            let days = Int(max(now.timeIntervalSince(created), 0) / (24 * 3600))
            let end = retired?.expiration.map { $0.isoDay + ($0 <= now ? " (due)" : "") }
            var members: [String: JSONValue] = [
                "id": .string(id), "kid": .string("\(key.publicKey.kid)"), "use": .string(use),
                "state": .string(state), "created": seconds(created),
                "ageInDays": .number(JSONNumber(days)),
            ]
            members["retired"] = retired.map { seconds($0.date) }
            members["expiration"] = retired?.expiration.map(seconds)
            cells = [id, use, state, "\(days) \(days == 1 ? "day" : "days")", end ?? "-"]
            value = .object(members)
        }
    }

    private static func table(_ rows: [[String]]) -> String {
        let cells = [["ID", "USE", "STATE", "AGE", "OPENS UNTIL"]] + rows
        return cells.map { row in
            row.indices.map { column in
                column == 4
                    ? row[4] : row[column].padded(to: cells.map { $0[column].count }.max() ?? 0)
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}

private func seconds(_ date: Date) -> JSONValue {
    .number(JSONNumber(Int64(date.timeIntervalSince1970)))
}
