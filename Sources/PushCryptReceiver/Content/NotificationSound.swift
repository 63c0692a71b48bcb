internal import PushCryptPayload

/// The sound of a notification, as `aps.sound` describes it.
public enum NotificationSound: Sendable, Hashable {
    /// The system's sound.
    case standard
    /// A file of the app.
    case named(String)
    /// The system's sound for critical alerts; `volume` from 0 to 1, `nil` for the system's own.
    case standardCritical(volume: Double?)
    /// A file of the app, as a critical alert; `volume` from 0 to 1, `nil` for the system's own.
    case criticalNamed(String, volume: Double?)

    /// Reads the value of `aps.sound`, a string or a dictionary.
    ///
    /// `nil` where it is neither.
    init?(_ value: JSONValue) {
        if let name = value.stringValue {
            self = name == "default" ? .standard : .named(name)
            return
        }
        guard let members = value.objectValue else { return nil }
        let name = members["name"]?.stringValue ?? "default"
        // The system takes `true` for 1.
        guard members["critical"]?.intValue == 1 || members["critical"] == .bool(true) else {
            self = name == "default" ? .standard : .named(name)
            return
        }
        let volume = members["volume"]?.doubleValue
        self = name == "default" ? .standardCritical(volume: volume) : .criticalNamed(name, volume: volume)
    }
}
