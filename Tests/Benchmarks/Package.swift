// swift-tools-version: 6.2
import PackageDescription

// A nested package, so that users of PushCrypt don't resolve the dependencies of its benchmarks.
// Run: swift package --package-path Tests/Benchmarks -c release --disable-sandbox benchmark
let package = Package(
    name: "pushcrypt-benchmarks",
    platforms: [.macOS(.v14)],
    traits: [
        .trait(name: "FastX25519", description: "Measures PushCrypt with its trait of this name.")
    ],
    dependencies: [
        .package(
            name: "pushcrypt", path: "../..",
            traits: [.trait(name: "FastX25519", condition: .when(traits: ["FastX25519"]))]),
        // Without its traits, which need more packages.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.0", traits: []),
    ],
    targets: [
        .systemLibrary(
            name: "RawSodium", path: "RawSodium", pkgConfig: "libsodium",
            providers: [.apt(["libsodium-dev"])]
        ),
        .target(name: "AllocationCounter", path: "AllocationCounter"),
        // libsodium's calls alone, the base of all ratios.
        .target(name: "RawBoxes", dependencies: ["RawSodium"], path: "RawBoxes"),
        .executableTarget(
            name: "PushCryptBenchmarks",
            dependencies: [
                "RawBoxes", "RawSodium", "AllocationCounter",
                .product(name: "PushCryptSender", package: "pushcrypt"),
                .product(name: "PushCryptReceiver", package: "pushcrypt"),
                .product(name: "Benchmark", package: "benchmark"),
            ],
            path: "Benchmarks/PushCryptBenchmarks",
            // The benchmarks of files use declarations with package access.
            swiftSettings: [
                .swiftLanguageMode(.v6), .treatAllWarnings(as: .error),
                .unsafeFlags(["-Xfrontend", "-disable-access-control"]),
            ],
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
        // Run: swift run --package-path Tests/Benchmarks -c release DeliveryBenchmark
        .executableTarget(
            name: "DeliveryBenchmark",
            dependencies: [
                "RawSodium",
                .product(name: "PushCryptSender", package: "pushcrypt"),
                .product(name: "PushCryptReceiver", package: "pushcrypt"),
            ],
            path: "Benchmarks/DeliveryBenchmark",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
        ),
        // Run: Tests/Benchmarks/run --check instructions
        .executableTarget(
            name: "InstructionsBenchmark",
            dependencies: [
                "RawBoxes", "AllocationCounter",
                .product(name: "PushCryptSender", package: "pushcrypt"),
                .product(name: "PushCryptReceiver", package: "pushcrypt"),
            ],
            path: "Benchmarks/InstructionsBenchmark",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
        ),
        // Run: swift run --package-path Tests/Benchmarks -c release ScaleBenchmark
        .executableTarget(
            name: "ScaleBenchmark",
            dependencies: ["RawSodium", .product(name: "PushCryptSender", package: "pushcrypt")],
            path: "Benchmarks/ScaleBenchmark",
            // The name of the library for X25519 has package access.
            swiftSettings: [
                .swiftLanguageMode(.v6), .treatAllWarnings(as: .error),
                .unsafeFlags(["-Xfrontend", "-disable-access-control"]),
            ]
        ),
        // Run: swift run --package-path Tests/Benchmarks -c release SignersBenchmark
        .executableTarget(
            name: "SignersBenchmark",
            dependencies: [.product(name: "PushCryptSender", package: "pushcrypt")],
            path: "Benchmarks/SignersBenchmark",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
        ),
        // Run: swift run --package-path Tests/Benchmarks -c release LinesBenchmark
        // .build/release/pushcrypt
        .executableTarget(
            name: "LinesBenchmark",
            dependencies: [.product(name: "PushCryptSender", package: "pushcrypt")],
            path: "Benchmarks/LinesBenchmark",
            // The loops reuse buffers, as the tool does, by declarations with package access.
            swiftSettings: [
                .swiftLanguageMode(.v6), .treatAllWarnings(as: .error),
                .unsafeFlags(["-Xfrontend", "-disable-access-control"]),
            ]
        ),
    ]
)
