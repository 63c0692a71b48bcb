// What logs and debuggers show of a payload's parts: nothing of the content.

extension Payload.APS: CustomStringConvertible, CustomReflectable {
    /// What it is, without its content.
    public var description: String { "aps of \(members.count) members" }

    /// No members, so that `dump` and debug descriptions do not show the content either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Payload.Alert: CustomStringConvertible, CustomReflectable {
    /// What it is, without its content.
    public var description: String { "an alert" }

    /// No members, so that `dump` and debug descriptions do not show the content either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Payload.AlertText: CustomStringConvertible, CustomReflectable {
    /// What it is, without its content.
    public var description: String { "the text of an alert" }

    /// No members, so that `dump` and debug descriptions do not show the content either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
