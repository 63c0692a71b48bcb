internal import ArgumentParser

/// The framework of an app that isn't written in Swift.
enum XcodeFramework: EnumerableFlag {
    case expo, reactNative, flutter, objectiveC

    static func name(for value: XcodeFramework) -> NameSpecification {
        switch value {
        case .expo: .customLong("expo")
        case .reactNative: .customLong("react-native")
        case .flutter: .customLong("flutter")
        case .objectiveC: .customLong("objective-c")
        }
    }

    static func help(for value: XcodeFramework) -> ArgumentHelp? {
        switch value {
        case .expo: "Write a config plug-in and a module for Expo."
        case .reactNative: "Write a native module for React Native, too."
        case .flutter: "Write a plug-in for Flutter, too."
        case .objectiveC: "Write a class for Objective-C, too."
        }
    }

    /// A Boolean value that indicates whether the files name the package of PushCrypt.
    var needsPackage: Bool { self != .objectiveC }

    /// Returns all files by their paths in the app's directory.
    ///
    /// - Parameters:
    ///   - values: The values of the app and its extension.
    ///   - package: The URL of PushCrypt's repository.
    /// - Returns: The files.
    /// - Throws: An error of Foundation, which can't happen for these values.
    func contents(of values: XcodeValues, package: String) throws -> [XcodeFile] {
        let own = files(package: package, app: values.name)
        let project = try values.contents()
        switch self {
        case .expo:
            // The plug-in writes the rest, each time that Expo generates the project.
            let json = try values.json(files: project)
            return [XcodeFile("pushcrypt.json", json + "\n")] + own
        case .reactNative, .flutter: return try project.map { try $0.moved(into: "ios") } + own
        case .objectiveC: return project + own
        }
    }

    private func files(package: String, app: String) -> [XcodeFile] {
        switch self {
        case .expo: Self.expo(package)
        case .reactNative: Self.reactNative(package)
        case .flutter: Self.flutter(package)
        case .objectiveC:
            [
                Self.bridge(in: app),
                XcodeFile(
                    "\(app)/PushCryptObjC.swift", Self.text(PackageResources.PushCryptObjC_swift)),
            ]
        }
    }

    private static func expo(_ package: String) -> [XcodeFile] {
        let module = "modules/pushcrypt"
        return [
            XcodeFile("plugins/with-pushcrypt.js", text(PackageResources.with_pushcrypt_js)),
            XcodeFile(
                "\(module)/expo-module.config.json",
                text(PackageResources.expo_module_config_json)),
            XcodeFile("\(module)/index.js", text(PackageResources.expo_index_js)),
            XcodeFile(
                "\(module)/ios/PushCryptExpo.podspec",
                text(PackageResources.expo_podspec, package)),
            bridge(in: "\(module)/ios"),
            XcodeFile(
                "\(module)/ios/PushCryptExpoModule.swift",
                text(PackageResources.PushCryptExpoModule_swift)),
        ]
    }

    private static func reactNative(_ package: String) -> [XcodeFile] {
        let module = "modules/pushcrypt"
        let podspec = "\(module)/react-native-pushcrypt-local.podspec"
        return [
            XcodeFile("\(module)/package.json", text(PackageResources.react_native_package_json)),
            XcodeFile("\(module)/index.js", text(PackageResources.react_native_index_js)),
            XcodeFile(podspec, text(PackageResources.react_native_podspec, package)),
            bridge(in: "\(module)/ios"),
            XcodeFile(
                "\(module)/ios/PushCryptReactModule.swift",
                text(PackageResources.PushCryptReactModule_swift)),
            XcodeFile(
                "\(module)/ios/PushCryptReactModule.m",
                text(PackageResources.PushCryptReactModule_m)),
        ]
    }

    private static func flutter(_ package: String) -> [XcodeFile] {
        let plugin = "packages/pushcrypt_flutter"
        let code = "\(plugin)/ios/pushcrypt_flutter"
        let sources = "\(code)/Sources/pushcrypt_flutter"
        return [
            XcodeFile("\(plugin)/pubspec.yaml", text(PackageResources.pubspec_yaml)),
            XcodeFile(
                "\(plugin)/lib/pushcrypt_flutter.dart",
                text(PackageResources.pushcrypt_flutter_dart)),
            XcodeFile("\(code)/Package.swift", text(PackageResources.flutter_package_txt, package)),
            bridge(in: sources),
            XcodeFile(
                "\(sources)/PushCryptFlutterPlugin.swift",
                text(PackageResources.PushCryptFlutterPlugin_swift)),
        ]
    }

    private static func bridge(in directory: String) -> XcodeFile {
        XcodeFile(
            "\(directory)/PushCryptBridge.swift", text(PackageResources.PushCryptBridge_swift))
    }

    /// Returns the text of a template for a package.
    private static func text(_ template: [UInt8], _ package: String = "") -> String {
        let version = ToolVersion.number
        return String(decoding: template, as: UTF8.self)
            .replacing("PACKAGE_URL", with: package)
            .replacing(
                "PACKAGE_REQUIREMENT",
                with: "{ :kind => \"upToNextMajorVersion\", :minimumVersion => \"\(version)\" }"
            )
            .replacing(
                ".package(PACKAGE)", with: ".package(url: \"\(package)\", from: \"\(version)\")"
            )
            .replacing("PACKAGE_NAME", with: Self.name(ofPackage: package))
    }

    /// Returns the name by which SwiftPM knows a package.
    private static func name(ofPackage url: String) -> String {
        let last = url.split(separator: "/").last.map(String.init) ?? url
        return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
    }
}
