package pushcrypt

import (
	"encoding/json"
	"reflect"
	"sort"
	"time"
)

const (
	formerPeriod = 60 * 24 * 3600 * 1000 // milliseconds
	formerLimit  = 64
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
}

// Request is a registration that arrives at a server.
type Request struct {
	Text    []byte // the registration
	Token   string
	Account string
	Now     time.Time
	Known   *Row  // the row of the token, in lowercase, and account; nil if it is missing
	Others  []Row // the account's other rows
}

func malformedRow() *Error {
	return fail("malformed-registration", "The row isn't valid. Restore it from a backup, or delete it.")
}

// ParseRow parses the row's text in the database.
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
	row = Row{Account: account.Text, Registered: registered}
	if row.DeviceToken, err = DeviceToken(token.Text); err != nil {
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

// Recipient returns the device's key, with its lifetime and signers.
func (r Row) Recipient() Recipient { return r.Registration.recipient() }

// JSON returns the row's text for the database.
func (r Row) JSON() ([]byte, error) {
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
	return json.Marshal(members)
}

// Accept returns the row to store. Call it in a transaction.
// After stale-generation, keep the known row, and answer with the error's Generation.
func (r Request) Accept() (row Row, err error) {
	row = Row{Account: r.Account, Registered: r.Now.UnixMilli()}
	if row.DeviceToken, err = DeviceToken(r.Token); err != nil {
		return row, err
	}
	if row.Registration, err = ParseRegistration(r.Text); err != nil {
		return row, err
	}
	rows := r.Others
	if r.Known != nil {
		rows = append([]Row{*r.Known}, r.Others...)
	}
	valid := r.Known == nil || r.Known.DeviceToken == row.DeviceToken
	for _, each := range rows {
		valid = valid && each.Account == r.Account
	}
	if !valid {
		return row, fail("malformed-registration", "A row has another token or account. Look it up by both.")
	}
	if err = row.Registration.checkGeneration(r.Known); err != nil {
		return row, err
	}
	for _, former := range currentKeys(rows, row.Registered) {
		if former.KID == row.Registration.Key.Thumbprint() {
			return row, stale(row.Registration.Generation, "The key is a former key of the account. Register another key.")
		}
	}
	row.FormerKeys = r.formerKeys(row)
	return row, nil
}

// formerKeys returns the former keys of the new row. A first row takes over those of the others.
func (r Request) formerKeys(row Row) []FormerKey {
	rows := r.Others
	if r.Known != nil {
		rows = []Row{*r.Known}
		if old := r.Known.Registration.Key; old != row.Registration.Key {
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
