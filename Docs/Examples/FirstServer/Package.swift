// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "FirstServer",
    platforms: [.macOS(.v13)],
    dependencies: [
        .package(name: "pushcrypt", path: "../../..", traits: ["APNs"])
    ],
    targets: [
        .executableTarget(
            name: "FirstServer",
            dependencies: [
                .product(name: "PushCryptAPNs", package: "pushcrypt"),
                .product(name: "PushCryptAPNsTesting", package: "pushcrypt"),
                .product(name: "PushCryptReceiver", package: "pushcrypt"),
            ])
    ]
)
