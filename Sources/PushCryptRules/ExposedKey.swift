/// A key of `aps` that stays readable beside the sealed payload.
///
/// Apple and other servers can read an exposed value, and it isn't authenticated. Only the fallback, and waking the
/// app, depend on it.
public enum ExposedKey: String, Sendable, Hashable, CaseIterable {
    /// The category, with the actions of the notification and its content extension.
    ///
    /// It reveals the kind of message. Without it the fallback has no actions.
    case category
    /// The group of the notification.
    ///
    /// It reveals which messages belong together, and its text: make it opaque with `OpaqueIDs`. Without it the fallback is
    /// in the group of the app.
    case threadID = "thread-id"
    /// The sound.
    ///
    /// It reveals the meaning of the sound. Without it the fallback is silent.
    case sound
    /// The number on the app's icon.
    ///
    /// It reveals the number of unread messages. Without it the fallback keeps the number.
    case badge
    /// The interruption level.
    ///
    /// It reveals the urgency. Without it a Focus or the summary may delay the fallback.
    case interruptionLevel = "interruption-level"
    /// The rank in the summary.
    ///
    /// It reveals the importance. Without it the fallback is last.
    case relevanceScore = "relevance-score"
    /// The window of the app.
    ///
    /// It reveals the part of the app. Without it a tap on the fallback opens any window.
    case targetContentID = "target-content-id"
    /// The Focus filter.
    ///
    /// It reveals the account or area of the user. Without it the system treats the fallback like any other.
    case filterCriteria = "filter-criteria"
    /// The flag that wakes the app too.
    ///
    /// It reveals that the app loads something. Without it the system doesn't wake the app, even if the message opens.
    case contentAvailable = "content-available"
}
