// An extension needs to import PushCryptApple only.
@_exported public import PushCryptDownloads
@_exported public import PushCryptReceiver
