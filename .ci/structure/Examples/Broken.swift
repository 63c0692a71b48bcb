// Each declaration breaks the gate that the comment before it names, and nothing else may break one.
// The file is parsed, and never compiled.

struct Examples {
    // breaks: tuples
    let stored: (Int, Int)
    // breaks: tuples
    var optional: (first: Int, second: Int)?

    // breaks: parameters
    init(first: Int, second: Int, third: Int, fourth: Int, fifth: Int, sixth: Int) {}

    /// An initializer with defaults has no limit.
    init(first: Int = 1, second: Int, third: Int, fourth: Int, fifth: Int, sixth: Int) {}

    /// A factory with defaults has no limit.
    static func factory(a: Int = 1, b: Int, c: Int, d: Int, e: Int, f: Int) -> Examples {}

    // breaks: parameters
    static func noFactory(a: Int = 1, b: Int, c: Int, d: Int, e: Int, f: Int) -> Int {}

    // breaks: unlabelled-parameters
    func unlabelled(_ first: Int, _ second: Int, _ third: Int) {}

    func twoUnlabelled(_ first: Int, _ second: Int, third: Int) {}

    // breaks: nesting
    func nested() {
        if true {
            for _ in 0..<2 {
                do {
                    run { stop() }
                }
            }
        }
    }

    func notNested() {
        if true {
        } else if false {
        } else {
            for _ in 0..<2 { run() }
        }
    }

    func assign() {
        // breaks: tuples
        (a, b) = (b, a)
        // breaks: tuples
        let (c, d) = (a, b)
        let (e, f) = split()
    }

    // breaks: columns
    // A line of more than 120 columns, which swift-format lets pass because it is a comment: it has 130 columns, as you can count.
    func commented() {}

    /// Throws a code.
    ///
    /// - Throws: ``PushCryptError`` with `hiddenCode`.
    // breaks: hidden-code
    public func throwsHidden(value: Int) {}

    /// Throws a code without a constant.
    ///
    /// - Throws: ``PushCryptError`` with `openCode` or `unheardOf`.
    // breaks: hidden-code
    public func throwsUnknown(value: Int) {}

    /// Throws a code that a client can write, if `value` is invalid.
    ///
    /// - Throws: ``PushCryptError`` with `openCode` if `value` is `nil`.
    public func throwsOpen(value: Int?) {}

    func write(error: PushCryptError) throws {
        // breaks: written-code
        if error.code.rawValue == "open-code" { return }
        // breaks: written-code
        throw PushCryptError(.init(rawValue: "written-code"), "The code is a string.")
    }

    /// Isn't public.
    ///
    /// - Throws: ``PushCryptError`` with `hiddenCode`.
    func notPublic() {}
}

extension PushCryptError.Code {
    public static let openCode = Self(rawValue: "open-code")
    package static let hiddenCode = Self(rawValue: "hidden-code")
}

// breaks: function-length
func long() {
    let line1 = 1
    let line2 = 2
    let line3 = 3
    let line4 = 4
    let line5 = 5
    let line6 = 6
    let line7 = 7
    let line8 = 8
    let line9 = 9
    let line10 = 10
    let line11 = 11
    let line12 = 12
    let line13 = 13
    let line14 = 14
    let line15 = 15
    let line16 = 16
    let line17 = 17
    let line18 = 18
    let line19 = 19
    let line20 = 20
    let line21 = 21
    let line22 = 22
    let line23 = 23
    let line24 = 24
    let line25 = 25
    let line26 = 26
    let line27 = 27
    let line28 = 28
    let line29 = 29
    let line30 = 30
    let line31 = 31
    let line32 = 32
    let line33 = 33
    let line34 = 34
    let line35 = 35
    let line36 = 36
    let line37 = 37
    let line38 = 38
    let line39 = 39
}
