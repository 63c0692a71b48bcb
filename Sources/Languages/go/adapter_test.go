package pushcrypt

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"time"
)

// request is a vector's request to the library.
type request struct {
	Do, Kind, Text, Token, To, Payload, Type, Padding, Topic string
	Account                                                  string
	Row                                                      *string
	Others                                                   []string
	Sender                                                   json.RawMessage
	Lengths                                                  []int
	Maximum, Frame                                           int
	Lifetime                                                 int64 `json:"lifetime_s"`
	Placeholder                                              *map[string]any
	Expose                                                   []string
	CollapseID                                               string `json:"collapse_id"`
	Priority                                                 int
	Now                                                      int64    `json:"now_ms"`
	Secrets                                                  []string `json:"ephemeral_secrets"`
	IDs                                                      []string `json:"message_ids"`
	ID                                                       string   `json:"message_id"`
	Roots                                                    []json.RawMessage
	Audience                                                 *string
	Stored                                                   json.RawMessage // a string or null, or an array
	Keyring                                                  string
	Signers                                                  []string
	Registration, Carrier, Secret, Previous, Body            string
	Expires                                                  int64
	APS                                                      string `json:"aps"`
	Proofs, Proved                                           bool
	ProofsSince                                              *int64            `json:"proofs_since_ms"`
	ChallengeSecrets                                         []string          `json:"secrets"`
	Headers                                                  map[string]string `json:"apns_headers"`
	IssuedAt                                                 int64             `json:"issued_at_ms"`
	AppID                                                    string            `json:"app_id"`
	Reason                                                   bool
}

func (r request) isAnonymous() bool { return string(r.Sender) == "null" }

func (r request) key() (any, error) {
	var public PublicKey
	var private PrivateKey
	var err error
	switch r.Kind {
	case "recipient-public":
		public, err = ParseRecipientKey([]byte(r.Text))
	case "verification":
		public, err = ParseVerificationKey([]byte(r.Text))
	case "recipient-private":
		private, err = ParseDeviceKey([]byte(r.Text))
		public = private.Public
	case "signing":
		private, err = ParseSigningKey([]byte(r.Text))
		public = private.Public
	}
	return map[string]any{"thumbprint": public.Thumbprint(), "key_id": encodeBase64(public.id())}, err
}

func (r request) device() Device {
	return Device{Token: r.Token, Account: r.Account, Carrier: NamedCarrier(r.Carrier)}
}

func (r request) challenges() (Challenges, error) {
	texts := r.ChallengeSecrets
	if texts == nil {
		texts = []string{r.Secret, r.Previous}
	}
	var secrets [][]byte
	for _, text := range texts {
		data, _ := decodeBase64(text)
		secrets = append(secrets, data)
	}
	return NewChallenges(r.Topic, secrets[0], secrets[1:]...)
}

func (r request) challenge() (any, error) {
	challenges, err := r.challenges()
	if err != nil {
		return nil, err
	}
	expires := time.Unix(r.Expires, 0)
	silent, err := challenges.Issue([]byte(r.Registration), r.device(), expires, nil)
	if err != nil {
		return nil, err
	}
	visible, err := challenges.Issue([]byte(r.Registration), r.device(), expires, []byte(r.APS))
	return map[string]any{"payload": string(silent), "visible": string(visible)}, err
}

func (r request) proof() (any, error) {
	answer, err := AnswerChallenge([]byte(r.Payload), []byte(r.Registration), r.device())
	return map[string]any{"answer": string(answer)}, err
}

func (r request) verify() (any, error) {
	challenges, err := r.challenges()
	if err != nil {
		return nil, err
	}
	text, err := challenges.Verify([]byte(r.Body), r.device(), time.UnixMilli(r.Now))
	if err != nil {
		return nil, err
	}
	registration, err := ParseRegistration(text)
	return map[string]any{"generation": registration.Generation, "kid": registration.Key.Thumbprint()}, err
}

