package pushcrypt

import (
	"bytes"
	"crypto/ed25519"
	"encoding/binary"

	"golang.org/x/crypto/curve25519"
	"golang.org/x/crypto/nacl/box"
)

// Account has a device's keys for one server or user, and the senders that it accepts.
type Account struct {
	Name string
	Keys []PrivateKey
	// Anyone accepts every sender and doesn't check signatures. Otherwise SignedBy has the accepted keys.
	Anyone   bool
	SignedBy []PublicKey
}

// Receiver opens sealed payloads.
type Receiver struct {
	Accounts []Account
	Kinds    []string // the names of the kinds to open, such as "notification" and "withdrawal"
	// Guard is the replay guard, if it isn't nil. It returns an error with the code replayed or possibly-replayed.
	Guard func(Opened) error
}

// Opened is an opened message.
type Opened struct {
	Original   []byte
	Kind       string
	Account    string
	Signer     string // the thumbprint of the signer's key, empty if signatures aren't checked
	MessageID  []byte
	IssuedAtMS uint64
	LifetimeS  uint32
}

const (
	minimumTolerance = 5 * 60
	maximumTolerance = 48 * 3600
)

// Open opens a sealed payload at a time in milliseconds since 1970-01-01 UTC.
func (r Receiver) Open(payload []byte, nowMS uint64) (Opened, error) {
	object, err := ParseObject(payload)
	if err != nil {
		return Opened{}, err
	}
	sealed, found := object.Get("ENCRYPTED_DATA")
	if !found {
		return Opened{}, fail("not-sealed", "The payload has no ENCRYPTED_DATA. Seal it.")
	}
	if sealed.Kind != '"' {
		return Opened{}, fail("malformed-envelope", "ENCRYPTED_DATA isn't a string. Seal the payload again.")
	}
	return r.OpenText(sealed.Text, nowMS)
}

// OpenText opens the value of ENCRYPTED_DATA.
func (r Receiver) OpenText(text string, nowMS uint64) (opened Opened, err error) {
	envelope, ok := decodeBase64(text)
	switch {
	case !ok:
		err = fail("malformed-base64", "The text isn't base64url without padding. Seal the payload again.")
	case len(envelope) > 0 && envelope[0] != 1:
		err = fail("unsupported-version", "The version of the envelope is unknown. Update the receiver.")
	case len(envelope) < 57:
		err = fail("malformed-envelope", "The envelope is too short. Seal the payload again.")
	}
	if err != nil {
		return opened, err
	}
	account, key := r.find(envelope[1:9])
	if key == nil {
		return opened, fail("unknown-key", "No key has the envelope's key id. Register the device again.")
	}
	message, ok := openBox(envelope[9:], key)
	if !ok {
		return opened, fail("decryption-failed", "The box doesn't open. Check that nothing changes the payload.")
	}
	payload, err := parseMessage(message)
	if err != nil {
		return opened, err
	}
	opened = Opened{Kind: kinds[message[1]], Account: account.Name, MessageID: message[16:32],
		IssuedAtMS: binary.BigEndian.Uint64(message[8:]), LifetimeS: binary.BigEndian.Uint32(message[4:])}
	if !account.Anyone {
		signer, err := r.authenticate(envelope[:9], account, key.Public, message)
		if err != nil {
			return Opened{}, err
		}
		opened.Signer = signer.Thumbprint()
	}
	if err := r.checkUse(opened, nowMS); err != nil {
		return Opened{}, err
	}
	if _, err := ParseObject(payload); err != nil {
		return Opened{}, err
	}
	opened.Original = payload
	if r.Guard != nil {
		if err := r.Guard(opened); err != nil {
			return Opened{}, err
		}
	}
	return opened, nil
}

func (r Receiver) find(id []byte) (*Account, *PrivateKey) {
	for at := range r.Accounts {
		for index := range r.Accounts[at].Keys {
			if key := &r.Accounts[at].Keys[index]; bytes.Equal(key.Public.id(), id) {
				return &r.Accounts[at], key
			}
		}
	}
	return nil, nil
}

