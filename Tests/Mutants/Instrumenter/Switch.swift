/// The source that each module with mutants gets.
///
/// `PUSHCRYPT_MUTANT` is the number of the active mutant. `PUSHCRYPT_MUTANT_TRACE` is a file that
/// gets the numbers of the mutants whose code runs.
let switchSource = #"""
    import Glibc

    private let active: Int = unsafe getenv("PUSHCRYPT_MUTANT").flatMap { unsafe Int(String(cString: $0)) } ?? 0
    private let trace: Int32 = unsafe getenv("PUSHCRYPT_MUTANT_TRACE")
        .map { unsafe open($0, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) } ?? -1
    nonisolated(unsafe) private let traced = UnsafeMutablePointer<UInt8>.allocate(capacity: 65_536)

    /// Whether a mutant is active.
    func isMutant(_ number: Int) -> Bool {
        if trace >= 0, unsafe traced[number] != 1 {
            unsafe traced[number] = 1
            let line = "\(number)\n"
            _ = unsafe write(trace, line, line.utf8.count)
        }
        return active == number
    }
    """#
