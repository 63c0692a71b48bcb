/// Stands in for React Native's block of the same name.
public typealias RCTPromiseResolveBlock = (Any?) -> Void

/// Stands in for React Native's block of the same name.
public typealias RCTPromiseRejectBlock = (String?, String?, (any Error)?) -> Void
