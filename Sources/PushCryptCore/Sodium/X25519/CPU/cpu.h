#pragma once
#include <stdbool.h>
#if defined(__linux__) && defined(__x86_64__)
#include <cpuid.h>
#endif

// Returns whether BoringSSL uses its assembly for X25519, which needs BMI1, BMI2 and ADX (Intel's manual, CPUID leaf 7).
static inline bool pushcrypt_cpu_has_adx(void) {
#if defined(__linux__) && defined(__x86_64__)
    const unsigned features = 1u << 3 | 1u << 8 | 1u << 19;
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & features) == features;
#else
    // Elsewhere BoringSSL has portable C as libsodium does, and Apple's systems have CryptoKit instead.
    return false;
#endif
}
