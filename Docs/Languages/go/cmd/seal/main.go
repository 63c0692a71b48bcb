// Command seal seals the payload of each line of its input, which has one JSON object per line.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"unicode/utf8"

	"example.com/pushcrypt"
)

const (
	maximumLine    = 65536
	maximumPayload = 1048576
	usage          = `usage: seal (--anonymous | --sign-with KEYRING) [--payload FILE] [--type TYPE] [--lifetime 7d]
            [--padding buckets|maximum|none] [--expose KEYS] [--placeholder-body TEXT] [--topic TOPIC]`
)

func problem(code, reason string) error { return &pushcrypt.Error{Code: code, Reason: reason} }

// seconds parses a lifetime such as 90s, 15m, 12h or 7d.
func seconds(text string) (int64, error) {
	units := map[byte]int64{'s': 1, 'm': 60, 'h': 3600, 'd': 86400}
	if len(text) > 1 && len(text) <= 10 {
		count, err := strconv.ParseUint(text[:len(text)-1], 10, 32)
		lifetime := int64(count) * units[text[len(text)-1]]
		if err == nil && lifetime >= 1 && lifetime <= pushcrypt.MaximumLifetime {
			return lifetime, nil
		}
	}
	return 0, problem("invalid-lifetime", "The lifetime isn't valid. Give a lifetime of 1 second to 30 days.")
}

// readPayload reads a payload for all lines. The file can be a device without an end.
func readPayload(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maximumPayload+1))
	if err == nil && len(text) > maximumPayload {
		err = problem("payload-too-large", "The payload has more than 1048576 bytes. Shorten it.")
	}
	return text, err
}

type filter struct {
	signer  pushcrypt.Signer
	options pushcrypt.Options
	payload []byte // for lines without a payload
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

func quote(text string) string {
	var result bytes.Buffer
	encoder := json.NewEncoder(&result)
	encoder.SetEscapeHTML(false)
	encoder.Encode(text)
	return strings.TrimSpace(result.String())
}

// answer returns the output for a line, and false if the line isn't sealed.
func (f filter) answer(text []byte, number int) (string, bool) {
	line, err := pushcrypt.Value{}, problem("line-too-long", "The line has more than 65536 bytes. Shorten it.")
	var push pushcrypt.Push
	if len(text) <= maximumLine {
		if line, err = pushcrypt.ParseLine(text); err == nil {
			push, err = f.push(line)
		}
	}
	own := map[string]bool{"to": true, "payload": true, "headers": true}
	if err != nil {
		for _, name := range []string{"line", "error", "type", "lifetime", "collapse-id", "topic", "priority"} {
			own[name] = true
		}
	}
	var members []string
	for _, member := range line.Members {
		if member.Name == "payload" && err == nil {
			members = append(members, `"payload":`+string(push.Payload))
		} else if !own[member.Name] {
			members = append(members, string(member.RawName)+":"+string(member.Value.Raw))
		}
	}
	if err != nil {
		failure := &pushcrypt.Error{Code: "random-unavailable", Reason: "Random numbers aren't available. Try again."}
		errors.As(err, &failure)
		members = append(members, fmt.Sprintf(`"line":%d,"error":{"code":%s,"reason":%s}`,
			number, quote(failure.Code), quote(failure.Reason)))
	} else {
		if _, found := line.Get("payload"); !found {
			members = append(members, `"payload":`+string(push.Payload))
		}
		var headers []string
		for _, header := range push.Headers {
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
	f := filter{options: pushcrypt.DefaultOptions()}
	flags := flag.NewFlagSet("seal", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	anonymous, lifetime := flags.Bool("anonymous", false, ""), flags.String("lifetime", "7d", "")
	body := flags.String("placeholder-body", "(Encrypted)", "")
	var keyring, payload, topic *string // An empty path is a path, too.
	for name, target := range map[string]**string{"sign-with": &keyring, "payload": &payload, "topic": &topic} {
		target := target
		flags.Func(name, "", func(text string) error {
			*target = &text
			return nil
		})
	}
	flags.StringVar(&f.options.Type, "type", "alert", "")
	flags.StringVar(&f.options.Padding, "padding", "buckets", "")
	flags.Func("expose", "", func(names string) error {
		f.options.Expose = append(f.options.Expose, strings.FieldsFunc(names, func(c rune) bool { return c == ',' })...)
		return nil
	})
	err := flags.Parse(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		fmt.Println(usage)
		return
	}
	if topic != nil {
		f.options.Topic = *topic
	}
	if f.options.Lifetime, _ = seconds(*lifetime); err == nil {
		err = pushcrypt.CheckOptions(f.options)
	}
	if err != nil || flags.NArg() > 0 || *anonymous == (keyring != nil) || f.options.Lifetime == 0 || *body == "" ||
		!utf8.ValidString(*body) || topic != nil && *topic == "" {
		fmt.Fprintln(os.Stderr, usage)
		os.Exit(64)
	}
	f.options.Placeholder = map[string]any{"body": *body}
	f.signer = pushcrypt.Anonymous()
	if keyring != nil {
		key, err := pushcrypt.ReadSigningKeyring(*keyring)
		if err != nil {
			os.Exit(failure(err))
		}
		f.signer = pushcrypt.SignedBy(key)
	}
	if payload != nil {
		if f.payload, err = readPayload(*payload); err != nil {
			os.Exit(failure(err))
		}
	}
	os.Exit(f.run(os.Stdin, os.Stdout))
}
