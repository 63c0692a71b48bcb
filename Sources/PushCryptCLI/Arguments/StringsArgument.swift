internal import PushCryptCore
internal import PushCryptPayload

/// A `.strings` file on the command line.
enum StringsArgument {
    /// Reads the file.
    static func read(_ path: String) throws(PushCryptError) -> DictionaryStringTable {
        let bytes = try Input.read(path)
        do throws(PushCryptError) {
            return try DictionaryStringTable(parsing: bytes)
        } catch {
            throw error.naming(path)
        }
    }
}
