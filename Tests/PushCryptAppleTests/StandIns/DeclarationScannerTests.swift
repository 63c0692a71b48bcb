import Testing

/// The scanner finds everything that others can use, and reads it as the list does.
@Suite struct DeclarationScannerTests {
    private func scan(_ source: String) -> [String] {
        DeclarationScanner(module: "M", sources: [source]).declarations.map {
            $0.owner.isEmpty ? $0.text : "\($0.owner).\($0.text)"
        }
    }

    @Test func aTypeAndItsMembersAreFound() {
        let source = """
            public import Foundation

            /// public func comment()
            @available(iOS 15, *)
            open class A: NSObject,
                B
            {
                open private(set) var a: [C: D] = [:]  // public var c
                public var b: Int? = 1
                public let c: Int
                open override var d: Int {
                    get { values.d }
                    set { values.d = newValue }
                }
                open class var `default`: A { A() }
                private var hidden: Int = 0
                var alsoHidden: Int { 1 }
                package init(x: Int) {}
                public struct Inner {
                    public static func f() {}
                }
                struct Hidden {
                    public static func f() {}
                }
            }
            public let d: String = "d"
            """
        #expect(
            scan(source) == [
                "@available(iOS 15, *) class A: NSObject, B", "A.var a: [C: D] { get }", "A.var b: Int? { get set }",
                "A.var c: Int { get }", "A.var d: Int { get set }", "A.class var `default`: A { get }",
                "A.struct Inner", "Inner.static func f()", "var d: String { get }",
            ])
    }

    @Test func functionsKeepLabelsTypesAndValues() {
        let source = """
            extension A {
                public convenience init?(_ a: B, at url: URL, options: [C: D]? = nil) throws { return nil }
                @available(*, unavailable)
                public override init() {}
                @discardableResult public func f(
                    _ a: B, with c: @escaping (D, _ e: E) -> Void
                ) async throws -> [F: G] {
                    h { i in j }
                }
                public init<T>(_ t: T) {}
            }
            """
        #expect(
            scan(source) == [
                "A.convenience init?(_: B, at: URL, options: [C: D]? = nil) throws",
                "A.@available(*, unavailable) init()",
                "A.@discardableResult func f(_: B, with: @escaping (D, _ e: E) -> Void) async throws -> [F: G]",
                "A.init<T>(_: T)",
            ])
    }

    @Test func requirementsAndCasesAreAsVisibleAsTheirType() {
        let source = """
            public protocol P: NSObjectProtocol {
                func f(_ a: A)
                func g(
                    _ a: A, b: B)
                var h: H { get set }
            }
            extension P {
                public func g(
                    _ a: A, b: B
                ) {}
                public func other() {}
            }
            protocol Hidden {
                func f()
            }
            public enum E: UInt {
                case a
                case b = 7
            }
            enum HiddenCases { case a }
            """
        #expect(
            scan(source) == [
                "protocol P: NSObjectProtocol", "P.func f(_: A)", "P.optional func g(_: A, b: B)",
                "P.var h: H { get set }", "enum E: UInt", "E.case a", "E.case b = 7", "P.func other()",
            ])
    }

    @Test func aConformanceFromAnExtensionIsFound() {
        #expect(scan("extension A: @unchecked Sendable {}") == ["extension A: @unchecked Sendable"])
        #expect(scan("extension A {}").isEmpty)
    }
}
