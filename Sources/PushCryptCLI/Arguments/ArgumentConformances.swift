public import ArgumentParser
public import PushCryptCore
public import PushCryptRules
internal import PushCryptSender

extension PushType: ExpressibleByArgument {}
extension Padding: ExpressibleByArgument {}
