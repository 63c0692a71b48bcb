internal import Foundation
internal import PushCryptSender

/// The result of `keys check` for a valid keyring.
struct KeyringReport {
    let path: String
    let use: KeyUse
    let generation: UInt64
    let rows: [KeyringRow]
    var list: ListReport?
    var recipients: RecipientCounts?
    var findings: [KeyringFinding] = []
    /// The table of the keys and their recipients.
    var table: [String] = []

    var hasWarnings: Bool { findings.contains { $0.severity == .warning } }

    /// The report as one JSON object.
    func json() -> String {
        var members: [String: JSONValue] = [
            "path": .string(path), "use": .string(use.rawValue),
            "generation": .number(JSONNumber(generation)),
            "findings": .array(
                findings.map {
                    [
                        "severity": .string($0.severity.rawValue), "code": .string($0.code),
                        "text": .string($0.text),
                    ]
                }),
        ]
        for state in ["pending", "retired"] {
            members[state] = .array(
                rows.filter { $0.state == state }.map { $0.json(count(of: $0)) })
        }
        members["primary"] = rows.first { $0.state == "primary" }.map { $0.json(count(of: $0)) }
        members["list"] = list?.json
        members["recipients"] = recipients.map { .object(Self.members(of: $0)) }
        return JSONText.pretty(.object(members))
    }

    private func count(of row: KeyringRow) -> Int? {
        row.verificationKey.flatMap { recipients?.count(of: $0) }
    }

    private static func members(of counts: RecipientCounts) -> [String: JSONValue] {
        [
            "total": .number(JSONNumber(counts.total)), "bare": .number(JSONNumber(counts.bare)),
            "unreachable": .number(JSONNumber(counts.unreachable)),
            "other": .array(
                counts.others.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
                    ["kid": .string($0.key), "recipients": .number(JSONNumber($0.value))]
                }),
        ]
    }

    /// Returns the report of a keyring that can't be used, as one JSON object.
    static func json(of error: PushCryptError, path: String) -> String {
        JSONText.pretty([
            "path": .string(path),
            "findings": [
                [
                    "severity": "error", "code": .string("\(error.code)"),
                    "text": .string(error.reason),
                ]
            ],
        ])
    }
}

/// A key in a report.
struct KeyringRow {
    let id: String
    let kid: String
    let state: String
    let ageInDays: Int
    /// The key that recipients accept; `nil` for a recipient's key.
    let verificationKey: VerificationKey?

    func json(_ recipients: Int?) -> JSONValue {
        var members: [String: JSONValue] = [
            "id": .string(id), "kid": .string(kid), "ageInDays": .number(JSONNumber(ageInDays)),
        ]
        members["recipients"] = recipients.map { .number(JSONNumber($0)) }
        return .object(members)
    }
}

/// The list that the server hands out, in a report.
struct ListReport {
    let list: SignerList
    let daysLeft: Int
    /// The IDs of the keyring's keys that the list lacks.
    let missing: [String]
    /// The IDs of the list's keys that the keyring lacks.
    let unknown: [String]

    var json: JSONValue {
        var members: [String: JSONValue] = [
            "number": .number(JSONNumber(list.number)), "rootKid": .string(list.rootKid),
            "daysLeft": .number(JSONNumber(daysLeft)),
            "missing": .array(missing.map { .string($0) }),
            "unknown": .array(unknown.map { .string($0) }),
        ]
        members["audience"] = list.audience.map { .string($0) }
        return .object(members)
    }
}