func (r request) refusal() (any, error) {
	row, err := ParseRow([]byte(*r.Row))
	if err != nil {
		return nil, err
	}
	signer, options := Anonymous(), DefaultOptions()
	if r.ProofsSince != nil {
		signer = signer.WithProofs(time.UnixMilli(*r.ProofsSince))
	}
	options.Kind, options.Carrier = r.Kind, row.Carrier
	_, err = seal([]byte(r.Payload), row.Recipient(), signer, options, source{rand.Reader, time.UnixMilli(r.Now)})
	return map[string]any{"refused": false}, err
}

func (r request) update() (any, error) {
	update := Request{Text: []byte(r.Text), Token: r.Token, Account: r.Account, Now: time.UnixMilli(r.Now)}
	if r.Do == "row" {
		update.Carrier = NamedCarrier(r.Carrier)
		if r.Proved {
			update.Proof = Proved
		} else if r.Proofs {
			update.Proof = Unproved
		}
	}
	if r.Row != nil {
		known, err := ParseRow([]byte(*r.Row))
		if err != nil {
			return nil, err
		}
		update.Known = &known
	}
	for _, text := range r.Others {
		row, err := ParseRow([]byte(text))
		if err != nil {
			return nil, err
		}
		update.Others = append(update.Others, row)
	}
	row, err := update.Accept()
	if err == ErrChallenge {
		return map[string]any{"challenge": true}, nil
	}
	if err != nil {
		return nil, err
	}
	text, err := row.JSON()
	return map[string]any{"row": string(text)}, err
}

// texts returns the headers by their names.
func texts(headers [][2]string) map[string]string {
	result := map[string]string{}
	for _, header := range headers {
		result[header[0]] = header[1]
	}
	return result
}

func (r request) answered(push Push) (map[string]any, error) {
	request, err := push.Request(r.Token, r.AppID)
	return map[string]any{"body": string(request.Body), "headers": texts(request.Headers)}, err
}

func (r request) carrierRequest() (any, error) {
	push := Push{Payload: []byte(r.Payload), Carrier: NamedCarrier(r.Carrier), IssuedAtMS: r.IssuedAt}
	for name, value := range r.Headers {
		push.Headers = append(push.Headers, [2]string{name, value})
	}
	return r.answered(push)
}

func (r request) limit() (any, error) {
	carrier := NamedCarrier(r.Carrier)
	if err := carrier.checkType(r.Type); err != nil {
		return nil, err
	}
	sizes, err := paddedSizes([]int{0}, carrier.room(r.Type, r.Frame), "maximum")
	return map[string]any{"longest": sizes[0]}, err
}

// settings returns the signer, the recipient and the options of a request to seal.
func (r request) settings() (signer Signer, to Recipient, options Options, err error) {
	signer = Anonymous()
	if !r.isAnonymous() {
		key, err := ParseSigningKey(r.Sender)
		if err != nil {
			return signer, to, options, err
		}
		signer = SignedBy(key)
	}
	if to, err = ParseRecipient([]byte(r.To)); err != nil {
		return signer, to, options, err
	}
	options = DefaultOptions()
	options.Type, options.Lifetime, options.Padding, options.Expose = r.Type, r.Lifetime, r.Padding, r.Expose
	options.Topic, options.CollapseID, options.Priority, options.Kind = r.Topic, r.CollapseID, r.Priority, r.Kind
	if r.Placeholder != nil {
		options.Placeholder = *r.Placeholder
		for name, value := range options.Placeholder {
			if items, isArray := value.([]any); isArray {
				texts := []string{}
				for _, item := range items {
					texts = append(texts, item.(string))
				}
				options.Placeholder[name] = texts
			}
		}
	}
	return signer, to, options, nil
}

func (r request) seal() (any, error) {
	signer, to, options, err := r.settings()
	if err != nil {
		return nil, err
	}
	var random []byte
	for at := range r.IDs {
		for _, text := range []string{r.IDs[at], r.Secrets[at]} {
			data, _ := decodeBase64(text)
			random = append(random, data...)
		}
	}
	push, err := seal([]byte(r.Payload), to, signer, options, source{bytes.NewReader(random), time.UnixMilli(r.Now)})
	return map[string]any{"payload": string(push.Payload), "headers": texts(push.Headers)}, err
}

