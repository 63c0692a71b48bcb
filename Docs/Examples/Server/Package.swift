// swift-tools-version: 6.2
import PackageDescription

let warningsAreErrors = Context.environment["PUSHCRYPT_WARNINGS_ARE_ERRORS"] == "1"
let settings: [SwiftSetting] =
    [.swiftLanguageMode(.v6), .strictMemorySafety(), .enableUpcomingFeature("ExistentialAny")]
    + (warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])

let package = Package(
    name: "example-server",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(name: "pushcrypt", path: "../../..", traits: ["APNs"]),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.0.0"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.0.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.0.0"),
    ],
    targets: [
        .executableTarget(
            name: "ExampleServer",
            dependencies: [
                .product(name: "PushCryptAPNs", package: "pushcrypt"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ExampleServerTests",
            dependencies: [
                "ExampleServer",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "PushCryptAPNs", package: "pushcrypt"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "PushCryptTesting", package: "pushcrypt"),
            ],
            swiftSettings: settings),
    ]
)
