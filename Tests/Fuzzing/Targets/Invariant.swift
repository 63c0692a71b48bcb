import PushCryptCore

/// Ends the process if an input breaks an invariant, so that libFuzzer keeps the input.
func require(_ isTrue: Bool, _ invariant: @autoclosure () -> String) {
    if !isTrue { fatalError("Broken invariant: \(invariant())") }
}

/// Returns a value of the harness itself, which must not fail.
func fixed<Value>(_ body: () throws -> Value) -> Value {
    do {
        return try body()
    } catch {
        fatalError("The harness can't start: \(error)")
    }
}

/// The content that no error may repeat; seeds and dictionaries have it.
let marker = Array("~secret~".utf8)

/// Checks the invariants of each error: a code in lowercase, and a reason in one line without
/// content.
func checkError(_ error: PushCryptError) {
    let code = error.code.rawValue.utf8
    require(
        !code.isEmpty
            && code.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
            },
        "the code \(error.code) is lowercase letters, digits and hyphens")
    let reason = Array(error.reason.utf8)
    require((10...600).contains(reason.count), "a reason has 10 to 600 bytes")
    require(reason.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "a reason is one line")
    require(
        reason.last.map { ".)".utf8.contains($0) } == true, "a reason ends with a period: \(error)")
    require(!contains(marker, reason), "an error doesn't contain content")
}

/// Returns a Boolean value that indicates whether bytes contain a word.
func contains(_ word: [UInt8], _ bytes: [UInt8]) -> Bool {
    guard bytes.count >= word.count, let first = word.first else { return false }
    for start in 0...(bytes.count - word.count) where bytes[start] == first {
        if bytes[start..<(start + word.count)].elementsEqual(word) { return true }
    }
    return false
}

/// Runs code that may reject an input, and checks the error.
///
/// - Returns: The accepted value; `nil` if the input was rejected.
func accepted<Value>(_ body: () throws(PushCryptError) -> Value) -> Value? {
    do throws(PushCryptError) {
        return try body()
    } catch {
        checkError(error)
        return nil
    }
}
