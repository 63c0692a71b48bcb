/// Checks the structure of Swift sources, or counts it.
///
///     .ci/structure/run Sources                            prints what breaks a gate, and fails
///     .ci/structure/run --examples .ci/structure/Examples  fails if an example breaks no gate, or another one
///     .ci/structure/run --figures Sources                  prints figures, which have no limits

import Foundation

let arguments = CommandLine.arguments.dropFirst()
let paths = arguments.filter { !$0.hasPrefix("--") }
guard let root = paths.first, paths.count == 1 else {
    print("usage: structure [--figures | --examples] DIRECTORY")
    exit(2)
}

do {
    let files = try SourceFile.all(in: root)
    if arguments.contains("--figures") {
        print(Figures(of: files).table)
    } else if arguments.contains("--examples") {
        exit(checkExamples(files) ? 0 : 1)
    } else {
        let violations = violations(in: files)
        for violation in violations { print(violation) }
        print("\(files.count) files, \(violations.count) violations of structure")
        exit(violations.isEmpty ? 0 : 1)
    }
} catch {
    print("\(root): \(error)")
    exit(2)
}
