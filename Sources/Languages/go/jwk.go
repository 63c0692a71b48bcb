package pushcrypt

import "bytes"

// members are those of a JWK of either curve. The secret is nil in a public JWK.
type members struct {
	curve       string
	raw, secret []byte
}

func readJWK(jwk Value) (result members, err error) {
	text := map[string]string{}
	for _, name := range []string{"kty", "crv", "x", "use", "d"} {
		value, found := jwk.Get(name)
		if found && value.Kind != '"' || !found && (name == "kty" || name == "crv" || name == "x") {
			return result, fail("malformed-jwk", "%q is missing or isn't a string. Give a JWK.", name)
		}
		if text[name] = value.Text; found && (name == "x" || name == "d") {
			text[name] = string(value.Raw[1 : len(value.Raw)-1]) // Escapes aren't allowed here.
		}
	}
	_, hasUse := jwk.Get("use")
	_, private := jwk.Get("d")
	use, known := map[string]string{x25519: "enc", edward: "sig"}[text["crv"]]
	if text["kty"] != "OKP" || !known || hasUse && text["use"] != use {
		return result, fail("wrong-key-type", "The JWK isn't an X25519 or Ed25519 key with a fitting use. Give one.")
	}
	result.curve = text["crv"]
	result.raw, _ = decodeBase64(text["x"])
	if private {
		result.secret, _ = decodeBase64(text["d"])
	}
	if len(result.raw) != 32 || private && len(result.secret) != 32 {
		return result, fail("malformed-jwk", "\"x\" or \"d\" isn't 32 bytes in base64url without padding. Check the key.")
	}
	return result, nil
}

func readPublicKey(jwk Value, curve string) (PublicKey, error) {
	read, err := readJWK(jwk)
	if err == nil && read.curve != curve {
		err = fail("wrong-key-type", "The JWK isn't an %s key. Give one.", curve)
	}
	if err != nil {
		return PublicKey{}, err
	}
	return newPublicKey(curve, read.raw)
}

func readPrivateKey(jwk Value, curve string) (key PrivateKey, err error) {
	if key.Public, err = readPublicKey(jwk, curve); err != nil {
		return key, err
	}
	read, _ := readJWK(jwk)
	if read.secret == nil {
		return key, fail("wrong-key-type", "The JWK is a public key. Give a private one.")
	}
	if !bytes.Equal(publicOf(curve, read.secret), read.raw) {
		return key, fail("key-pair-mismatch", "\"d\" doesn't belong to \"x\". Check the key.")
	}
	key.secret = func() *[32]byte { return (*[32]byte)(read.secret) }
	return key, nil
}

func parsePublicKey(text []byte, curve string) (PublicKey, error) {
	trimmed := bytes.Trim(text, " \t\r\n")
	if raw, ok := decodeBase64(string(trimmed)); ok && len(trimmed) > 0 {
		return newPublicKey(curve, raw)
	}
	object, err := parseObject(trimmed, "malformed-jwk")
	if err != nil {
		return PublicKey{}, err
	}
	set, isSet := object.Get("keys")
	if !isSet {
		return readPublicKey(object, curve)
	}
	var chosen Value
	primaries := 0
	for _, item := range set.Items {
		if _, err := readJWK(item); err != nil { // Only the chosen key must be of the curve.
			return PublicKey{}, err
		}
		state, found := item.Get("state")
		if found && state.Kind != '"' {
			return PublicKey{}, fail("malformed-jwk", "A \"state\" isn't a string. Correct the JWK Set.")
		}
		if state.Text == "primary" {
			chosen, primaries = item, primaries+1
		}
	}
	if primaries > 1 {
		return PublicKey{}, fail("multiple-primary-keys", "Two keys of the set are primary. Correct the JWK Set.")
	}
	if primaries == 0 {
		if len(set.Items) != 1 {
			return PublicKey{}, fail("malformed-jwk", "The set has no primary key and not exactly one key. Give one key.")
		}
		chosen = set.Items[0]
	}
	return readPublicKey(chosen, curve)
}

// ParseRecipientKey parses a device's public key: a JWK, a JWK Set or the 43 characters of the raw key.
func ParseRecipientKey(text []byte) (PublicKey, error) { return parsePublicKey(text, x25519) }

// ParseVerificationKey parses a server's public key, in the same forms.
func ParseVerificationKey(text []byte) (PublicKey, error) { return parsePublicKey(text, edward) }

// ParseDeviceKey parses a device's private JWK.
func ParseDeviceKey(text []byte) (PrivateKey, error) { return parsePrivateKey(text, x25519) }

// ParseSigningKey parses a server's private JWK.
func ParseSigningKey(text []byte) (PrivateKey, error) { return parsePrivateKey(text, edward) }

func parsePrivateKey(text []byte, curve string) (PrivateKey, error) {
	object, err := parseObject(text, "malformed-jwk")
	if err != nil {
		return PrivateKey{}, err
	}
	return readPrivateKey(object, curve)
}
