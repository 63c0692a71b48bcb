package pushcrypt

import (
	"encoding/hex"
	"fmt"
	"strconv"
)

// Error is a failure with a code for programs and a reason for people. Neither contains content or keys.
type Error struct {
	Code   string
	Reason string
	// Generation is the generation to answer if the code is stale-generation.
	Generation int64
}

func (e *Error) Error() string { return e.Reason + " [" + e.Code + "]" }

func fail(code, format string, arguments ...any) *Error {
	return &Error{Code: code, Reason: fmt.Sprintf(format, arguments...)}
}

// integer returns a number that is written with digits only, and false if it isn't from minimum to maximum.
func integer(object Value, name string, minimum, maximum int64) (int64, bool) {
	value, _ := object.Get(name)
	result, err := strconv.ParseInt(string(value.Raw), 10, 64)
	return result, err == nil && value.Kind == '0' && value.Raw[0] != '-' && result >= minimum && result <= maximum
}

// Registration is the key that a device has registered, with its limits.
type Registration struct {
	Created    int64 // seconds since 1970-01-01 UTC by the device's clock
	Generation int64
	Key        PublicKey
	Lifetime   int64 // the longest lifetime of messages to the key, in seconds
}

// ParseRegistration parses a registration. The errors are malformed-registration and the codes of its key.
func ParseRegistration(text []byte) (Registration, error) {
	object, err := parseObject(text, "malformed-registration")
	if err != nil {
		return Registration{}, err
	}
	return readRegistration(object)
}

func readRegistration(object Value) (r Registration, err error) {
	jwk, _ := object.Get("key")
	if jwk.Kind != '{' {
		return r, fail("malformed-registration", "\"key\" is missing or isn't a JWK. Send the registration unchanged.")
	}
	key, err := readJWK(jwk)
	if err != nil {
		return r, err
	}
	if key.secret != nil {
		return r, fail("malformed-registration", "\"key\" is a private key. Replace the key, and send its public half.")
	}
	if r.Key, err = readPublicKey(jwk, x25519); err != nil {
		return r, err
	}
	var created, generation, lifetime bool
	r.Created, created = integer(object, "created", 0, maximumInteger)
	r.Generation, generation = integer(object, "generation", 1, maximumInteger)
	r.Lifetime, lifetime = integer(object, "lifetime", 1, MaximumLifetime)
	if !created || !generation || !lifetime {
		return r, fail("malformed-registration", "A number is missing or out of range. Send the registration unchanged.")
	}
	return r, nil
}

// DeviceToken returns a device token of APNs, 16 to 200 bytes in hexadecimal digits, in lowercase: the form to store.
func DeviceToken(text string) (string, error) {
	bytes, err := hex.DecodeString(text)
	if err != nil || len(bytes) < 16 || len(bytes) > 200 {
		return "", fail("malformed-registration", "The device token isn't 16 to 200 bytes in hexadecimal. Correct it.")
	}
	return hex.EncodeToString(bytes), nil
}

// NextGeneration returns the generation with which a device registers again after the stale answer of its server.
// If the answer isn't less than the device's generation, its keys may be from an old backup, and it creates a new key first.
func NextGeneration(generation, answer int64) (int64, error) {
	if answer < 0 || answer >= 1<<53-1<<33 {
		return 0, fail("malformed-registration", "The answer is too large. Reset the server's row of the device.")
	}
	if answer >= generation || generation-answer > 1<<32 {
		return answer + 1, nil
	}
	return generation, nil
}

// Recipient is a device to seal for.
type Recipient struct {
	Key      PublicKey
	Lifetime int64 // the longest lifetime of messages to the key, in seconds
}

// ParseRecipient parses a registration, a JWK, a JWK Set or the 43 characters of the raw key.
func ParseRecipient(text []byte) (Recipient, error) {
	if object, err := ParseObject(text); err == nil {
		if _, found := object.Get("key"); found {
			registration, err := readRegistration(object)
			return Recipient{registration.Key, registration.Lifetime}, err
		}
	}
	key, err := ParseRecipientKey(text)
	return Recipient{key, MaximumLifetime}, err
}

// ParseSigningKeyring parses a server's keyring without a passphrase, and returns its primary key.
func ParseSigningKeyring(text []byte) (primary PrivateKey, err error) {
	set, err := parseObject(text, "malformed-jwk")
	if err != nil {
		return primary, err
	}
	if _, found := set.Get("protection"); found {
		return primary, fail("passphrase-required", "The keyring has a passphrase. Give one without a passphrase.")
	}
	keys, _ := set.Get("keys")
	if len(keys.Items) == 0 {
		return primary, fail("malformed-jwk", "The keyring has no keys. Give a JWK Set.")
	}
	_, valid := integer(set, "generation", 1, maximumInteger)
	known, primaries := map[PublicKey]bool{}, 0
	for _, jwk := range keys.Items {
		key, err := readPrivateKey(jwk, edward)
		if err != nil {
			return primary, err
		}
		kid, _ := jwk.Get("kid")
		state, _ := jwk.Get("state")
		_, created := integer(jwk, "created", 0, maximumInteger)
		_, retired := integer(jwk, "retired", 0, maximumInteger)
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
			primary, primaries = key, 1
		}
		if err != nil {
			return primary, err
		}
		known[key.Public] = true
	}
	if !valid {
		return primary, fail("malformed-keyring", "A number is missing or out of range. Restore the keyring.")
	}
	if primaries == 0 {
		return primary, fail("no-primary-key", "The keyring has no primary key. Restore the keyring.")
	}
	return primary, nil
}
