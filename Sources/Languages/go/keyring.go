package pushcrypt

import (
	"io"
	"os"
	"sort"
)

// ReadSigningKeyring reads the keys of a server's keyring file that sign: the primary key, and then retired keys, the newest
// first. It rejects a link, and a file that others can access. Give the text of a mounted secret to ParseSigningKeyring.
func ReadSigningKeyring(path string) ([]PrivateKey, error) {
	status, err := os.Lstat(path) // Opening a pipe would block.
	if err == nil && (!status.Mode().IsRegular() || status.Mode().Perm()&0o077 != 0) {
		err = fail("insecure-file", "The keyring isn't a file, or others can access it. Set its mode to 0600.")
	}
	if err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if opened, err := file.Stat(); err != nil || !os.SameFile(status, opened) {
		return nil, fail("insecure-file", "Another process has replaced the keyring. Try again.")
	}
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	return ParseSigningKeyring(text)
}

// ParseSigningKeyring parses a server's keyring without a passphrase. The primary key is the first of the returned keys.
func ParseSigningKeyring(text []byte) ([]PrivateKey, error) {
	set, err := parseObject(text, "malformed-jwk")
	if err != nil {
		return nil, err
	}
	if _, found := set.Get("protection"); found {
		return nil, fail("passphrase-required", "The keyring has a passphrase. Give one without a passphrase.")
	}
	keys, _ := set.Get("keys")
	if len(keys.Items) == 0 {
		return nil, fail("malformed-jwk", "The keyring has no keys. Give a JWK Set.")
	}
	_, valid := integer(set, "generation", 1, maximumInteger)
	known, signing, primaries := map[PublicKey]bool{}, []PrivateKey{}, 0
	dates := map[PublicKey]int64{}
	for _, jwk := range keys.Items {
		key, err := readPrivateKey(jwk, edward)
		if err != nil {
			return nil, err
		}
		kid, _ := jwk.Get("kid")
		state, _ := jwk.Get("state")
		_, created := integer(jwk, "created", 0, maximumInteger)
		date, retired := integer(jwk, "retired", 0, maximumInteger)
		_, limited := jwk.Get("lifetime")
		_, lifetime := integer(jwk, "lifetime", 1, MaximumLifetime)
		valid = valid && created && (retired || state.Text != "retired") && (lifetime || !limited)
		switch {
		case kid.Kind != '"' || state.Kind != '"':
			err = fail("malformed-jwk", "\"kid\" or \"state\" is missing or isn't a string. Restore the keyring.")
		case kid.Text != key.Public.Thumbprint():
			err = fail("thumbprint-mismatch", "A \"kid\" isn't the key's thumbprint. Restore the keyring.")
		case state.Text != "primary" && state.Text != "pending" && state.Text != "retired":
			err = fail("unknown-key-state", "A \"state\" is unknown. Restore the keyring.")
		case known[key.Public]:
			err = fail("duplicate-key", "A key occurs twice. Restore the keyring.")
		case state.Text == "primary" && primaries == 1:
			err = fail("multiple-primary-keys", "Two keys are primary. Restore the keyring.")
		case state.Text == "primary":
			signing, primaries = append(signing, key), 1
			date = maximumInteger + 1 // It stays the first.
		case state.Text == "retired":
			signing = append(signing, key)
		}
		if err != nil {
			return nil, err
		}
		known[key.Public], dates[key.Public] = true, date
	}
	if !valid {
		return nil, fail("malformed-keyring", "A number is missing or out of range. Restore the keyring.")
	}
	if primaries == 0 {
		return nil, fail("no-primary-key", "The keyring has no primary key. Restore the keyring.")
	}
	sort.SliceStable(signing, func(i, j int) bool { return dates[signing[i].Public] > dates[signing[j].Public] })
	return signing, nil
}

// ChooseKey returns the first key that a device accepts. The signers are thumbprints; if they are nil, it is the first key.
func ChooseKey(keys []PrivateKey, signers []string) (PrivateKey, error) {
	for _, key := range keys {
		if signers == nil || contains(signers, key.Public.Thumbprint()) {
			return key, nil
		}
	}
	return PrivateKey{}, fail("no-accepted-key", "The device accepts no key of the keyring. Send the bare placeholder.")
}
