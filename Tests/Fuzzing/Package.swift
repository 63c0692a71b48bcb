// swift-tools-version: 6.2
import PackageDescription

// The targets of the project once more, from its own sources, because only here they count the
// edges that an input takes. Being in one package, the fuzzers see its package declarations. Run:
// Tests/Fuzzing/run
let counted: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .unsafeFlags(["-sanitize=fuzzer", "-enable-testing"]),
]

func project(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [],
    resources: [Resource] = [],
    settings: [SwiftSetting] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Project/\(name)", exclude: exclude,
        resources: resources,
        swiftSettings: counted + settings)
}

let package = Package(
    name: "pushcrypt-fuzzing",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.5.0")
    ],
    targets: [
        .systemLibrary(
            name: "Clibsodium", path: "Project/Clibsodium", pkgConfig: "libsodium",
            providers: [.apt(["libsodium-dev"])]
        ),
        project("PushCryptFoundation", []),
        project(
            "PushCryptCore", ["PushCryptFoundation", "Clibsodium"],
            settings: [.enableExperimentalFeature("Lifetimes")]),
        project("PushCryptSystem", ["PushCryptCore", "PushCryptFoundation"]),
        project(
            "PushCryptKeyring", ["PushCryptCore", "PushCryptSystem"],
            exclude: ["PrivacyInfo.xcprivacy"]),
        project("PushCryptPayload", ["PushCryptCore"]),
        project(
            "PushCryptAttachments", ["PushCryptKeyring", "PushCryptPayload", "PushCryptSystem"]),
        project(
            "PushCryptDownloads", ["PushCryptAttachments", "PushCryptReceiver", "PushCryptSystem"]),
        project(
            "PushCryptSender",
            ["PushCryptAttachments", "PushCryptKeyring", "PushCryptPayload", "PushCryptSystem"]),
        project(
            "PushCryptLint",
            ["PushCryptCore", "PushCryptFoundation", "PushCryptPayload", "PushCryptSender"]),
        project("PushCryptReceiver", ["PushCryptKeyring", "PushCryptPayload", "PushCryptSystem"]),
        project("PushCryptTesting", ["PushCryptSender", "PushCryptReceiver", "PushCryptSystem"]),
        // The answers of APNs alone, because the connections need the packages of the trait.
        .target(
            name: "PushCryptAPNs", dependencies: ["PushCryptFoundation", "PushCryptSender"],
            path: "Project/PushCryptAPNs/Answers", swiftSettings: counted + [.define("APNs")]),
        // The tool without its entry.
        project(
            "PushCryptCLI",
            [
                "PushCryptLint", "PushCryptSender", "PushCryptReceiver", "PushCryptDownloads",
                "PushCryptSystem",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            exclude: ["Main.swift"],
            resources: [
                .embedInCode("Templates"), .embedInCode("Pages/Style"),
                .embedInCode("Version/commit.txt"),
            ]),
        .target(name: "LibFuzzer", path: "LibFuzzer"),
        .executableTarget(
            name: "Fuzzing",
            dependencies: [
                "LibFuzzer", "PushCryptCore", "PushCryptKeyring", "PushCryptPayload",
                "PushCryptAttachments", "PushCryptLint", "PushCryptSender", "PushCryptReceiver",
                "PushCryptTesting", "PushCryptAPNs", "PushCryptCLI", "PushCryptSystem",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Targets",
            // The script adds the library of libFuzzer without its main function.
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
    ]
)
