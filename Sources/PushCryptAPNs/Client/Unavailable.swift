#if !APNs
/// The client, which the package trait APNs builds.
///
/// Traits require tools version 6.1:
/// https://docs.swift.org/swiftpm/documentation/packagemanagerdocs/addingdependencies.
@available(
    *, unavailable,
    message: """
        Enable the trait: .package(url: …, traits: ["APNs"]), with swift-tools-version 6.1 or \
        later.
        """
)
public enum APNsClient {}
#endif
