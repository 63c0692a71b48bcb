// Keys and errors are in the core; with this, `import PushCryptSender` is all that a server's file needs.
@_exported public import PushCryptCore
