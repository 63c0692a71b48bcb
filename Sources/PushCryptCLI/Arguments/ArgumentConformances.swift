public import ArgumentParser
public import PushCryptCore
public import PushCryptSender

extension PushType: ExpressibleByArgument {}
extension Padding: ExpressibleByArgument {}
