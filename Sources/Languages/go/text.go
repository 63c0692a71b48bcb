package pushcrypt

import (
	"fmt"
	"strings"
)

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// compact removes the white space between the tokens of valid JSON.
func compact(raw []byte) []byte {
	result, quoted := make([]byte, 0, len(raw)), false
	for at := 0; at < len(raw); at++ {
		c := raw[at]
		if quoted && c == '\\' {
			result = append(result, c)
			at++
			c = raw[at]
		} else if c == '"' {
			quoted = !quoted
		} else if !quoted && isSpace(c) {
			continue
		}
		result = append(result, c)
	}
	return result
}

// quote returns the text as a JSON string.
func quote(text string) string {
	var result strings.Builder
	for _, c := range text {
		if at := strings.IndexRune("\"\\\b\f\n\r\t", c); at >= 0 {
			result.WriteString(`\` + `"\bfnrt`[at:at+1])
		} else if c < 0x20 {
			fmt.Fprintf(&result, `\u%04x`, c)
		} else {
			result.WriteRune(c)
		}
	}
	return `"` + result.String() + `"`
}

func isVisible(text string) bool {
	return strings.IndexFunc(text, func(c rune) bool { return c <= ' ' || c > '~' }) < 0
}

func isCollapseID(text string) bool { return isVisible(text) && len(text) <= 64 }

func contains(names []string, name string) bool {
	for _, each := range names {
		if each == name {
			return true
		}
	}
	return false
}
