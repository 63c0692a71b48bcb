internal import Foundation
internal import PushCryptCore
internal import PushCryptKeyring
internal import PushCryptPayload
internal import PushCryptSystem

/// The file with an installation's random name and its last confirmed registration, which backups must exclude.
struct RegistrationState: Sendable {
    /// A confirmed registration, as hashes.
    struct Registered: Sendable, Hashable {
        let key: String
        /// The hash of the device token and the account together: a hash of the account alone could be guessed.
        let token: String
        /// The hash of the accepted keys in the registration and of the pinned roots; `nil` without a policy.
        ///
        /// With other roots, the server may have another list for the device.
        var signers: String?
    }

    /// A registration that the device has sent, and the server hasn't confirmed.
    struct Begun: Sendable, Hashable {
        /// The registration as the device has sent it, without private keys.
        let registration: String
        /// The hash of the device token and the account together.
        let token: String
        /// The device's time of the first request, in seconds since 1970.
        let since: Int64
        /// The device's time of the last request, in seconds since 1970.
        var asked: Int64
        /// The number of challenges that the server has sent for this registration.
        var challenges: Int64 = 0
        /// A Boolean value that indicates whether the server has answered the last request with a challenge.
        var isWaiting = false
    }

    /// The last challenge that has reached the app.
    struct Arrival: Sendable, Hashable {
        /// The device's time, in seconds since 1970.
        let date: Int64
        /// The code of the error for which the device couldn't open it.
        var problem: String?
    }

    /// The contents of the file.
    struct Contents: Sendable, Hashable {
        var installationID: String
        var registered: Registered?
        /// The device's time of the confirmation, in seconds since 1970.
        var confirmed: Int64?
        /// The device's time of the last registration that a push asked for, in seconds since 1970.
        var asked: Int64?
        /// The registration that the device has begun; `nil` if the server has confirmed the last one.
        var begun: Begun?
        /// The last challenge that has reached the app.
        var arrival: Arrival?
        /// The device's time of the last answer to a challenge, in seconds since 1970.
        var answered: Int64?
        /// The seconds by which the server's clock was ahead of the device's at its last answer.
        var clock: Int64?

        /// Records that a registration is about to be sent.
        ///
        /// - Returns: A Boolean value that indicates whether the device asks for a visible challenge, because a silent
        ///   one hasn't arrived.
        mutating func begin(_ registration: String, token: String, at now: Date) -> Bool {
            let last = begun
            let isRepetition = last?.registration == registration && last?.token == token
            let challenges = isRepetition ? last?.challenges ?? 0 : 0
            let seconds = Int64(exactly: now.timeIntervalSince1970.rounded(.down)) ?? 0
            begun = Begun(
                registration: registration, token: token, since: isRepetition ? last?.since ?? seconds : seconds,
                asked: seconds, challenges: challenges)
            return challenges > 0
        }

        mutating func arrived(at now: Date, problem: PushCryptError.Code? = nil) {
            let seconds = Int64(exactly: now.timeIntervalSince1970.rounded(.down)) ?? 0
            arrival = Arrival(date: seconds, problem: problem?.rawValue)
        }

        mutating func confirm(_ registered: Registered, at now: Date) {
            self.registered = registered
            begun = nil
            // `nil` for a time that isn't a number; the server is then asked again.
            confirmed = Int64(exactly: now.timeIntervalSince1970.rounded(.down))
        }
    }

    let path: String

    /// Returns the contents of the file, and creates the random name if it's missing.
    func read() throws(PushCryptError) -> Contents {
        try SecretFile(path).withLock { () throws(PushCryptError) in try readOrCreate() }
    }

    func update(_ change: (inout Contents) -> Void) throws(PushCryptError) {
        try SecretFile(path).withLock { () throws(PushCryptError) in
            var contents = try readOrCreate()
            change(&contents)
            try write(contents)
        }
    }

    private func readOrCreate() throws(PushCryptError) -> Contents {
        let file = try SecretFile(path).readIfPresent()
        // A damaged file is replaced: the keys are elsewhere, and the server is asked again.
        if let contents = file?.withSpan({ Self.parse([UInt8](copying: $0)) }) { return contents }
        var name = [UInt8](repeating: 0, count: 16)
        try RandomBytes.fill(&name, 0..<16)
        let contents = Contents(installationID: Base64URL.encode(name))
        try write(contents)
        return contents
    }

