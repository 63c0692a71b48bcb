@_exported public import PushCryptSender
