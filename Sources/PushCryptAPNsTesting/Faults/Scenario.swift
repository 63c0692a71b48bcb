#if APNs
/// Steps with a name, for the tables of tests.
package struct Scenario: Sendable, CustomStringConvertible {
    package let name: String
    package let steps: [Step]

    package init(_ name: String, _ steps: Step...) {
        self.name = name
        self.steps = steps
    }

    init(_ name: String, steps: [Step]) {
        self.name = name
        self.steps = steps
    }

    package var description: String { name }
}
#endif
