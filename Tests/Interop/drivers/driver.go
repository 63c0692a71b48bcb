package pushcrypt

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"time"
)

func (r request) print() (any, error) {
	parse := map[string]func([]byte) (PrivateKey, error){"signing": ParseSigningKey, "recipient-private": ParseDeviceKey}
	key, err := parse[r.Kind]([]byte(r.Text))
	hidden := struct{ key PrivateKey }{key}
	receiver := Receiver{Accounts: []Account{{Keys: []PrivateKey{key}}}}
	texts := []string{}
	for _, value := range []any{key, &key, hidden, &hidden, SignedBy(key), receiver} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			texts = append(texts, fmt.Sprintf(verb, value))
		}
		text, problem := json.Marshal(value)
		texts = append(texts, fmt.Sprint(string(text), problem))
	}
	return map[string]any{"texts": texts}, err
}

func (r request) carrierSeal() (any, error) {
	signer, to, options, err := r.settings()
	if err != nil {
		return nil, err
	}
	if r.Row != nil {
		row, err := ParseRow([]byte(*r.Row))
		if err != nil {
			return nil, err
		}
		to = row.Recipient()
	}
	if r.ProofsSince != nil {
		signer = signer.WithProofs(time.UnixMilli(*r.ProofsSince))
	}
	options.Carrier = NamedCarrier(r.Carrier)
	push, err := Seal([]byte(r.Payload), to, signer, options)
	if err != nil {
		return nil, err
	}
	answer, err := r.answered(push)
	answer["payload"], answer["apns_headers"], answer["issued_at_ms"] = string(push.Payload), texts(push.Headers), push.IssuedAtMS
	return answer, err
}

func (r request) keyring() (any, error) {
	keys, err := ReadSigningKeyring(r.Text)
	if err != nil {
		return nil, err
	}
	return map[string]any{"thumbprint": keys[0].Public.Thumbprint()}, nil
}

// Drive answers requests of Tests/Interop/run.
func Drive() {
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1<<26)
	output := json.NewEncoder(os.Stdout)
	for input.Scan() {
		r, err := parseRequest(input.Bytes())
		if err != nil {
			os.Exit(1)
		}
		actions := map[string]func() (any, error){"keyring": r.keyring, "print": r.print, "carrier-seal": r.carrierSeal}
		act, isOwn := actions[r.Do]
		if !isOwn {
			act = r.answer
		}
		answer, err := act()
		if failure := r.failure(err); failure != nil {
			answer = failure
		}
		if output.Encode(answer) != nil {
			os.Exit(1)
		}
	}
}
