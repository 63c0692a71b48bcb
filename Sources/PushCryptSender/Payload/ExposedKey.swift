/// A key of the original `aps` that a sender may leave visible beside the sealed original, by its name there.
///
/// Nothing is visible unless it is asked for. What is visible is seen by Apple and everybody else on the way, and works
/// even where the message cannot be opened.
public enum ExposedKey: String, Sendable, Hashable, CaseIterable {
    /// Which actions the notification has.
    case category
    /// Which notifications it is grouped with.
    case threadID = "thread-id"
    /// Which sound it makes.
    case sound
    /// The number on the app's icon.
    case badge
    /// How far it may interrupt.
    case interruptionLevel = "interruption-level"
    /// Where it stands in the summary.
    case relevanceScore = "relevance-score"
    /// Which window it is for.
    case targetContentID = "target-content-id"
    /// Which Focus lets it through.
    case filterCriteria = "filter-criteria"
}
