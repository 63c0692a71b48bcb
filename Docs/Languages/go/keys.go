// Package pushcrypt seals APNs payloads for one device, and opens sealed payloads.
package pushcrypt

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"math/big"
	"strings"

	"golang.org/x/crypto/curve25519"
)

const (
	x25519 = "X25519"
	edward = "Ed25519"
	// MaximumLifetime is 30 days in seconds.
	MaximumLifetime = 2592000
	maximumInteger  = 1<<53 - 1
)

// PublicKey is a validated X25519 key of a device, or a validated Ed25519 key of a server.
type PublicKey struct {
	curve string
	bytes [32]byte
}

// PrivateKey is a key pair: X25519 of a device, or Ed25519 of a server.
type PrivateKey struct {
	Public PublicKey
	secret func() *[32]byte // the X25519 secret key, or the Ed25519 seed: a function, because fmt prints private fields
}

// String returns a description without the secret.
func (k PrivateKey) String() string { return "private key " + k.Public.Thumbprint() }

func decodeBase64(text string) ([]byte, bool) {
	if strings.ContainsAny(text, "\r\n") { // Go's decoder skips them.
		return nil, false
	}
	data, err := base64.RawURLEncoding.Strict().DecodeString(text)
	return data, err == nil
}

func encodeBase64(data []byte) string { return base64.RawURLEncoding.EncodeToString(data) }

func (k PublicKey) hash() [32]byte {
	return sha256.Sum256([]byte(`{"crv":"` + k.curve + `","kty":"OKP","x":"` + encodeBase64(k.bytes[:]) + `"}`))
}

// Thumbprint returns the RFC 7638 thumbprint, 43 characters of base64url.
func (k PublicKey) Thumbprint() string {
	hash := k.hash()
	return encodeBase64(hash[:])
}

func (k PublicKey) id() []byte {
	hash := k.hash()
	return hash[:8]
}

// Canonical encodings of the points of small order on Curve25519.
var smallOrder = map[string]bool{
	strings.Repeat("00", 32):                                           true,
	"01" + strings.Repeat("00", 31):                                    true,
	"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f": true,
	"e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800": true,
	"5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157": true,
}

func newPublicKey(curve string, raw []byte) (PublicKey, error) {
	key := PublicKey{curve: curve}
	if len(raw) != 32 {
		return key, fail("malformed-jwk", "The key isn't 32 bytes in base64url without padding. Check the key.")
	}
	copy(key.bytes[:], raw)
	valid := littleEndian(raw).Cmp(prime) < 0 && !smallOrder[fmt.Sprintf("%x", raw)]
	if curve == edward {
		valid = isVerificationKey(raw)
	}
	if !valid {
		return key, fail("invalid-key", "The key isn't canonical, has small order or isn't on the curve. Check the key.")
	}
	return key, nil
}

// Arithmetic on Ed25519 for public keys only: big.Int isn't constant-time.
var (
	prime     = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(19))
	groupSize = new(big.Int).Add(new(big.Int).Lsh(big.NewInt(1), 252), number("27742317777372353535851937790883648493"))
	curveD    = number("37095705934669439343138083508754565189542113879843219016388785533085940283555")
)

func number(digits string) *big.Int {
	value, _ := new(big.Int).SetString(digits, 10)
	return value
}

func littleEndian(raw []byte) *big.Int {
	reversed := make([]byte, len(raw))
	for at, b := range raw {
		reversed[len(raw)-1-at] = b
	}
	return new(big.Int).SetBytes(reversed)
}

func product(a, b *big.Int) *big.Int {
	result := new(big.Int).Mul(a, b)
	return result.Mod(result, prime)
}
func sum(a, b *big.Int) *big.Int        { return new(big.Int).Add(a, b) }
func difference(a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) }

// point has the extended coordinates X, Y, Z and T of RFC 8032 section 5.1.4.
type point [4]*big.Int

func (p point) plus(q point) point {
	a := product(difference(p[1], p[0]), difference(q[1], q[0]))
	b := product(sum(p[1], p[0]), sum(q[1], q[0]))
	c := product(product(p[3], sum(q[3], q[3])), curveD)
	d := product(p[2], sum(q[2], q[2]))
	e, f, g, h := difference(b, a), difference(d, c), sum(d, c), sum(b, a)
	return point{product(e, f), product(g, h), product(f, g), product(e, h)}
}

