package pushcrypt

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"golang.org/x/crypto/blake2b"
	"golang.org/x/crypto/nacl/box"
)

// Signer decides about the signature. Its zero value seals nothing.
type Signer struct {
	keys      []PrivateKey
	anonymous bool
	// proofsSince is the time in milliseconds at which proofs were turned on; nil if they are off.
	proofsSince *int64
}

// Anonymous returns the signer of messages without a signature: anyone could have sent them.
func Anonymous() Signer { return Signer{anonymous: true} }

// SignedBy returns the signer with a server's private keys. It takes the first key that the device accepts.
func SignedBy(keys ...PrivateKey) Signer { return Signer{keys: keys} }

// WithProofs returns a signer that refuses a recipient without a proof as unproved-recipient.
// Rows from before a time are accepted until 30 days after it. Challenges go to every recipient.
func (s Signer) WithProofs(since time.Time) Signer {
	milliseconds := since.UnixMilli()
	s.proofsSince = &milliseconds
	return s
}

// Options are the settings of a push. Begin with DefaultOptions.
type Options struct {
	Type              string         // alert, background, voip, liveactivity, location or pushtotalk
	Lifetime          int64          // seconds, shortened to the recipient's
	Padding           string         // buckets, maximum or none
	Expose            []string       // members of aps that stay readable in an alert; "alert" for that of a Live Activity
	Placeholder       map[string]any // the visible alert: strings, and lists of strings as arguments
	Topic, CollapseID string         // headers, if they aren't empty
	Priority          int            // 1, 5 or 10; 0 stands for 5 in background pushes, and for 10 in others
	Kind              string         // "challenge" for a payload of Challenges.Issue, in alert or background pushes
	Carrier           Carrier        // decides the longest payload and the push types
}

// DefaultOptions returns the options of an alert for 7 days with the placeholder "(Encrypted)".
func DefaultOptions() Options {
	return Options{Type: "alert", Lifetime: 7 * 24 * 3600, Padding: "buckets",
		Placeholder: map[string]any{"body": "(Encrypted)"}}
}

// Push is the request to APNs: its body and its headers. Request returns that of another carrier.
type Push struct {
	Payload    []byte
	Headers    [][2]string
	Carrier    Carrier
	IssuedAtMS int64 // the time of issue
}

var kinds = []string{"", "notification", "background", "voip", "activity-state", "activity-attributes", "location",
	"pushtotalk", "withdrawal", "challenge"}

var typeKinds = map[string]byte{"alert": 1, "background": 2, "voip": 3, "liveactivity": 4, "location": 6, "pushtotalk": 7}

// topicSuffixes has the ends that Apple requires of the header apns-topic.
var topicSuffixes = map[string]string{"voip": ".voip", "liveactivity": ".push-type.liveactivity",
	"location": ".location-query", "pushtotalk": ".voip-ptt"}

// exposable has the members that stay readable in an alert. In a Live Activity, it is the alert alone.
var exposable = []string{"category", "thread-id", "sound", "badge", "interruption-level", "relevance-score",
	"target-content-id", "filter-criteria", "content-available"}

// source has the values that differ between two seals of one payload. Tests fix them.
type source struct {
	random io.Reader // message ids of 16 bytes, and ephemeral secret keys of 32 bytes
	now    time.Time
}

// Seal seals a payload for one device. It returns an *Error if a rule is violated, and never an unsealed payload.
func Seal(payload []byte, to Recipient, signer Signer, options Options) (Push, error) {
	return seal(payload, to, signer, options, source{rand.Reader, time.Now()})
}

const (
	// attributesKind is the kind of a Live Activity's attributes.
	attributesKind = 5
	challengeKind  = 9
	challenge      = "challenge"
)

// part is an object that is sealed as a message of its own.
type part struct {
	kind byte
	text []byte
	id   [16]byte
}

