package pushcrypt

import (
	"encoding/json"
	"errors"
	"reflect"
	"sort"
	"strings"
	"time"
)

const (
	formerPeriod = 60 * 24 * 3600 * 1000 // milliseconds
	formerLimit  = 64
	// unprovedPeriod is the time in milliseconds for which rows from before proofs are accepted.
	unprovedPeriod = 30 * 24 * 3600 * 1000
)

// FormerKey is a key that a device has replaced.
type FormerKey struct {
	KID      string `json:"kid"`      // the thumbprint
	Replaced int64  `json:"replaced"` // the time of the registration that replaced it, in milliseconds
}

// Row is a server's row of a device.
type Row struct {
	Account      string
	DeviceToken  string
	Registered   int64 // the time of the registration, in milliseconds
	Registration Registration
	FormerKeys   []FormerKey
	Proved       *int64 // the time of the proof of possession, in milliseconds; nil without a proof
	Carrier      Carrier
	isNewer      bool // A newer version has written the row.
}

// Proof says whether a registration comes with a proof of possession.
type Proof int

const (
	// ProofsOff is for a server that doesn't ask for proofs.
	ProofsOff Proof = iota
	// Unproved is for a registration without a proof, while proofs are on.
	Unproved
	// Proved is for a registration that Challenges.Verify has returned.
	Proved
)

// ErrChallenge is the error of an unproved registration: keep the known row, and send a challenge.
var ErrChallenge = errors.New("the registration has no proof; send a challenge")

// Request is a registration that arrives at a server.
type Request struct {
	Text    []byte // the registration
	Token   string
	Account string
	Now     time.Time
	Known   *Row  // the row of the token, in lowercase, and account; nil if it is missing
	Others  []Row // the account's other rows
	Carrier Carrier
	Proof   Proof
}

func malformedRow() *Error {
	return fail("malformed-registration", "The row isn't valid. Restore it from a backup, or delete it.")
}

// knownMembers has the members of a row, its registration, the registration's key and a former key.
var knownMembers = map[string]string{
	"row":          " account carrier deviceToken formerKeys proved registered registration ",
	"registration": " created generation key lifetime signers ",
	"key":          " crv kid kty use x ",
	"formerKeys":   " kid replaced ",
}

// hasUnknown reports whether an object has a member that this version doesn't know.
func hasUnknown(object Value, kind string) bool {
	for _, member := range object.Members {
		isVersion := kind == "row" && member.Name == "version" && string(member.Value.Raw) == "1"
		if !isVersion && !strings.Contains(knownMembers[kind], " "+member.Name+" ") {
			return true
		}
	}
	return false
}

// isNewerRow reports whether a row has another version or an unknown member.
func isNewerRow(row Value) bool {
	registration, _ := row.Get("registration")
	key, _ := registration.Get("key")
	former, _ := row.Get("formerKeys")
	isNewer := hasUnknown(row, "row") || hasUnknown(registration, "registration") || hasUnknown(key, "key")
	for _, entry := range former.Items {
		isNewer = isNewer || hasUnknown(entry, "formerKeys")
	}
	return isNewer
}

func newerRow() *Error {
	return fail("newer-format", "A newer version of PushCrypt has written the row, so it isn't changed. Update this program.")
}

// ParseRow parses the row's text in the database. A row of a newer version is read, and never replaced.
func ParseRow(text []byte) (row Row, err error) {
	object, err := parseObject(text, "malformed-registration")
	if err != nil {
		return row, err
	}
	account, _ := object.Get("account")
	token, _ := object.Get("deviceToken")
	registered, valid := integer(object, "registered", 0, maximumInteger)
	registration, _ := object.Get("registration")
	if account.Kind != '"' || token.Kind != '"' || !valid {
		return row, malformedRow()
	}
	row = Row{Account: account.Text, Registered: registered, isNewer: isNewerRow(object)}
	if err = row.readProof(object); err != nil {
		return row, err
	}
	if row.DeviceToken, err = row.Carrier.stored(token.Text); err != nil {
		return row, err
	}
	if row.Registration, err = readRegistration(registration); err != nil {
		return row, err
	}
	entries, found := object.Get("formerKeys")
	if found && entries.Kind != '[' {
		return row, malformedRow()
	}
	for _, entry := range entries.Items {
		kid, _ := entry.Get("kid")
		replaced, dated := integer(entry, "replaced", 0, maximumInteger)
		if kid.Kind != '"' || !isThumbprint(kid.Text) || !dated {
			return row, malformedRow()
		}
		row.FormerKeys = append(row.FormerKeys, FormerKey{kid.Text, replaced})
	}
	return row, nil
}

// readProof reads the members that a row has by its proof and its carrier.
func (r *Row) readProof(object Value) error {
	if carrier, found := object.Get("carrier"); found {
		if carrier.Kind != '"' {
			return malformedRow()
		}
		r.Carrier = NamedCarrier(carrier.Text)
	}
	if _, found := object.Get("proved"); found {
		proved, valid := integer(object, "proved", 0, maximumInteger)
		if !valid {
			return malformedRow()
		}
		r.Proved = &proved
	}
	return nil
}

// Recipient returns the device's key, with its lifetime and signers.
func (r Row) Recipient() Recipient {
	recipient := r.Registration.recipient()
	recipient.row = &r
	return recipient
}

