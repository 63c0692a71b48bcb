package pushcrypt

import (
	"strings"
	"time"
)

const (
	maximumListLength = 65536
	maximumSigners    = 64
	listType          = "pushcrypt-signers"
)

// SignerList is a list of the keys from which devices accept signatures. Its signature is valid.
type SignerList struct {
	Text       string
	Root       PublicKey
	Keys       []PublicKey
	Number     int64
	Issued     int64 // seconds since 1970-01-01 UTC, as is Expiration
	Expiration int64
	Audience   *string
}

// SignerRoots are the keys that an app pins for an account, in order, and the audience of their lists, nil for none.
type SignerRoots struct {
	Keys     []PublicKey
	Audience *string
}

func malformedList(reason string) *Error {
	return fail("malformed-signer-list", "The list isn't valid. %s Issue a new list.", reason)
}

// Verify returns the list of one of the roots. It checks neither the audience nor the expiration.
func (r SignerRoots) Verify(text string) (list SignerList, err error) {
	parts := strings.Split(text, ".")
	if len(text) > maximumListLength || len(parts) != 3 {
		return list, malformedList("It is too long, or doesn't have three parts.")
	}
	var decoded [3][]byte
	for at, part := range parts {
		var valid bool
		if decoded[at], valid = decodeBase64(part); !valid {
			return list, malformedList("A part isn't base64url without padding.")
		}
	}
	header, err := parseObject(decoded[0], "malformed-signer-list")
	if err != nil {
		return list, err
	}
	root, err := r.root(header)
	if err != nil {
		return list, err
	}
	if !isSignature(decoded[2], []byte(parts[0]+"."+parts[1]), root) {
		return list, fail("invalid-signature", "The list's signature isn't valid. Sign the list again.")
	}
	content, err := parseObject(decoded[1], "malformed-signer-list")
	if err != nil {
		return list, err
	}
	list, err = readList(content)
	list.Text, list.Root = text, root
	return list, err
}

// root returns the pinned root that a header names.
func (r SignerRoots) root(header Value) (PublicKey, error) {
	algorithm, _ := header.Get("alg")
	kind, _ := header.Get("typ")
	kid, _ := header.Get("kid")
	valid := len(header.Members) == 3
	for _, member := range header.Members {
		valid = valid && member.Value.Kind == '"'
	}
	if !valid || algorithm.Text != edward || kind.Text != listType || !isThumbprint(kid.Text) {
		return PublicKey{}, malformedList("The header isn't \"alg\" Ed25519, \"kid\" and \"typ\".")
	}
	for _, root := range r.Keys {
		if root.Thumbprint() == kid.Text {
			return root, nil
		}
	}
	return PublicKey{}, fail("unknown-root", "The list's root isn't pinned. Sign the list with a pinned root.")
}

func isThumbprint(text string) bool {
	bytes, valid := decodeBase64(text)
	return valid && len(bytes) == 32
}

func readList(content Value) (list SignerList, err error) {
	keys, _ := content.Get("keys")
	if keys.Kind != '[' || len(keys.Items) < 1 || len(keys.Items) > maximumSigners {
		return list, malformedList("\"keys\" isn't an array of 1 to 64 keys.")
	}
	known := map[PublicKey]bool{}
	for _, item := range keys.Items {
		key, err := readPublicKey(item, edward)
		if _, private := item.Get("d"); err != nil || private || known[key] {
			return list, malformedList("A key is invalid, private or there twice.")
		}
		known[key] = true
		list.Keys = append(list.Keys, key)
	}
	var numbered, issued, expires bool
	list.Number, numbered = integer(content, "number", 1, maximumInteger)
	list.Issued, issued = integer(content, "iat", 0, maximumInteger)
	list.Expiration, expires = integer(content, "exp", 0, maximumInteger)
	if !numbered || !issued || !expires || list.Issued >= list.Expiration {
		return list, malformedList("A number is missing or out of range, or the list expires before it is issued.")
	}
	if audience, found := content.Get("aud"); found {
		if audience.Kind != '"' {
			return list, malformedList("\"aud\" isn't a string.")
		}
		list.Audience = &audience.Text
	}
	return list, nil
}

func (r SignerRoots) fits(list SignerList) bool {
	if list.Audience == nil || r.Audience == nil {
		return list.Audience == nil && r.Audience == nil
	}
	return *list.Audience == *r.Audience
}

// own returns the stored lists of pinned roots for the pinned audience, at most one for each root.
func (r SignerRoots) own(stored []string) ([]SignerList, error) {
	var lists []SignerList
	for _, text := range stored {
		list, err := r.Verify(text)
		if problem, isProblem := err.(*Error); isProblem && problem.Code == "unknown-root" {
			continue
		}
		if err != nil {
			return nil, err
		}
		if r.fits(list) {
			lists = append(lists, list)
		}
	}
	return lists, nil
}

// StoredWith returns the texts to store after a list has come, which are the stored ones if nothing changes.
// The time is the date of the server's answer.
func (r SignerRoots) StoredWith(text string, stored []string, now time.Time) ([]string, error) {
	list, err := r.Verify(text)
	if err != nil {
		return nil, err
	}
	if !r.fits(list) {
		return nil, fail("wrong-audience", "The list is for another audience. Issue a list for this app.")
	}
	result := []string{text}
	for _, known := range stored {
		lists, _ := r.own([]string{known}) // A damaged list is replaced.
		for _, old := range lists {
			switch {
			case old.Root != list.Root:
				result = append(result, old.Text)
			case old.Text == text:
				return stored, nil
			case list.Number < old.Number:
				return nil, fail("stale-signer-list", "The device has a newer list. Hand out the newest list.")
			case list.Number == old.Number:
				return nil, fail("conflicting-signer-list", "Two lists have one number. Issue a list with a higher number.")
			}
		}
	}
	if now.Unix() >= list.Expiration {
		return nil, fail("expired-signer-list", "The list expired before it came. Issue a new list.")
	}
	return result, nil
}

// AcceptedKeys returns the keys that count with the stored lists, for Account.SignedBy.
func (r SignerRoots) AcceptedKeys(stored []string) ([]PublicKey, error) {
	lists, err := r.own(stored)
	if err != nil {
		return nil, err
	}
	for _, root := range r.Keys {
		for _, list := range lists {
			if list.Root == root {
				return list.Keys, nil
			}
		}
	}
	return r.Keys, nil
}
