package pushcrypt

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Value is a value of strict JSON, with its bytes as they arrived.
type Value struct {
	// Kind is the first byte of the value, or '0' for every number.
	Kind    byte
	Raw     []byte
	Text    string // a string's text, with escapes resolved
	Members []Member
	Items   []Value
}

// Member is a member of an object.
type Member struct {
	Name    string
	RawName []byte
	Raw     []byte // from the name to the end of the value
	Value   Value
}

// Get returns the member's value, and false if the member is missing.
func (v Value) Get(name string) (Value, bool) {
	for _, member := range v.Members {
		if member.Name == name {
			return member.Value, true
		}
	}
	return Value{}, false
}

const maximumDepth = 64

type scanner struct {
	data     []byte
	at, deep int
}

type syntaxError struct {
	at   int
	text string
}

// ParseObject parses one strict JSON object. The error is malformed-json.
func ParseObject(data []byte) (Value, error) { return parseObject(data, "malformed-json") }

// ParseLine parses an object with payloads in it, which can have one more level.
func ParseLine(data []byte) (Value, error) { return parse(data, "malformed-json", maximumDepth+1) }

func parseObject(data []byte, code string) (Value, error) { return parse(data, code, maximumDepth) }

func parse(data []byte, code string, levels int) (value Value, err error) {
	defer func() {
		switch problem := recover().(type) {
		case nil:
		case syntaxError:
			err = fail(code, "At byte %d, %s. Give one strict JSON object.", problem.at, problem.text)
		default:
			panic(problem)
		}
	}()
	s := &scanner{data: data, deep: levels}
	if !utf8.Valid(data) {
		s.stop("the text isn't UTF-8")
	}
	s.space()
	root := s.value(1)
	if root.Kind != '{' {
		s.stop("the value isn't an object")
	}
	s.space()
	if s.at < len(data) {
		s.stop("the object isn't the end")
	}
	return root, nil
}

func (s *scanner) stop(text string) { panic(syntaxError{s.at, text}) }

// peek returns zero at the end, which no rule of the grammar accepts.
func (s *scanner) peek() byte {
	if s.at < len(s.data) {
		return s.data[s.at]
	}
	return 0
}

func (s *scanner) space() {
	for ; isSpace(s.peek()); s.at++ {
	}
}

func (s *scanner) expect(text string) {
	if !bytes.HasPrefix(s.data[s.at:], []byte(text)) {
		s.stop("a character isn't valid")
	}
	s.at += len(text)
}

func (s *scanner) value(depth int) Value {
	start, value := s.at, Value{Kind: s.peek()}
	switch value.Kind {
	case '{', '[':
		if depth > s.deep {
			s.stop("the nesting is too deep")
		}
		s.container(&value, depth)
	case '"':
		value.Text = s.text()
	case 't', 'f', 'n':
		s.expect(map[byte]string{'t': "true", 'f': "false", 'n': "null"}[value.Kind])
	default:
		value.Kind = '0'
		s.number()
	}
	value.Raw = s.data[start:s.at:s.at]
	return value
}

func (s *scanner) container(value *Value, depth int) {
	closing, names := value.Kind+2, map[string]bool{}
	s.at++
	s.space()
	if s.peek() == closing {
		s.at++
		return
	}
	for {
		s.space()
		if value.Kind == '[' {
			value.Items = append(value.Items, s.value(depth+1))
		} else {
			start := s.at
			name := s.text()
			if names[name] {
				s.stop("a name occurs twice in one object")
			}
			names[name] = true
			member := Member{Name: name, RawName: s.data[start:s.at:s.at]}
			s.space()
			s.expect(":")
			s.space()
			member.Value = s.value(depth + 1)
			member.Raw = s.data[start:s.at:s.at]
			value.Members = append(value.Members, member)
		}
		s.space()
		if s.peek() == closing {
			s.at++
			return
		}
		s.expect(",")
	}
}

func (s *scanner) digits() {
	if c := s.peek(); c < '0' || c > '9' {
		s.stop("a character isn't valid")
	}
	for c := s.peek(); c >= '0' && c <= '9'; c = s.peek() {
		s.at++
	}
}

func (s *scanner) number() {
	if s.peek() == '-' {
		s.at++
	}
	if s.peek() == '0' {
		s.at++
	} else {
		s.digits()
	}
	if s.peek() == '.' {
		s.at++
		s.digits()
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		s.at++
		if c := s.peek(); c == '+' || c == '-' {
			s.at++
		}
		s.digits()
	}
}

func (s *scanner) text() string {
	s.expect(`"`)
	var text []byte
	for {
		c := s.peek()
		switch {
		case c == '"':
			s.at++
			return string(text)
		case c < 0x20:
			s.stop("a string has a control character or no end")
		case c == '\\':
			text = utf8.AppendRune(text, s.escape())
		default:
			text = append(text, c)
			s.at++
		}
	}
}

func (s *scanner) escape() rune {
	s.at++
	c := s.peek()
	s.at++
	if at := bytes.IndexByte([]byte(`"\/bfnrt`), c); at >= 0 {
		return rune("\"\\/\b\f\n\r\t"[at])
	}
	if c != 'u' {
		s.stop("an escape isn't valid")
	}
	unit := s.hex()
	if !utf16.IsSurrogate(unit) {
		return unit
	}
	s.expect(`\u`)
	pair := utf16.DecodeRune(unit, s.hex())
	if pair == utf8.RuneError {
		s.stop("a surrogate is alone")
	}
	return pair
}

func (s *scanner) hex() rune {
	if s.at+4 > len(s.data) {
		s.stop("an escape isn't valid")
	}
	unit, err := strconv.ParseUint(string(s.data[s.at:s.at+4]), 16, 16)
	if err != nil {
		s.stop("an escape isn't valid")
	}
	s.at += 4
	return rune(unit)
}