// isProved reports whether a sender accepts the row while proofs are on. All times are milliseconds.
func (r *Row) isProved(since, now int64) bool {
	return r != nil && (r.Proved != nil || r.Registered < since && now < since+unprovedPeriod)
}

// JSON returns the row's text for the database. The error is newer-format for a row of a newer version.
func (r Row) JSON() ([]byte, error) {
	if r.isNewer {
		return nil, newerRow()
	}
	key := r.Registration.Key
	jwk := map[string]string{
		"crv": x25519, "kid": key.Thumbprint(), "kty": "OKP", "use": "enc", "x": encodeBase64(key.bytes[:]),
	}
	registration := map[string]any{
		"created": r.Registration.Created, "generation": r.Registration.Generation, "key": jwk,
		"lifetime": r.Registration.Lifetime,
	}
	if r.Registration.Signers != nil {
		registration["signers"] = r.Registration.Signers
	}
	members := map[string]any{
		"account": r.Account, "deviceToken": r.DeviceToken, "registered": r.Registered, "registration": registration,
	}
	if len(r.FormerKeys) > 0 {
		members["formerKeys"] = r.FormerKeys
	}
	if r.Proved != nil {
		members["proved"] = *r.Proved
	}
	if r.Carrier != (Carrier{}) {
		members["carrier"] = r.Carrier.String()
	}
	return json.Marshal(members)
}

// Accept returns the row to store. Call it in a transaction.
// After stale-generation, keep the known row, and answer with the error's Generation. After ErrChallenge, keep it, too.
// newer-format means that a newer version has written the known row.
func (r Request) Accept() (row Row, err error) {
	row = Row{Account: r.Account, Registered: r.Now.UnixMilli(), Carrier: r.Carrier}
	if row.DeviceToken, err = r.Carrier.stored(r.Token); err != nil {
		return row, err
	}
	if row.Registration, err = ParseRegistration(r.Text); err != nil {
		return row, err
	}
	rows := r.Others
	if r.Known != nil {
		rows = append([]Row{*r.Known}, r.Others...)
	}
	valid := r.Known == nil || r.Known.DeviceToken == row.DeviceToken && r.Known.Carrier == row.Carrier
	for _, each := range rows {
		valid = valid && each.Account == r.Account
	}
	if !valid {
		return row, fail("malformed-registration", "A row has another token or account. Look it up by both.")
	}
	if r.Known != nil && r.Known.isNewer {
		return row, newerRow()
	}
	isSame := r.Known != nil && reflect.DeepEqual(row.Registration, r.Known.Registration)
	if isSame {
		row.Proved = r.Known.Proved
	}
	if r.Proof == Unproved && row.Proved != nil {
		row.FormerKeys = r.Known.FormerKeys
		return row, nil
	}
	if err = row.Registration.checkGeneration(r.Known); err != nil {
		return row, err
	}
	for _, former := range currentKeys(rows, row.Registered) {
		if former.KID == row.Registration.Key.Thumbprint() {
			return row, stale(row.Registration.Generation, "The key is a former key of the account. Register another key.")
		}
	}
	if r.Proof == Unproved {
		return row, ErrChallenge
	}
	if row.FormerKeys = r.formerKeys(row); r.Proof == Proved {
		row.Proved = &row.Registered
	}
	return row, nil
}

// formerKeys returns the former keys of the new row. A first row takes over those of the others.
func (r Request) formerKeys(row Row) []FormerKey {
	rows := r.Others
	if r.Known != nil {
		rows = []Row{*r.Known}
		// A key that was never proved may be anyone's.
		isForged := r.Proof == Proved && r.Known.Proved == nil
		if old := r.Known.Registration.Key; old != row.Registration.Key && !isForged {
			rows = append(rows, Row{FormerKeys: []FormerKey{{old.Thumbprint(), row.Registered}}})
		}
	}
	current := currentKeys(rows, row.Registered)
	if len(current) > formerLimit {
		return current[:formerLimit]
	}
	return current
}

func stale(generation int64, reason string) *Error {
	problem := fail("stale-generation", "%s", reason)
	problem.Generation = generation
	return problem
}

func (r Registration) checkGeneration(row *Row) error {
	known := Registration{}
	isStale := row == nil && r.Generation > 1<<52
	if row != nil {
		known = row.Registration
		same := r.Key == known.Key && r.Lifetime == known.Lifetime && reflect.DeepEqual(r.Signers, known.Signers)
		isStale = r.Generation < known.Generation || r.Generation-known.Generation > 1<<32 ||
			r.Generation == known.Generation && !same
	}
	if isStale {
		return stale(known.Generation, "The registration doesn't follow the known one. Register again.")
	}
	return nil
}

// currentKeys returns the former keys of the last 60 days, the newest of each key, the newest first.
func currentKeys(rows []Row, now int64) (current []FormerKey) {
	var all []FormerKey
	for _, row := range rows {
		all = append(all, row.FormerKeys...)
	}
	sort.Slice(all, func(i, j int) bool {
		if all[i].Replaced != all[j].Replaced {
			return all[i].Replaced > all[j].Replaced
		}
		return all[i].KID < all[j].KID
	})
	seen := map[string]bool{}
	for _, key := range all {
		if key.Replaced+formerPeriod > now && !seen[key.KID] {
			seen[key.KID] = true
			current = append(current, key)
		}
	}
	return current
}
