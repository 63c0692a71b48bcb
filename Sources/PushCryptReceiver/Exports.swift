// Keys and errors are in the core; with this, `import PushCryptReceiver` is all that an extension's file needs.
@_exported public import PushCryptCore
