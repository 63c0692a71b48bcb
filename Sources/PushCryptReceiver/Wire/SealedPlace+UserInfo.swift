internal import PushCryptCore
internal import PushCryptPayload

// The dictionaries of the system.
extension SealedPlace {
    /// Returns the value at the location of the sealed value; `nil` if it's missing.
    func value(in userInfo: [AnyHashable: Any]) -> Any? {
        var dictionary = userInfo
        for name in container {
            guard let inner = dictionary[name] as? [AnyHashable: Any] else { return nil }
            dictionary = inner
        }
        return dictionary[Envelope.payloadKey]
    }

    /// Returns a delivered dictionary with `aps`, the sealed value and the carrier's members only.
    ///
    /// Any other member is an attacker's or a mistake: the app must not read it under a
    /// notification that isn't opened.
    package func cleaned(_ userInfo: [AnyHashable: Any]) -> [AnyHashable: Any] {
        cleaned(userInfo, at: [])
    }

    private func cleaned(_ dictionary: [AnyHashable: Any], at path: [String]) -> [AnyHashable: Any]
    {
        var kept: [AnyHashable: Any] = [:]
        for (key, value) in dictionary {
            guard let name = key as? String else { continue }
            let inner = path + [name]
            if inner == ["aps"] || (inner == place || isAdded(inner)) && value is String {
                kept[key] = value
            } else if isParent(inner), let members = value as? [AnyHashable: Any] {
                kept[key] = cleaned(members, at: inner)
            }
        }
        return kept
    }

    /// Returns a dictionary without the sealed value.
    package func withoutSealedValue(_ userInfo: [AnyHashable: Any]) -> [AnyHashable: Any] {
        without(place[...], userInfo)
    }

    private func without(_ path: ArraySlice<String>, _ dictionary: [AnyHashable: Any])
        -> [AnyHashable: Any]
    {
        guard let name = path.first else { return dictionary }
        var rest = dictionary
        if path.count == 1 {
            rest[name] = nil
        } else if let inner = dictionary[name] as? [AnyHashable: Any] {
            rest[name] = without(path.dropFirst(), inner)
        }
        return rest
    }

    /// Returns a Boolean value that indicates whether a dictionary has only `aps` and members that
    /// the carrier adds.
    func hasNoMembers(_ userInfo: [AnyHashable: Any]) -> Bool { hasNoMembers(userInfo, at: []) }

    private func hasNoMembers(_ dictionary: [AnyHashable: Any], at path: [String]) -> Bool {
        dictionary.allSatisfy { key, value in
            guard let name = key as? String else { return false }
            let inner = path + [name]
            if inner == ["aps"] || isAdded(inner) { return true }
            guard isParent(inner), let members = value as? [AnyHashable: Any] else { return false }
            return hasNoMembers(members, at: inner)
        }
    }

    /// Returns the members that the carrier has added to a dictionary, at their locations.
    func addedMembers(of userInfo: [AnyHashable: Any]) -> [String: JSONValue] {
        addedMembers(of: userInfo, at: [])
    }

    private func addedMembers(of dictionary: [AnyHashable: Any], at path: [String]) -> [String:
        JSONValue]
    {
        var members: [String: JSONValue] = [:]
        for (key, value) in dictionary {
            guard let name = key as? String else { continue }
            let inner = path + [name]
            if isAdded(inner), let text = value as? String {
                members[name] = .string(text)
            } else if isParent(inner), let nested = value as? [AnyHashable: Any] {
                let found = addedMembers(of: nested, at: inner)
                if !found.isEmpty { members[name] = .object(found) }
            }
        }
        return members
    }
}
