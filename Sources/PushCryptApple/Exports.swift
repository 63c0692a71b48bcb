// With this, `import PushCryptApple` is all that an extension's file needs.
@_exported public import PushCryptReceiver
