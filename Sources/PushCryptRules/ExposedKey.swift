/// A key of the original `aps` that a sender may leave visible beside the sealed original, by its name there.
///
/// Nothing is visible unless it is asked for. What is visible is seen by Apple and everybody else on the way, is not
/// authenticated, and works even where the message cannot be opened. Each key says what it tells those on the way, and
/// what is lost without it where the fallback is shown. Where the message opens, nothing is, but that the app is not
/// woken.
public enum ExposedKey: String, Sendable, Hashable, CaseIterable {
    /// Which actions the notification has, and which content extension opens for it.
    ///
    /// It tells what kind of message it is. Without it the fallback has no actions.
    case category
    /// Which notifications it is grouped with.
    ///
    /// It tells which messages belong together, and whatever its text says: make it opaque with ``OpaqueIDs``. Without it
    /// the fallback is grouped with the app's other notifications.
    case threadID = "thread-id"
    /// Which sound it makes.
    ///
    /// It tells what the sound stands for. Without it the fallback is silent.
    case sound
    /// The number on the app's icon.
    ///
    /// It tells how much is unread. Without it the fallback leaves the number.
    case badge
    /// How far it may interrupt.
    ///
    /// It tells how urgent the message is. Without it the fallback is held back by a Focus, or put into the summary.
    case interruptionLevel = "interruption-level"
    /// Where it stands in the summary.
    ///
    /// It tells how important the message is. Without it the fallback comes last.
    case relevanceScore = "relevance-score"
    /// Which window it is for.
    ///
    /// It tells which part of the app is meant. Without it a tap on the fallback opens the app in any window.
    case targetContentID = "target-content-id"
    /// Which Focus lets it through.
    ///
    /// It tells which of the user's accounts or areas is meant. Without it the fallback is treated like any other.
    case filterCriteria = "filter-criteria"
    /// Whether the system wakes the app, too.
    ///
    /// It tells that the app loads something. Without it the app is not woken, not even where the message opens.
    case contentAvailable = "content-available"
}
