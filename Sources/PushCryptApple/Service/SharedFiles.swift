/// The files that an app and its extension share, by the names that both know.
public enum SharedFiles {
    /// The replay guard's file.
    ///
    /// - Parameter folder: the shared folder.
    /// - Returns: the path.
    public static func replayGuard(in folder: String) -> String { folder + "/pushcrypt.ids" }

    /// The log of outcomes.
    ///
    /// - Parameter folder: the shared folder.
    /// - Returns: the path.
    public static func outcomes(in folder: String) -> String { folder + "/pushcrypt.outcomes" }
}