func openBox(sealed []byte, key *PrivateKey) ([]byte, bool) {
	// The box package doesn't reject ephemeral keys of small order, which give a known secret.
	if _, err := curve25519.X25519(key.secret()[:], sealed[:32]); err != nil {
		return nil, false
	}
	return box.OpenAnonymous(nil, sealed, &key.Public.bytes, key.secret())
}

// parseMessage returns the payload.
func parseMessage(message []byte) ([]byte, error) {
	if len(message) < 32 {
		return nil, fail("malformed-message", "The message is too short. Check the sender.")
	}
	if message[0] > 1 {
		return nil, fail("unsupported-authentication", "The authentication is unknown. Update the receiver.")
	}
	if message[1] < 1 || message[1] > 9 {
		return nil, fail("unsupported-kind", "The kind is unknown. Update the receiver.")
	}
	lifetime := binary.BigEndian.Uint32(message[4:])
	padding, end := 32+int(binary.BigEndian.Uint16(message[2:])), len(message)-72*int(message[0])
	if lifetime < 1 || lifetime > MaximumLifetime || padding > end || len(bytes.Trim(message[padding:end], "\x00")) > 0 {
		return nil, fail("malformed-message", "The lifetime, a length or the padding isn't valid. Check the sender.")
	}
	return message[32:padding], nil
}

func accepted(account *Account, id []byte) *PublicKey {
	for at := range account.SignedBy {
		if bytes.Equal(account.SignedBy[at].id(), id) {
			return &account.SignedBy[at]
		}
	}
	return nil
}

func (r Receiver) authenticate(header []byte, account *Account, to PublicKey, message []byte) (*PublicKey, error) {
	if message[0] == 0 {
		return nil, fail("unsigned", "The message isn't signed. Sign it.")
	}
	split := len(message) - 64
	id, signature := message[split-8:split], message[split:]
	signer := accepted(account, id)
	if signer == nil {
		for at := range r.Accounts {
			if other := &r.Accounts[at]; !other.Anyone && accepted(other, id) != nil {
				return nil, fail("wrong-account", "Another account accepts the signer. Check the server's keys.")
			}
		}
		return nil, fail("unknown-signer", "The signer isn't accepted. Add its key to the receiver.")
	}
	if !isSignature(signature, signedBytes(header, to, message[:split]), *signer) {
		return nil, fail("invalid-signature", "The signature isn't valid. Check the sender and the recipient.")
	}
	return signer, nil
}

// isSignature reports whether a signature of a text is valid.
func isSignature(signature, text []byte, signer PublicKey) bool {
	// Go checks S, and compares encodings of R. A valid key leaves one R of small order: the neutral element.
	neutral := append([]byte{1}, make([]byte, 31)...)
	if len(signature) != ed25519.SignatureSize || bytes.Equal(signature[:32], neutral) {
		return false
	}
	return ed25519.Verify(signer.bytes[:], text, signature)
}

// checkUse checks the kind and the age.
func (r Receiver) checkUse(opened Opened, nowMS uint64) error {
	accepted := false
	for _, kind := range r.Kinds {
		accepted = accepted || kind == opened.Kind
	}
	if !accepted {
		return fail("wrong-kind", "The receiver doesn't open this kind. Send the push that fits.")
	}
	tolerance := uint64(opened.LifetimeS)
	if tolerance < minimumTolerance {
		tolerance = minimumTolerance
	} else if tolerance > maximumTolerance {
		tolerance = maximumTolerance
	}
	// A Live Activity's values are opened at every rendering and have no delivery date.
	isActivity := opened.Kind == "activity-state" || opened.Kind == "activity-attributes"
	isPast := nowMS > opened.IssuedAtMS
	if !isActivity && isPast && nowMS-opened.IssuedAtMS > (uint64(opened.LifetimeS)+tolerance)*1000 {
		return fail("expired", "The message is too old. Check the clocks.")
	}
	if !isPast && opened.IssuedAtMS-nowMS > maximumTolerance*1000 {
		return fail("issued-in-future", "The message is from the future. Check the clocks.")
	}
	return nil
}
