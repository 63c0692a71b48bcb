// Command seal seals the payload of each line of its input, which has one JSON object per line.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strconv"
	"strings"
	"syscall"

	"example.com/pushcrypt"
)

const maximumLine = 65536

func problem(code, reason string) error { return &pushcrypt.Error{Code: code, Reason: reason} }

type filter struct {
	signer  pushcrypt.Signer
	options pushcrypt.Options
	payload []byte // for lines without a payload
	appID   string
}

// override replaces options by the line's members.
func (f filter) override(line pushcrypt.Value) (options pushcrypt.Options, err error) {
	options = f.options
	names := map[string]*string{"type": &options.Type, "topic": &options.Topic, "collapse-id": &options.CollapseID}
	for name, option := range names {
		if value, found := line.Get(name); found {
			if *option = value.Text; value.Kind != '"' {
				return options, problem("type-mismatch", "A type, topic or collapse id isn't a string. Give a string.")
			} else if value.Text == "" {
				code := map[bool]string{true: "not-sealable", false: "invalid-header"}[name == "type"]
				return options, problem(code, "A type, topic or collapse id is empty. Give visible ASCII characters.")
			}
		}
	}
	if value, found := line.Get("lifetime"); found {
		text := value.Text
		if value.Kind == '0' {
			text = string(value.Raw) + "s"
		}
		if options.Lifetime, err = seconds(text); err != nil {
			return options, err
		}
	}
	if value, found := line.Get("priority"); found {
		options.Priority, err = strconv.Atoi(string(value.Raw))
		if err != nil || options.Priority == 0 {
			err = problem("invalid-header", "The priority isn't valid. Give 1, 5 or 10.")
		}
	}
	return options, err
}

func (f filter) push(line pushcrypt.Value) (pushcrypt.Push, error) {
	to, hasRecipient := line.Get("to")
	text := to.Raw
	if to.Kind == '"' {
		text = []byte(to.Text)
	}
	payload := f.payload
	if value, found := line.Get("payload"); found {
		payload = value.Raw
	}
	if !hasRecipient || payload == nil {
		return pushcrypt.Push{}, problem("missing-value", "\"to\" or \"payload\" is missing. Add it.")
	}
	options, err := f.override(line)
	if err != nil {
		return pushcrypt.Push{}, err
	}
	recipient, err := pushcrypt.ParseRecipient(text)
	if err != nil {
		return pushcrypt.Push{}, err
	}
	return pushcrypt.Seal(payload, recipient, f.signer, options)
}

// request returns the request to APNs, or to the carrier for the line's token.
func (f filter) request(line pushcrypt.Value) (request pushcrypt.CarrierRequest, err error) {
	push, err := f.push(line)
	if err != nil || push.Carrier == (pushcrypt.Carrier{}) {
		return pushcrypt.CarrierRequest{Body: push.Payload, Headers: push.Headers}, err
	}
	token, found := line.Get("token")
	if !found {
		return request, problem("missing-value", "\"token\" is missing. Add it.")
	}
	if token.Kind != '"' {
		return request, problem("type-mismatch", "The token isn't a string. Give a string.")
	}
	return push.Request(token.Text, f.appID)
}

func quote(text string) string {
	var result bytes.Buffer
	encoder := json.NewEncoder(&result)
	encoder.SetEscapeHTML(false)
	encoder.Encode(text)
	return strings.TrimSpace(result.String())
}

var stringOrSpace = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|[ \t\r\n]+`)

// copied returns a member with one space between tokens, because a carriage return there ends a line for some readers.
func copied(member []byte) string {
	return stringOrSpace.ReplaceAllStringFunc(string(member), func(token string) string {
		if token[0] == '"' {
			return token
		}
		return " "
	})
}

// isPrivateKey returns true for a line that is a private JWK by mistake, so that no answer may repeat it.
func isPrivateKey(line pushcrypt.Value) bool {
	texts := map[string]bool{}
	for _, member := range line.Members {
		texts[member.Name] = bytes.HasSuffix(member.Raw, []byte(`"`))
	}
	return texts["d"] && (texts["kty"] || texts["crv"])
}

// answer returns the output for a line, and false if the line isn't sealed.
func (f filter) answer(text []byte, number int) (string, bool) {
	line, err := pushcrypt.Value{}, problem("line-too-long", "The line has more than 65536 bytes. Shorten it.")
	var request pushcrypt.CarrierRequest
	if len(text) <= maximumLine {
		if line, err = pushcrypt.ParseLine(text); err == nil {
			request, err = f.request(line)
		}
	}
	own := map[string]bool{"to": true, "payload": true, "headers": true}
	if err != nil {
		for _, name := range []string{"line", "error", "type", "lifetime", "collapse-id", "topic", "priority"} {
			own[name] = true
		}
	}
	if err != nil && isPrivateKey(line) {
		line.Members = nil
	}
	var members []string
	for _, member := range line.Members {
		if member.Name == "payload" && err == nil {
			members = append(members, `"payload":`+string(request.Body))
		} else if !own[member.Name] {
			members = append(members, copied(member.Raw))
		}
	}
	if err != nil {
		failure := &pushcrypt.Error{Code: "random-unavailable", Reason: "Random numbers aren't available. Try again."}
		errors.As(err, &failure)
		members = append(members, fmt.Sprintf(`"line":%d,"error":{"code":%s,"reason":%s}`,
			number, quote(failure.Code), quote(failure.Reason)))
	} else {
		if _, found := line.Get("payload"); !found {
			members = append(members, `"payload":`+string(request.Body))
		}
		var headers []string
		for _, header := range request.Headers {
			headers = append(headers, quote(header[0])+":"+quote(header[1]))
		}
		members = append(members, `"headers":{`+strings.Join(headers, ",")+"}")
	}
	return "{" + strings.Join(members, ",") + "}\n", err == nil
}

func failure(err error) int {
	fmt.Fprintln(os.Stderr, "seal: error: "+err.Error())
	return 1
}

// run returns the exit status.
func (f filter) run(input io.Reader, output io.Writer) int {
	status, reader := 0, bufio.NewReaderSize(input, maximumLine+1)
	for number := 1; ; number++ {
		text, err := reader.ReadSlice('\n')
		isLong := err == bufio.ErrBufferFull
		if isLong {
			text = make([]byte, maximumLine+1) // The content of a long line isn't read again.
		}
		for err == bufio.ErrBufferFull {
			_, err = reader.ReadSlice('\n')
		}
		if err != nil && err != io.EOF {
			return failure(err)
		}
		if err == io.EOF && len(text) == 0 {
			return status
		}
		answer, sealed := f.answer(bytes.TrimSuffix(text, []byte("\n")), number)
		if !sealed {
			status = 65
		}
		if _, problem := io.WriteString(output, answer); problem != nil {
			return failure(problem)
		}
		if err == io.EOF {
			return status
		}
	}
}

func main() {
	signal.Ignore(syscall.SIGPIPE)
	setting, valid := parse(os.Args[1:])
	if !valid {
		fmt.Fprintln(os.Stderr, usage)
		os.Exit(64)
	}
	f := filter{options: setting.options, signer: pushcrypt.Anonymous(), appID: setting.appID}
	if !setting.isAnonymous {
		keys, err := pushcrypt.ReadSigningKeyring(setting.keyring)
		if err != nil {
			os.Exit(failure(err))
		}
		f.signer = pushcrypt.SignedBy(keys...)
	}
	if setting.payload != "" {
		var err error
		if f.payload, err = readPayload(setting.payload); err != nil {
			os.Exit(failure(err))
		}
	}
	os.Exit(f.run(os.Stdin, os.Stdout))
}