// isVerificationKey reports whether the key is canonical, on the curve and of the main subgroup's order.
func isVerificationKey(raw []byte) bool {
	one, odd := big.NewInt(1), uint(raw[31]>>7)
	y := littleEndian(raw)
	y.SetBit(y, 255, 0)
	if y.Cmp(prime) >= 0 {
		return false
	}
	yy := product(y, y)
	x := product(difference(yy, one), new(big.Int).ModInverse(sum(product(curveD, yy), one), prime))
	if x = new(big.Int).ModSqrt(x, prime); x == nil || x.Sign() == 0 {
		return false // x = 0 belongs to the two points of order 1 and 2.
	}
	if x.Bit(0) != odd {
		x = difference(prime, x)
	}
	p := point{x, y, one, product(x, y)}
	result := point{new(big.Int), one, one, new(big.Int)}
	for bit := groupSize.BitLen() - 1; bit >= 0; bit-- {
		result = result.plus(result)
		if groupSize.Bit(bit) == 1 {
			result = result.plus(p)
		}
	}
	return result[0].Sign() == 0 && result[1].Cmp(result[2]) == 0
}

func publicOf(curve string, secret []byte) []byte {
	if curve == edward {
		return ed25519.NewKeyFromSeed(secret)[32:]
	}
	public, _ := curve25519.X25519(secret, curve25519.Basepoint)
	return public
}

// readJWK returns the key, and true if it has its private half.
func readJWK(jwk Value, curve string) (key PrivateKey, private bool, err error) {
	text := map[string]string{}
	for _, name := range []string{"kty", "crv", "x", "use", "d"} {
		value, found := jwk.Get(name)
		if found && value.Kind != '"' || !found && (name == "kty" || name == "crv" || name == "x") {
			return key, false, fail("malformed-jwk", "%q is missing or isn't a string. Give a JWK.", name)
		}
		if text[name] = value.Text; found && (name == "x" || name == "d") {
			text[name] = string(value.Raw[1 : len(value.Raw)-1]) // Escapes aren't allowed here.
		}
	}
	_, hasUse := jwk.Get("use")
	_, private = jwk.Get("d")
	use := map[string]string{x25519: "enc", edward: "sig"}[curve]
	if text["kty"] != "OKP" || text["crv"] != curve || hasUse && text["use"] != use {
		return key, false, fail("wrong-key-type", "The JWK isn't an %s key with the use %q. Give one.", curve, use)
	}
	raw, _ := decodeBase64(text["x"])
	secret, _ := decodeBase64(text["d"])
	if len(raw) != 32 || private && len(secret) != 32 {
		return key, false, fail("malformed-jwk", "\"x\" or \"d\" isn't 32 bytes in base64url without padding. Check the key.")
	}
	if key.Public, err = newPublicKey(curve, raw); err != nil || !private {
		return key, private, err
	}
	key.secret = func() *[32]byte { return (*[32]byte)(secret) }
	if !bytes.Equal(publicOf(curve, secret), raw) {
		return key, true, fail("key-pair-mismatch", "\"d\" doesn't belong to \"x\". Check the key.")
	}
	return key, true, nil
}

func readPrivateKey(jwk Value, curve string) (PrivateKey, error) {
	key, private, err := readJWK(jwk, curve)
	if err == nil && !private {
		err = fail("wrong-key-type", "The JWK is a public key. Give a private one.")
	}
	return key, err
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
		key, _, err := readJWK(object, curve)
		return key.Public, err
	}
	var chosen Value
	primaries := 0
	for _, item := range set.Items {
		state, found := item.Get("state")
		if _, _, err := readJWK(item, curve); found && state.Kind != '"' || hasCode(err, "malformed-jwk") {
			return PublicKey{}, fail("malformed-jwk", "An element of \"keys\" isn't a JWK. Correct the JWK Set.")
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
	key, _, err := readJWK(chosen, curve)
	return key.Public, err
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
