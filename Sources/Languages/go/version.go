package pushcrypt

// Version is the version of the package.
const Version = "0.1.0"
