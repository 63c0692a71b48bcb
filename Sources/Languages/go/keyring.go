package pushcrypt

import (
	"io"
	"os"
)

// ReadSigningKeyring reads the primary key of a server's keyring file. It rejects a link, and a file that others can access.
// Give the text of a mounted secret to ParseSigningKeyring.
func ReadSigningKeyring(path string) (PrivateKey, error) {
	status, err := os.Lstat(path) // Opening a pipe would block.
	if err == nil && (!status.Mode().IsRegular() || status.Mode().Perm()&0o077 != 0) {
		err = fail("insecure-file", "The keyring isn't a file, or others can access it. Set its mode to 0600.")
	}
	if err != nil {
		return PrivateKey{}, err
	}
	file, err := os.Open(path)
	if err != nil {
		return PrivateKey{}, err
	}
	defer file.Close()
	if opened, err := file.Stat(); err != nil || !os.SameFile(status, opened) {
		return PrivateKey{}, fail("insecure-file", "Another process has replaced the keyring. Try again.")
	}
	text, err := io.ReadAll(file)
	if err != nil {
		return PrivateKey{}, err
	}
	return ParseSigningKeyring(text)
}
