// Package pushcrypt seals APNs payloads for one device, and opens sealed payloads.
package pushcrypt

import (
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
