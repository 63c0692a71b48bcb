/// The entitlements for pushes, and the build settings that decide whether the system runs the
/// extension.
extension XcodeCheck {
    mutating func checkCapabilities(of installation: XcodeInstallation) {
        let app = installation.app
        let service = installation.service
        let environments = ["aps-environment", "com.apple.developer.aps-environment"].map {
            strings(of: $0, in: app.entitlements)
        }
        if environments == [[], []] {
            report(XcodeRule.environmentMissing, at: app.entitlements, key: "aps-environment")
        }
        let filtering = "com.apple.developer.usernotifications.filtering"
        let isFiltering = code.contains(/hasFilteringEntitlement\s*=\s*true/)
        if isFiltering, let values = strings(of: filtering, in: service.entitlements),
            values != ["true"]
        {
            report(XcodeRule.filteringMissing, at: service.entitlements, key: filtering)
        }
    }

    mutating func checkBuildSettings(of installation: XcodeInstallation) {
        let app = installation.app
        let service = installation.service
        guard let project = service.project, app.project == project else { return }
        if !service.id.hasPrefix("\(app.id).") {
            report(XcodeRule.bundleId, at: project, key: "PRODUCT_BUNDLE_IDENTIFIER")
        }
        for (name, value) in service.settings where name.hasSuffix("_DEPLOYMENT_TARGET") {
            guard let own = Double(value), let limit = app.settings[name].flatMap(Double.init)
            else { continue }
            if own > limit { report(XcodeRule.deploymentTarget, at: project, key: name) }
        }
    }
}
