// swift-tools-version: 6.2
import PackageDescription

// A package of a client. It sees the public API alone, so these tests find what a client can't name
// or read. Run: swift test --package-path Tests/Outside
let package = Package(
    name: "outside",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "pushcrypt", path: "../..")],
    targets: [
        .testTarget(
            name: "OutsideTests",
            dependencies: [
                .product(name: "PushCryptReceiver", package: "pushcrypt"),
                .product(name: "PushCryptLint", package: "pushcrypt"),
                .product(name: "PushCryptSender", package: "pushcrypt"),
                .product(name: "PushCryptTesting", package: "pushcrypt"),
            ])
    ],
    swiftLanguageModes: [.v6])
