package pushcrypt

import (
	"bytes"
	"crypto/hmac"
	"encoding/binary"
	"encoding/json"
	"strconv"
	"time"

	"golang.org/x/crypto/blake2b"
)

// Carrier is the service that delivers pushes. Its zero value is APNs itself.
type Carrier struct {
	name    string
	isOther bool
}

// NamedCarrier returns the carrier with a name, such as "expo".
func NamedCarrier(name string) Carrier {
	if name == "apns" {
		return Carrier{}
	}
	return Carrier{name, true}
}

// String returns the carrier's name.
func (c Carrier) String() string {
	if c.isOther {
		return c.name
	}
	return "apns"
}

// stored returns a token in the form to store: that of APNs in lowercase, and others unchanged.
func (c Carrier) stored(token string) (string, error) {
	if c.isOther {
		return token, nil
	}
	return DeviceToken(token)
}

// Device names a device in a request: its token, the account of the session, and the carrier.
type Device struct {
	Token, Account string
	Carrier        Carrier
}

// Challenges issues a server's challenges for an app, and verifies the answers of devices.
type Challenges struct {
	topic   string
	secrets [][]byte
}

// NewChallenges returns the challenges for an app's bundle ID. Secrets have 32 random bytes.
// Answers to challenges under the previous secrets are still valid.
func NewChallenges(topic string, secret []byte, previous ...[]byte) (Challenges, error) {
	c := Challenges{topic, append([][]byte{secret}, previous...)}
	for _, each := range c.secrets {
		if len(each) != 32 {
			return c, fail("invalid-configuration", "A secret isn't 32 bytes. Read them from crypto/rand, and store them.")
		}
	}
	return c, nil
}

// Issue returns the payload of a challenge, to be sealed with the option Kind: "challenge".
// The registration is the text that the device has sent. A visible challenge displays aps, which is nil otherwise.
func (c Challenges) Issue(registration []byte, device Device, expires time.Time, aps []byte) ([]byte, error) {
	seconds := expires.Unix()
	if seconds < 0 || seconds > maximumInteger {
		return nil, fail("invalid-configuration", "The expiry isn't valid. Give a time after 1970.")
	}
	nonce, err := c.nonce(c.secrets[0], device, digest(registration), seconds)
	if err != nil {
		return nil, err
	}
	text := `{"challenge":"` + encodeBase64(nonce) + `","expires":` + strconv.FormatInt(seconds, 10)
	if aps != nil {
		object, err := ParseObject(aps)
		if err != nil {
			return nil, err
		}
		text += `,"aps":` + string(compact(object.Raw))
	}
	return []byte(text + "}"), nil
}

// Verify returns the text of the registration in a device's answer, or an error if its proof isn't valid.
// The device is that of the request that brings the answer.
func (c Challenges) Verify(answer []byte, device Device, now time.Time) ([]byte, error) {
	registration, expires, proof, err := readAnswer(answer)
	if err != nil {
		return nil, err
	}
	if _, err = device.Carrier.stored(device.Token); err != nil {
		return nil, err
	}
	if _, err = ParseRegistration(registration); err != nil {
		return nil, err
	}
	// Seconds are compared, because an expiry in milliseconds could be too large.
	if now.Unix() >= expires {
		return nil, fail("expired-challenge", "The challenge expired before its answer came. Send another one.")
	}
	isValid := false
	for _, secret := range c.secrets {
		nonce, err := c.nonce(secret, device, digest(registration), expires)
		if err != nil {
			return nil, err
		}
		expected, err := proofOf(nonce, registration, device)
		if err != nil {
			return nil, err
		}
		isValid = hmac.Equal(expected, proof) || isValid
	}
	if !isValid {
		return nil, fail("invalid-proof", "The proof isn't that of the challenge. Send another challenge.")
	}
	return registration, nil
}

// AnswerChallenge returns a device's answer to the payload of a challenge.
// The registration is the text that the device has sent, and the device is its own.
func AnswerChallenge(payload, registration []byte, device Device) ([]byte, error) {
	object, err := ParseObject(payload)
	if err != nil {
		return nil, err
	}
	nonce, expires, err := readChallenge(object)
	if err != nil {
		return nil, err
	}
	proof, err := proofOf(nonce, registration, device)
	if err != nil {
		return nil, err
	}
	return json.Marshal(struct {
		Registration string `json:"registration"`
		Expires      int64  `json:"expires"`
		Proof        string `json:"proof"`
	}{string(registration), expires, encodeBase64(proof)})
}

// readChallenge returns the nonce and the expiry of a challenge's payload.
func readChallenge(root Value) (nonce []byte, expires int64, err error) {
	text, _ := root.Get("challenge")
	nonce, valid := decodeBase64(text.Text)
	expires, isNumber := integer(root, "expires", 0, maximumInteger)
	for _, member := range root.Members {
		isKnown := contains([]string{"challenge", "expires", "aps"}, member.Name)
		valid = valid && isKnown && (member.Name != "aps" || member.Value.Kind == '{')
	}
	if !valid || !isNumber || text.Kind != '"' || len(nonce) != 32 {
		return nil, 0, fail("invalid-payload", "The payload isn't a challenge. Use the text of Challenges.Issue.")
	}
	return nonce, expires, nil
}

// readAnswer returns the registration, the expiry and the proof of a device's answer.
func readAnswer(answer []byte) (registration []byte, expires int64, proof []byte, err error) {
	object, err := parseObject(answer, "malformed-registration")
	if err != nil {
		return nil, 0, nil, err
	}
	text, _ := object.Get("registration")
	encoded, _ := object.Get("proof")
	proof, valid := decodeBase64(encoded.Text)
	expires, isNumber := integer(object, "expires", 0, maximumInteger)
	if !valid || !isNumber || text.Kind != '"' || encoded.Kind != '"' || len(proof) != 32 {
		return nil, 0, nil, fail("malformed-registration", "The answer isn't valid. Send a device's answer unchanged.")
	}
	return []byte(text.Text), expires, proof, nil
}

// nonce returns the nonce of a challenge under a secret.
func (c Challenges) nonce(secret []byte, device Device, digest []byte, expires int64) ([]byte, error) {
	token, err := device.Carrier.stored(device.Token)
	if err != nil {
		return nil, err
	}
	expiry := binary.BigEndian.AppendUint64(nil, uint64(expires))
	return mac(secret, "pushcrypt/v1/challenge\x00", []byte(c.topic), []byte(device.Carrier.String()),
		[]byte(device.Account), []byte(token), digest, expiry)
}

// proofOf returns the proof of a device under a nonce.
func proofOf(nonce, registration []byte, device Device) ([]byte, error) {
	token, err := device.Carrier.stored(device.Token)
	if err != nil {
		return nil, err
	}
	return mac(nonce, "pushcrypt/v1/proof\x00", digest(registration), []byte(token), []byte(device.Account))
}

func digest(registration []byte) []byte {
	sum := blake2b.Sum256(registration)
	return sum[:]
}

// mac returns BLAKE2b under a key of a name and parts, each after its length.
func mac(key []byte, name string, parts ...[]byte) ([]byte, error) {
	hash, err := blake2b.New256(key)
	if err != nil {
		return nil, err
	}
	joined := bytes.NewBufferString(name)
	for _, part := range parts {
		joined.Write(binary.BigEndian.AppendUint32(nil, uint32(len(part))))
		joined.Write(part)
	}
	hash.Write(joined.Bytes())
	return hash.Sum(nil), nil
}