    private func write(_ contents: Contents) throws(PushCryptError) {
        var members: [String: JSONValue] = ["installation": .string(contents.installationID)]
        if let registered = contents.registered {
            members["key"] = .string(registered.key)
            members["token"] = .string(registered.token)
            members["signers"] = registered.signers.map { .string($0) }
            if let confirmed = contents.confirmed { members["confirmed"] = .number(JSONNumber(confirmed)) }
        }
        members["answered"] = contents.answered.map { .number(JSONNumber($0)) }
        members["clock"] = contents.clock.map { .number(JSONNumber($0)) }
        members["arrival"] = contents.arrival.map { arrival in
            var value: [String: JSONValue] = ["date": .number(JSONNumber(arrival.date))]
            value["problem"] = arrival.problem.map { .string($0) }
            return .object(value)
        }
        members["asked"] = contents.asked.map { .number(JSONNumber($0)) }
        members["begun"] = contents.begun.map { begun in
            .object([
                "registration": .string(begun.registration), "token": .string(begun.token),
                "since": .number(JSONNumber(begun.since)), "asked": .number(JSONNumber(begun.asked)),
                "challenges": .number(JSONNumber(begun.challenges)),
                "waiting": .bool(begun.isWaiting),
            ])
        }
        try OutputFile.write(JSONText.encoded(JSONValue.object(members)), to: path, isPrivate: true)
    }

    private static func parse(_ bytes: [UInt8]) -> Contents? {
        guard let members = (try? JSONValue(parsing: bytes))?.objectValue,
            let installationID = members["installation"]?.stringValue, !installationID.isEmpty
        else { return nil }
        var contents = Contents(installationID: installationID)
        if let key = members["key"]?.stringValue, let token = members["token"]?.stringValue {
            contents.registered = Registered(
                key: key, token: token, signers: members["signers"]?.stringValue)
            contents.confirmed = members["confirmed"]?.numberValue?.exactly(Int64.self)
        }
        contents.asked = members["asked"]?.numberValue?.exactly(Int64.self)
        contents.answered = members["answered"]?.numberValue?.exactly(Int64.self)
        contents.clock = members["clock"]?.numberValue?.exactly(Int64.self)
        contents.arrival = members["arrival"].flatMap { value in
            let date = value["date"]?.numberValue?.exactly(Int64.self)
            return date.map { Arrival(date: $0, problem: value["problem"]?.stringValue) }
        }
        contents.begun = members["begun"].flatMap(Begun.init)
        return contents
    }
}

extension RegistrationState.Begun {
    /// Reads the member of the file; `nil` if it's damaged, so that the device registers again.
    fileprivate init?(_ value: JSONValue) {
        guard let registration = value["registration"]?.stringValue, let token = value["token"]?.stringValue,
            let since = value["since"]?.numberValue?.exactly(Int64.self),
            let asked = value["asked"]?.numberValue?.exactly(Int64.self)
        else { return nil }
        self.init(
            registration: registration, token: token, since: since, asked: asked,
            challenges: max(0, value["challenges"]?.numberValue?.exactly(Int64.self) ?? 0),
            isWaiting: value["waiting"] == .bool(true))
    }
}

extension RegistrationState.Registered {
    init(
        _ registration: Registration, token: String, from carrier: Carrier = .apns, account: String,
        roots: SignerRoots? = nil
    ) throws(PushCryptError) {
        self.init(
            key: registration.key.kid,
            // The account is last, because its name is any text.
            token: try Self.hash((carrier == .apns ? "" : "\(carrier):") + "\(token):\(account)"),
            signers: try registration.signers.map { (signers) throws(PushCryptError) in
                let pinned = (roots?.keys.map(\.kid) ?? []) + [roots?.audience ?? ""]
                return try Self.hash((signers.kids + [""] + pinned).joined(separator: " "))
            })
    }

    private static func hash(_ text: String) throws(PushCryptError) -> String {
        Base64URL.encode(try SHA256.hash(Array(text.utf8)).array)
    }
}
