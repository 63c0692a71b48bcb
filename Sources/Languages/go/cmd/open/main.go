// Command open opens one sealed payload for each line of its input. It is made for tests.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"example.com/pushcrypt"
)

type result struct {
	Original  string  `json:"original"`
	Kind      string  `json:"kind"`
	Account   string  `json:"account"`
	Signer    *string `json:"signer"`
	MessageID string  `json:"message_id"`
	IssuedAt  uint64  `json:"issued_at_ms"`
	Lifetime  uint32  `json:"lifetime_s"`
}

func get(value pushcrypt.Value, name string) pushcrypt.Value {
	member, _ := value.Get(name)
	return member
}

func receiver(line pushcrypt.Value) (r pushcrypt.Receiver, err error) {
	for _, kind := range get(line, "kinds").Items {
		r.Kinds = append(r.Kinds, kind.Text)
	}
	for _, item := range get(line, "accounts").Items {
		accept := get(item, "accept")
		account := pushcrypt.Account{Name: get(item, "name").Text, Anyone: get(accept, "anyone").Kind == 't'}
		for _, jwk := range get(item, "keys").Items {
			key, err := pushcrypt.ParseDeviceKey(jwk.Raw)
			if err != nil {
				return r, err
			}
			account.Keys = append(account.Keys, key)
		}
		if account.SignedBy, err = signers(accept); err != nil {
			return r, err
		}
		r.Accounts = append(r.Accounts, account)
	}
	return r, nil
}

// signers returns the accepted keys: "signed_by", or those of "roots", "audience" and "lists".
func signers(accept pushcrypt.Value) (keys []pushcrypt.PublicKey, err error) {
	_, hasRoots := accept.Get("roots")
	for _, jwk := range append(get(accept, "signed_by").Items, get(accept, "roots").Items...) {
		key, err := pushcrypt.ParseVerificationKey(jwk.Raw)
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	if !hasRoots {
		return keys, nil
	}
	roots := pushcrypt.SignerRoots{Keys: keys}
	if audience := get(accept, "audience"); audience.Kind == '"' {
		roots.Audience = &audience.Text
	}
	var stored []string
	for _, list := range get(accept, "lists").Items {
		stored = append(stored, list.Text)
	}
	return roots.AcceptedKeys(stored)
}

func open(text []byte) (*result, error) {
	line, err := pushcrypt.ParseLine(text)
	if err != nil {
		return nil, err
	}
	r, err := receiver(line)
	if err != nil {
		return nil, err
	}
	now, err := strconv.ParseUint(string(get(line, "now_ms").Raw), 10, 64)
	if err != nil {
		return nil, &pushcrypt.Error{Code: "invalid-configuration", Reason: "now_ms isn't an integer."}
	}
	value, isValue := line.Get("userInfo-value")
	var opened pushcrypt.Opened
	if isValue && value.Kind != '"' {
		err = &pushcrypt.Error{Code: "malformed-envelope", Reason: "ENCRYPTED_DATA isn't a string."}
	} else if isValue {
		opened, err = r.OpenText(value.Text, now)
	} else {
		opened, err = r.Open([]byte(get(line, "payload").Text), now)
	}
	if err != nil {
		return nil, err
	}
	opens := &result{Original: string(opened.Original), Kind: opened.Kind, Account: opened.Account,
		MessageID: base64.RawURLEncoding.EncodeToString(opened.MessageID),
		IssuedAt:  opened.IssuedAtMS, Lifetime: opened.LifetimeS}
	if opened.Signer != "" {
		opens.Signer = &opened.Signer
	}
	return opens, nil
}

func main() {
	signal.Ignore(syscall.SIGPIPE)
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1<<26)
	output := json.NewEncoder(os.Stdout)
	output.SetEscapeHTML(false)
	for input.Scan() {
		opens, err := open(input.Bytes())
		answer := map[string]any{"opens": opens}
		var problem *pushcrypt.Error
		if errors.As(err, &problem) {
			answer = map[string]any{"fails": problem.Code}
		}
		if output.Encode(answer) != nil {
			os.Exit(1)
		}
	}
	if input.Err() != nil {
		os.Exit(1)
	}
}
