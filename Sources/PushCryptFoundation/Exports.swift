// The first choice where a system has it: with all of Foundation, the process of a server starts
// more slowly.
#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif
