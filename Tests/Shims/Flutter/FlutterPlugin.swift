/// Stands in for Flutter's block of the same name.
public typealias FlutterResult = (Any?) -> Void

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Stands in for Flutter's object of the same name.
public let FlutterMethodNotImplemented = "FlutterMethodNotImplemented"

/// Stands in for Flutter's class of the same name.
public struct FlutterMethodCall {
    /// Stands in for Flutter's property of the same name.
    public let method: String
    /// Stands in for Flutter's property of the same name.
    public let arguments: Any?

    /// Creates a call.
    public init(_ method: String, _ arguments: Any?) {
        self.method = method
        self.arguments = arguments
    }
}

/// Stands in for Flutter's class of the same name.
public struct FlutterError {
    /// Stands in for Flutter's property of the same name.
    public let code: String
    /// Stands in for Flutter's property of the same name.
    public let message: String?

    /// Creates an error.
    public init(code: String, message: String?, details: Any?) {
        self.code = code
        self.message = message
    }
}

/// Stands in for Flutter's protocol of the same name.
public protocol FlutterBinaryMessenger {}

/// Stands in for Flutter's class of the same name.
public struct FlutterMethodChannel {
    /// The channel's name.
    public let name: String

    /// Creates a channel.
    public init(name: String, binaryMessenger: any FlutterBinaryMessenger) { self.name = name }
}

/// Stands in for Flutter's protocol of the same name.
public protocol FlutterPluginRegistrar {
    /// Stands in for Flutter's method of the same name.
    func messenger() -> any FlutterBinaryMessenger
    /// Stands in for Flutter's method of the same name.
    func addMethodCallDelegate(_ delegate: any FlutterPlugin, channel: FlutterMethodChannel)
}

/// Stands in for Flutter's protocol of the same name.
public protocol FlutterPlugin {
    /// Stands in for Flutter's method of the same name.
    static func register(with registrar: any FlutterPluginRegistrar)
    /// Stands in for Flutter's method of the same name.
    func handle(_ call: FlutterMethodCall, result: @escaping FlutterResult)
}
