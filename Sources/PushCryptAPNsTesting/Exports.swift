@_exported public import PushCryptAPNs