func seal(payload []byte, to Recipient, signer Signer, o Options, from source) (push Push, err error) {
	if err := CheckOptions(o); err != nil {
		return push, err
	}
	root, err := checkOriginal(payload, o)
	if err != nil {
		return push, err
	}
	if o.CollapseID == "" && !o.Carrier.rules().takesNoCollapseID {
		o.CollapseID = withdrawnID(root, o.Type)
	}
	if err := o.Carrier.check(root, o); err != nil {
		return push, err
	}
	frames, parts, err := frame(root, o)
	if err != nil {
		return push, err
	}
	sizes, err := signer.sizes(frames, parts, o)
	if err != nil {
		return push, err
	}
	key, err := signer.choose(to, o, from.now.UnixMilli())
	if err != nil {
		return push, err
	}
	if to.Lifetime > 0 && to.Lifetime < o.Lifetime {
		o.Lifetime = to.Lifetime
	}
	fields, err := headers(o, from.now.Unix()+o.Lifetime)
	if err != nil {
		return push, err
	}
	for at, part := range parts {
		if _, err := io.ReadFull(from.random, part.id[:]); err != nil {
			return Push{}, err
		}
		if part.kind != attributesKind { // A Live Activity with attributes has a state, too.
			fields = append(fields, [2]string{"apns-id", apnsID(part.id)})
		}
		sealed, err := sealMessage(part, sizes[at], to.Key, key, o.Lifetime, from)
		if err != nil {
			return Push{}, err
		}
		push.Payload = append(append(push.Payload, frames[at]...), encodeBase64(sealed)...)
	}
	return Push{append(push.Payload, frames[len(parts)]...), fields, o.Carrier, from.now.UnixMilli()}, nil
}

// sizes returns the length of the message for each part.
func (s Signer) sizes(frames [][]byte, parts []part, o Options) ([]int, error) {
	overhead, needed := 104, []int{}
	if s.anonymous {
		overhead = 32
	}
	for _, part := range parts {
		needed = append(needed, overhead+len(part.text))
	}
	return paddedSizes(needed, o.Carrier.room(o.Type, len(bytes.Join(frames, nil))), o.Padding)
}

// choose returns the key that signs for a device, nil for an anonymous message. It checks the row's carrier and proof.
func (s Signer) choose(to Recipient, o Options, nowMS int64) (*PrivateKey, error) {
	if to.row != nil && to.row.Carrier != o.Carrier {
		return nil, fail("wrong-carrier", "The row has a token of another carrier. Set the carrier of the options.")
	}
	if s.proofsSince != nil && o.Kind != challenge && !to.row.isProved(*s.proofsSince, nowMS) {
		return nil, fail("unproved-recipient", "The recipient isn't a row with a proof. Send a challenge first.")
	}
	valid := s.anonymous == (len(s.keys) == 0) && to.Key.curve == x25519
	for _, key := range s.keys {
		valid = valid && key.Public.curve == edward
	}
	if !valid {
		return nil, fail("wrong-key-type", "The signer or the recipient isn't set. Give an Ed25519 and an X25519 key.")
	}
	if s.anonymous {
		return nil, nil
	}
	key, err := ChooseKey(s.keys, to.Signers)
	return &key, err
}

// sealMessage returns the envelope.
func sealMessage(part part, size int, to PublicKey, signer *PrivateKey, lifetime int64, from source) ([]byte, error) {
	header := append([]byte{1}, to.id()...)
	message := make([]byte, 32, size)
	message[1] = part.kind
	binary.BigEndian.PutUint16(message[2:], uint16(len(part.text)))
	binary.BigEndian.PutUint32(message[4:], uint32(lifetime))
	binary.BigEndian.PutUint64(message[8:], uint64(from.now.UnixMilli()))
	copy(message[16:], part.id[:])
	message = append(message, part.text...)
	if signer == nil {
		message = message[:size] // The rest of the capacity is zero.
	} else {
		message[0] = 1
		message = append(message[:size-72], signer.Public.id()...)
		key := ed25519.NewKeyFromSeed(signer.secret()[:])
		message = append(message, ed25519.Sign(key, signedBytes(header, to, message))...)
	}
	return box.SealAnonymous(header, message, &to.bytes, from.random)
}

