// swift-tools-version: 6.2
import PackageDescription

// Warnings are errors for whoever works on this package. A compiler that is newer than this
// release, and warns of something, must not keep anyone else from building it.
let warningsAreErrors = Context.environment["PUSHCRYPT_WARNINGS_ARE_ERRORS"] == "1"
let warningSettings: [SwiftSetting] = warningsAreErrors ? [.treatAllWarnings(as: .error)] : []

// libsodium comes from the system on Linux, and on Apple's platforms, which have none, from its
// author's xcframework. Both modules have the same name and the same C symbols.
#if canImport(Darwin)
let sodiumPackages: [Package.Dependency] = [
    .package(url: "https://github.com/jedisct1/swift-sodium.git", from: "0.10.0")
]
let sodiumTargets: [Target] = []
let sodium: Target.Dependency = .product(name: "Clibsodium", package: "swift-sodium")
#else
let sodiumPackages: [Package.Dependency] = []
let sodiumTargets: [Target] = [
    .systemLibrary(name: "Clibsodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])])
]
let sodium: Target.Dependency = "Clibsodium"
#endif

// Apple's frameworks exist on Apple's platforms only. Elsewhere the target that needs them is
// compiled and tested against stand-ins, and no product contains it: nothing that a Linux user can
// link has a stand-in inside.
#if canImport(Darwin)
let appleProducts: [Product] = [.library(name: "PushCryptApple", targets: ["PushCryptApple"])]
let appleFrameworks: [Target.Dependency] = []
let appleStandIns: [Target] = []
let docsExamples: [Target.Dependency] = []
let vendors: [Target.Dependency] = []
// Every product has the keyring, so its bundle brings the privacy manifest into the app and into
// each extension.
let privacyManifest: (resources: [Resource], excluded: [String]) = (
    [.copy("PrivacyInfo.xcprivacy")], []
)
#else
let privacyManifest: (resources: [Resource], excluded: [String]) = ([], ["PrivacyInfo.xcprivacy"])
let appleProducts: [Product] = []
let appleFrameworks: [Target.Dependency] = [
    "UserNotifications", "UserNotificationsUI", "PushKit", "CallKit", "UIKit",
]
let vendors: [Target.Dependency] = [
    "OneSignalExtension", "FirebaseMessaging", "BrazeNotificationService",
]
let appleStandIns: [Target] = [
    .target(name: "UserNotifications", path: "Tests/Shims/UserNotifications"),
    .target(
        name: "UserNotificationsUI", dependencies: ["UserNotifications"],
        path: "Tests/Shims/UserNotificationsUI"),
    .target(name: "PushKit", path: "Tests/Shims/PushKit"),
    .target(name: "CallKit", path: "Tests/Shims/CallKit"),
    // The helpers of vendors, which an extension calls with opened content.
    .target(
        name: "OneSignalExtension", dependencies: ["UserNotifications"],
        path: "Tests/Shims/OneSignalExtension"),
    .target(
        name: "FirebaseMessaging", dependencies: ["UserNotifications"],
        path: "Tests/Shims/FirebaseMessaging"),
    .target(
        name: "BrazeNotificationService", dependencies: ["UserNotifications"],
        path: "Tests/Shims/BrazeNotificationService"),
    // The frameworks whose modules the tool writes.
    .target(name: "ExpoModulesCore", path: "Tests/Shims/ExpoModulesCore"),
    .target(name: "React", path: "Tests/Shims/React"),
    .target(name: "Flutter", path: "Tests/Shims/Flutter"),
    .target(
        name: "FrameworkTemplates",
        dependencies: ["PushCryptApple", "UIKit", "ExpoModulesCore", "React", "Flutter"],
        path: "Sources/PushCryptCLI/Templates",
        exclude: [
            "Expo/expo-index.js", "Expo/expo-module.config.json", "Expo/expo.podspec",
            "Expo/with-pushcrypt.js",
            "Flutter/flutter-package.txt", "Flutter/pubspec.yaml", "Flutter/pushcrypt_flutter.dart",
            "ReactNative/PushCryptReactModule.m", "ReactNative/react-native-index.js",
            "ReactNative/react-native-package.json", "ReactNative/react-native.podspec",
        ],
        swiftSettings: [.swiftLanguageMode(.v6)] + warningSettings),
    .target(name: "UIKit", dependencies: ["UserNotifications"], path: "Tests/Shims/UIKit"),
    // These are an app's files and no product's.
    .target(
        name: "DocsExamples", dependencies: ["PushCryptApple"] + appleFrameworks + vendors,
        path: "Docs/Examples",
        exclude: [
            "App-Info.plist", "App/App.entitlements",
            "NotificationService/NotificationService.entitlements",
            "NotificationService/Info.plist",
            "NotificationContent/NotificationContent.entitlements",
            "NotificationContent/Info.plist",
            "FirstServer", "Server",  // Nested packages.
        ],
        // As in a new Xcode project, where whatever says nothing else is bound to the main actor.
        swiftSettings: [
            .defaultIsolation(MainActor.self),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            .enableUpcomingFeature("InferIsolatedConformances"),
        ]),
]
let docsExamples: [Target.Dependency] = ["DocsExamples", "FrameworkTemplates"]
#endif

// The packages of the trait APNs, by product.
func forAPNs(_ products: KeyValuePairs<String, String>) -> [Target.Dependency] {
    products.map { .product(name: $0.key, package: $0.value, condition: .when(traits: ["APNs"])) }
}
let client = forAPNs([
    "Crypto": "swift-crypto", "Logging": "swift-log", "Metrics": "swift-metrics",
    "NIOCore": "swift-nio", "NIOHPACK": "swift-nio-http2", "NIOHTTP2": "swift-nio-http2",
    "NIOPosix": "swift-nio",
    "NIOSSL": "swift-nio-ssl", "NIOTLS": "swift-nio",
])
let server = forAPNs([
    "Crypto": "swift-crypto", "NIOCore": "swift-nio", "NIOPosix": "swift-nio",
    "NIOHPACK": "swift-nio-http2",
    "NIOHTTP2": "swift-nio-http2", "NIOSSL": "swift-nio-ssl",
])

let package = Package(
    name: "pushcrypt",
    platforms: [.iOS(.v15), .macOS(.v13), .watchOS(.v8)],
    products: [
        .library(name: "PushCryptSender", targets: ["PushCryptSender"]),
        .library(name: "PushCryptLint", targets: ["PushCryptLint"]),
        .library(name: "PushCryptReceiver", targets: ["PushCryptReceiver"]),
        .library(name: "PushCryptTesting", targets: ["PushCryptTesting"]),
        .library(name: "PushCryptAPNs", targets: ["PushCryptAPNs"]),
        .library(name: "PushCryptAPNsTesting", targets: ["PushCryptAPNsTesting"]),
        .executable(name: "pushcrypt", targets: ["PushCryptCLI"]),
    ] + appleProducts,
    traits: [
        .trait(
            name: "FastX25519",
            description:
                "Takes X25519 from swift-crypto (BoringSSL) if the CPU makes it faster than libsodium's."
        ),
        // The signatures of provider tokens need swift-crypto anyway.
        .trait(
            name: "APNs",
            description:
                "Builds PushCryptAPNs, its server for tests, 'pushcrypt send' and 'pushcrypt testserver'.",
            enabledTraits: ["FastX25519"]),
    ],
    dependencies: [
        // For the traits alone. Every use has its condition, or the package would be fetched
        // without the trait, too.
        .package(url: "https://github.com/apple/swift-crypto.git", "3.12.3"..<"5.0.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.80.0"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.36.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.30.0"),
        // For the tool alone: no library target depends on it.
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.5.0"),
    ] + sodiumPackages,
    targets: [
        .target(name: "PushCryptFoundation"),
        .target(
            name: "PushCryptCore",
            dependencies: [
                "PushCryptFoundation", sodium,
                .product(
                    name: "Crypto", package: "swift-crypto",
                    condition: .when(traits: ["FastX25519"])),
            ],
            // For the spans of arrays on systems before iOS 26 (Memory/Array+Span.swift).
            swiftSettings: [.enableExperimentalFeature("Lifetimes")]),
        // Files, locks and system calls.
        .target(name: "PushCryptSystem", dependencies: ["PushCryptCore", "PushCryptFoundation"]),
        // Internal targets: no product names them, and the sender and the receiver re-export them.
        .target(
            name: "PushCryptKeyring", dependencies: ["PushCryptCore", "PushCryptSystem"],
            exclude: privacyManifest.excluded, resources: privacyManifest.resources),
        .target(name: "PushCryptPayload", dependencies: ["PushCryptCore"]),
        .target(
            name: "PushCryptAttachments",
            dependencies: ["PushCryptKeyring", "PushCryptPayload", "PushCryptSystem"]),
        // Networking, for Apple's platforms and the tool alone.
        .target(
            name: "PushCryptDownloads",
            dependencies: ["PushCryptAttachments", "PushCryptReceiver", "PushCryptSystem"]),
        .target(
            name: "PushCryptSender",
            dependencies: [
                "PushCryptAttachments", "PushCryptKeyring", "PushCryptPayload", "PushCryptSystem",
            ]),
        // All rules for payloads, above the few that sealing requires.
        .target(
            name: "PushCryptLint",
            dependencies: [
                "PushCryptCore", "PushCryptFoundation", "PushCryptPayload", "PushCryptSender",
            ]),
        .target(
            name: "PushCryptReceiver",
            dependencies: ["PushCryptKeyring", "PushCryptPayload", "PushCryptSystem"]),
        // Empty without the trait.
        .target(
            name: "PushCryptAPNs",
            dependencies: ["PushCryptFoundation", "PushCryptSender", "PushCryptSystem"] + client),
        // APNs on this machine, with all its faults. Empty without the trait.
        .target(name: "PushCryptAPNsTesting", dependencies: ["PushCryptAPNs"] + server),
        .target(
            name: "PushCryptApple",
            dependencies: ["PushCryptDownloads", "PushCryptReceiver", "PushCryptSystem"]
                + appleFrameworks),
        .target(
            name: "PushCryptTesting",
            dependencies: ["PushCryptSender", "PushCryptReceiver", "PushCryptSystem"]),
        .executableTarget(
            name: "PushCryptCLI",
            dependencies: [
                "PushCryptLint", "PushCryptSender", "PushCryptReceiver", "PushCryptDownloads",
                "PushCryptAPNs", "PushCryptAPNsTesting", "PushCryptSystem",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ] + forAPNs(["Logging": "swift-log"]),
            // The files that `pushcrypt xcode write` writes for frameworks. They are compiled as
            // FrameworkTemplates.
            resources: [
                .embedInCode("Templates"), .embedInCode("Pages/Style"),
                .embedInCode("Version/commit.txt"),
            ]
        ),
        // What several test targets of this project need.
        .target(
            name: "TestSupport", dependencies: ["PushCryptTesting", sodium],
            path: "Tests/TestSupport"),
        .testTarget(
            name: "PushCryptCoreTests", dependencies: ["PushCryptCore", "TestSupport", sodium],
            // Read through the path of the source, so that no bundle of resources is created.
            exclude: ["JSON/Vectors"]
        ),
        .testTarget(
            name: "PushCryptSystemTests", dependencies: ["PushCryptSystem", "TestSupport"]),
        .testTarget(
            name: "PushCryptKeyringTests", dependencies: ["PushCryptKeyring", "TestSupport"]),
        .testTarget(
            name: "PushCryptPayloadTests", dependencies: ["PushCryptPayload", "TestSupport"],
            exclude: ["Localization/Vectors"]
        ),
        .testTarget(
            name: "PushCryptSenderTests",
            dependencies: ["PushCryptLint", "PushCryptSender", "TestSupport"],
            exclude: ["Budget/Vectors"]
        ),
        .testTarget(
            name: "PushCryptLintTests", dependencies: ["PushCryptLint", "TestSupport"],
            exclude: ["Vectors"]),
        .testTarget(
            name: "PushCryptAttachmentsTests",
            dependencies: ["PushCryptAttachments", "TestSupport"]),
        .testTarget(
            name: "PushCryptDownloadsTests", dependencies: ["PushCryptDownloads", "TestSupport"]),
        .testTarget(
            name: "PushCryptReceiverTests",
            dependencies: ["PushCryptReceiver", "TestSupport", sodium],
            // Read through the path of the source, so that no bundle of resources is created.
            exclude: ["Models/Traces"]
        ),
        .testTarget(
            name: "PushCryptAppleTests",
            dependencies: ["PushCryptApple", "TestSupport"] + appleFrameworks + vendors),
        .testTarget(
            name: "PushCryptTestingTests", dependencies: ["PushCryptTesting", "TestSupport"]),
        // Empty without the trait. Compared with other clients by Tests/Sending/compare.
        .executableTarget(
            name: "SendingBenchmark",
            dependencies: ["PushCryptAPNs"] + forAPNs(["Logging": "swift-log"]),
            path: "Tests/Sending/Benchmark"),
        .testTarget(
            name: "PushCryptAPNsTests",
            dependencies: [
                "PushCryptAPNs", "PushCryptAPNsTesting", "PushCryptKeyring", "PushCryptTesting",
                "TestSupport",
            ] + client + forAPNs(["NIOEmbedded": "swift-nio"]),
            exclude: ["Vectors"]),
        // These run the built tool and README code, so the tool is built with them.
        .testTarget(
            name: "PushCryptCLITests",
            dependencies: [
                "PushCryptCLI", "PushCryptAPNsTesting", "PushCryptLint", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .testTarget(
            name: "DocsTests",
            dependencies: [
                "PushCryptApple", "PushCryptLint", "TestSupport", "PushCryptCLI",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ] + appleFrameworks + docsExamples),
    ] + sodiumTargets + appleStandIns
)

for target in package.targets where target.type != .system {
    // These files are for apps, which don't have the features.
    guard target.name != "FrameworkTemplates" else { continue }
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .swiftLanguageMode(.v6),
            .strictMemorySafety(),
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ] + warningSettings
}
