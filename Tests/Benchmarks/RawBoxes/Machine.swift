import RawSodium

/// The parts of libsodium that change the number of instructions.
public enum Machine {
    /// The version of libsodium.
    public static var version: String { String(cString: sodium_version_string()) }

    /// The features of the processor by which libsodium chooses its code, in order.
    public static var features: [String] {
        precondition(sodium_init() >= 0)
        let all: [(String, Int32)] = [
            ("neon", sodium_runtime_has_neon()), ("sse2", sodium_runtime_has_sse2()),
            ("sse3", sodium_runtime_has_sse3()), ("ssse3", sodium_runtime_has_ssse3()),
            ("sse41", sodium_runtime_has_sse41()), ("avx", sodium_runtime_has_avx()),
            ("avx2", sodium_runtime_has_avx2()), ("avx512f", sodium_runtime_has_avx512f()),
            ("pclmul", sodium_runtime_has_pclmul()), ("aesni", sodium_runtime_has_aesni()),
            ("rdrand", sodium_runtime_has_rdrand()),
        ]
        return all.filter { $0.1 != 0 }.map(\.0)
    }

    /// Makes all random bytes the same in every run.
    ///
    /// So every run has the same signatures and the same number of instructions. Call it before all
    /// else, and only in a benchmark.
    public static func fixRandomBytes() {
        let fixed = UnsafeMutablePointer<randombytes_implementation>.allocate(capacity: 1)
        fixed.initialize(
            to: randombytes_implementation(
                implementation_name: { sodium_version_string() },
                random: { UInt32(truncatingIfNeeded: nextWord()) }, stir: nil, uniform: nil,
                buf: { target, count in
                    guard let target else { return }
                    for index in 0..<count {
                        let byte = UInt8(truncatingIfNeeded: nextWord() >> 32)
                        target.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
                    }
                }, close: { 0 }))
        precondition(randombytes_set_implementation(fixed) == 0 && sodium_init() >= 0)
    }
}

private nonisolated(unsafe) var state: UInt64 = 1

/// Returns the next number of a linear congruential generator.
private func nextWord() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state
}