func thumbprints(keys []PublicKey) (kids []string) {
	for _, key := range keys {
		kids = append(kids, key.Thumbprint())
	}
	return kids
}

func (r request) roots() (roots SignerRoots, err error) {
	roots.Audience = r.Audience
	for _, jwk := range r.Roots {
		key, err := ParseVerificationKey(jwk)
		if err != nil {
			return roots, err
		}
		roots.Keys = append(roots.Keys, key)
	}
	return roots, nil
}

func (r request) signerList() (any, error) {
	roots, err := r.roots()
	if err != nil {
		return nil, err
	}
	var text *string
	var stored []string
	if json.Unmarshal(r.Stored, &text) == nil && text != nil {
		stored = []string{*text}
	}
	texts, err := roots.StoredWith(r.Text, stored, time.UnixMilli(r.Now))
	if err != nil {
		return nil, err
	}
	outcome := "accepted"
	if len(texts) == len(stored) && texts[0] == stored[0] {
		outcome = "unchanged"
	}
	list, err := roots.Verify(r.Text)
	return map[string]any{"outcome": outcome, "number": list.Number, "kids": thumbprints(list.Keys)}, err
}

func (r request) acceptedKeys() (any, error) {
	roots, err := r.roots()
	if err != nil {
		return nil, err
	}
	var stored []string
	if err := json.Unmarshal(r.Stored, &stored); err != nil {
		return nil, err
	}
	keys, err := roots.AcceptedKeys(stored)
	return map[string]any{"kids": thumbprints(keys)}, err
}

func (r request) choice() (any, error) {
	keys, err := ParseSigningKeyring([]byte(r.Keyring))
	if err != nil {
		return nil, err
	}
	key, err := ChooseKey(keys, r.Signers)
	return map[string]any{"kid": key.Public.Thumbprint()}, err
}

// answer returns what the library answers.
func (r request) answer() (any, error) {
	var registration Registration
	var err error
	switch r.Do {
	case "key":
		return r.key()
	case "registration":
		registration, err = ParseRegistration([]byte(r.Text))
	case "token":
		token, err := DeviceToken(r.Text)
		return map[string]any{"stored": token}, err
	case "update", "row":
		return r.update()
	case "challenge":
		return r.challenge()
	case "proof":
		return r.proof()
	case "answer":
		return r.verify()
	case "refusal":
		return r.refusal()
	case "seal":
		return r.seal()
	case "request":
		return r.carrierRequest()
	case "limit":
		return r.limit()
	case "apns-id":
		var id [16]byte
		data, _ := decodeBase64(r.ID)
		copy(id[:], data)
		return map[string]any{"apns_id": apnsID(id)}, nil
	case "signer-list":
		return r.signerList()
	case "accepted-keys":
		return r.acceptedKeys()
	case "choice":
		return r.choice()
	case "pad":
		overhead := 104
		if r.isAnonymous() {
			overhead = 32
		}
		var needed []int
		for _, length := range r.Lengths {
			needed = append(needed, length+overhead)
		}
		sizes, err := paddedSizes(needed, r.Maximum-r.Frame, r.Padding)
		return map[string]any{"padded": sizes}, err
	}
	return map[string]any{"generation": registration.Generation, "lifetime": registration.Lifetime,
		"signers": registration.Signers}, err
}

// parseRequest returns a request, with the default options if it has none.
func parseRequest(text []byte) (request, error) {
	defaults := DefaultOptions()
	r := request{Type: defaults.Type, Lifetime: defaults.Lifetime, Padding: defaults.Padding}
	return r, json.Unmarshal(text, &r)
}

// failure returns the answer of an error of the library, or nil.
func (r request) failure(err error) map[string]any {
	problem, ok := err.(*Error)
	if !ok || problem == nil {
		return nil
	}
	failure := map[string]any{"fails": problem.Code}
	if problem.Code == "stale-generation" {
		failure["generation"] = problem.Generation
	}
	if r.Reason {
		failure["reason"] = problem.Reason
	}
	return failure
}