// apnsID returns the header apns-id: a hash of the message id as a UUID of version 8 (RFC 9562).
func apnsID(messageID [16]byte) string {
	hash, _ := blake2b.New(16, nil) // It fails for other lengths only.
	hash.Write(append([]byte("pushcrypt/v1/apns-id\x00"), messageID[:]...))
	digest := hash.Sum(nil)
	digest[6] = digest[6]&0x0f | 0x80
	digest[8] = digest[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", digest[:4], digest[4:6], digest[6:8], digest[8:10], digest[10:])
}

// signedBytes returns the bytes that the signature covers.
func signedBytes(header []byte, to PublicKey, message []byte) []byte {
	return bytes.Join([][]byte{[]byte("pushcrypt/v1/signature\x00"), header, to.bytes[:], message}, nil)
}

func limit(characters int) int { return characters*3/4 - 57 }

func characters(size int) int { return ((57+size)*4 + 2) / 3 }

// paddedSizes returns the length of each message. Together they have room for a number of characters.
func paddedSizes(needed []int, room int, padding string) ([]int, error) {
	sizes, used := make([]int, len(needed)), 0
	for _, size := range needed {
		used += characters(size)
	}
	if used > room {
		return nil, fail("payload-too-large", "The sealed payload has %d bytes too many. Shorten the payload.", used-room)
	}
	if len(needed) == 1 {
		sizes[0] = padded(needed[0], limit(room), padding)
	}
	if len(needed) == 2 {
		small, large, half := 0, 1, limit(room/2)
		if needed[0] > needed[1] {
			small, large = 1, 0
		}
		if needed[large] <= half {
			return []int{padded(needed[0], half, padding), padded(needed[1], half, padding)}, nil
		}
		first := padding
		if padding == "maximum" {
			first = "buckets"
		}
		sizes[small] = padded(needed[small], limit(room-characters(needed[large])), first)
		sizes[large] = padded(needed[large], limit(room-characters(sizes[small])), padding)
	}
	return sizes, nil
}

func padded(needed, limit int, padding string) int {
	if padding == "none" {
		return needed
	}
	for _, bucket := range []int{256, 512, 1024, 2048} {
		if padding != "maximum" && needed <= bucket && bucket <= limit {
			return bucket
		}
	}
	return limit
}

func headers(o Options, expiration int64) ([][2]string, error) {
	if o.Priority == 0 {
		if o.Priority = 10; o.Type == "background" {
			o.Priority = 5
		}
	}
	if o.Priority != 1 && o.Priority != 5 && (o.Priority != 10 || o.Type == "background") {
		return nil, fail("invalid-header", "The priority isn't valid. Give 1, 5 or 10, but not 10 for a background push.")
	}
	if o.Type == "pushtotalk" {
		expiration = 0 // Apple requires it.
	}
	if !isCollapseID(o.CollapseID) {
		return nil, fail("invalid-header", "The collapse id isn't valid. Give at most 64 visible ASCII characters.")
	}
	if suffix := topicSuffixes[o.Type]; o.Topic != "" && (!strings.HasSuffix(o.Topic, suffix) || o.Topic == suffix) {
		return nil, fail("invalid-header", "The topic doesn't fit the push type. Append %s to the app's bundle ID.", suffix)
	}
	result := [][2]string{{"apns-push-type", o.Type}, {"apns-priority", strconv.Itoa(o.Priority)},
		{"apns-expiration", strconv.FormatInt(expiration, 10)}}
	if o.Topic != "" {
		result = append(result, [2]string{"apns-topic", o.Topic})
	}
	if o.CollapseID != "" {
		result = append(result, [2]string{"apns-collapse-id", o.CollapseID})
	}
	return result, nil
}
