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

// Error returns the reason and the code.
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
	// Signers are the thumbprints of the keys from which the device accepts signatures; nil if it doesn't tell.
	Signers []string
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
	if signers, found := object.Get("signers"); found {
		r.Signers, err = readSigners(signers)
	}
	return r, err
}

// readSigners returns 1 to 64 different thumbprints.
func readSigners(value Value) (signers []string, err error) {
	valid := value.Kind == '[' && len(value.Items) >= 1 && len(value.Items) <= maximumSigners
	for _, item := range value.Items {
		// Escapes aren't allowed here.
		valid = valid && item.Kind == '"' && isThumbprint(string(item.Raw[1:len(item.Raw)-1])) && !contains(signers, item.Text)
		signers = append(signers, item.Text)
	}
	if !valid {
		return nil, fail("malformed-registration", "\"signers\" isn't valid. Send the registration unchanged.")
	}
	return signers, nil
}

func (r Registration) recipient() Recipient {
	return Recipient{Key: r.Key, Lifetime: r.Lifetime, Signers: r.Signers}
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
	Signers  []string
	// row is the device's row, nil for a key or a registration alone, which has no proof.
	row *Row
}

// ParseRecipient parses a registration, a JWK, a JWK Set or the 43 characters of the raw key.
func ParseRecipient(text []byte) (Recipient, error) {
	if object, err := ParseObject(text); err == nil {
		if _, found := object.Get("key"); found {
			registration, err := readRegistration(object)
			return registration.recipient(), err
		}
	}
	key, err := ParseRecipientKey(text)
	return Recipient{Key: key, Lifetime: MaximumLifetime}, err
}
