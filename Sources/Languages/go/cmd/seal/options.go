package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/pushcrypt"
)

const (
	maximumPayload = 1048576
	usage          = `usage: seal (--anonymous | --sign-with KEYRING) [--payload FILE] [--type TYPE] [--lifetime 7d]
            [--padding buckets|maximum|none] [--expose KEYS] [--placeholder-body TEXT] [--topic TOPIC]
            [--carrier NAME] [--app-id ID]`
)

// setting is the parsed command line.
type setting struct {
	options          pushcrypt.Options
	keyring, payload string
	appID            string
	isAnonymous      bool
}

// parse returns false if an argument isn't valid. Package flag would accept -type and --anonymous=false.
func parse(arguments []string) (s setting, valid bool) {
	s.options = pushcrypt.DefaultOptions()
	for len(arguments) > 0 {
		name, value, hasValue := strings.Cut(arguments[0], "=")
		arguments = arguments[1:]
		if name == "--help" && !hasValue || name == "-h" && !hasValue {
			fmt.Println(usage)
			os.Exit(0)
		}
		if name == "--anonymous" && !hasValue {
			s.isAnonymous = true
			continue
		}
		if !hasValue {
			// A value that begins with a hyphen needs an equals sign.
			if len(arguments) == 0 || len(arguments[0]) > 1 && arguments[0][0] == '-' {
				return s, false
			}
			value, arguments = arguments[0], arguments[1:]
		}
		if value == "" && name != "--expose" || !s.set(name, value) || pushcrypt.CheckOptions(s.options) != nil {
			return s, false
		}
	}
	hasApp := s.appID != ""
	return s, s.isAnonymous == (s.keyring == "") && hasApp == (s.options.Carrier.String() == "onesignal")
}

func (s *setting) set(name, value string) (valid bool) {
	switch name {
	case "--sign-with":
		s.keyring = value
	case "--payload":
		s.payload = value
	case "--type":
		s.options.Type = value
	case "--lifetime":
		s.options.Lifetime, _ = seconds(value)
	case "--padding":
		s.options.Padding = value
	case "--expose":
		names := strings.FieldsFunc(value, func(c rune) bool { return c == ',' })
		s.options.Expose = append(s.options.Expose, names...)
	case "--placeholder-body":
		s.options.Placeholder = map[string]any{"body": value}
		return utf8.ValidString(value)
	case "--topic":
		s.options.Topic = value
	case "--carrier":
		s.options.Carrier = pushcrypt.NamedCarrier(value)
		return s.options.Carrier.IsKnown()
	case "--app-id":
		s.appID = value
		return strings.IndexFunc(value, func(c rune) bool { return c < '!' || c > '~' }) < 0
	default:
		return false
	}
	return true
}

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
