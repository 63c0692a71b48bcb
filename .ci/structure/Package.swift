// swift-tools-version: 6.2
import PackageDescription

// The gates of structure. Only .ci/run builds them, so no user of the library fetches swift-syntax.
let package = Package(
    name: "structure",
    dependencies: [
        .package(url: "https://github.com/swiftlang/swift-syntax.git", from: "603.0.0")
    ],
    targets: [
        .executableTarget(
            name: "structure",
            dependencies: [
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
            ])
    ]
)
