// Package vectors runs the test vectors of a file. Only tests import it.
package vectors

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"testing"
)

// Subject is a part of the vectors.
type Subject bool

// The vectors of opening belong to the command, and all others to the package.
const (
	Sealing Subject = false
	Opening Subject = true
)

const shownFailures = 20

type vector struct {
	Name    string
	Request json.RawMessage
	Answer  json.RawMessage
	Texts   []string `json:"json"` // members whose value is JSON
}

func (v vector) subject() Subject {
	var request struct{ Do string }
	return Subject(json.Unmarshal(v.Request, &request) == nil && request.Do == "open")
}

// comparable returns an answer whose JSON texts are values.
func (v vector) comparable(text []byte) (answer map[string]any, err error) {
	if err := decode(text, &answer); err != nil {
		return nil, err
	}
	for _, name := range v.Texts {
		if text, isText := answer[name].(string); isText {
			var value any
			if err := decode([]byte(text), &value); err != nil {
				return nil, err
			}
			answer[name] = value
		}
	}
	return answer, nil
}

func decode(text []byte, value any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return decoder.Decode(value)
}

func (v vector) passes(answer func(request []byte) (any, error)) bool {
	result, err := answer(v.Request)
	if err != nil {
		return false
	}
	text, err := json.Marshal(result)
	if err != nil {
		return false
	}
	found, err := v.comparable(text)
	if err != nil {
		return false
	}
	wanted, err := v.comparable(v.Answer)
	return err == nil && reflect.DeepEqual(found, wanted)
}

// read returns the vectors of a whole file.
func read(t *testing.T, path string) (all []vector) {
	file, err := os.Open(path)
	if err != nil {
		t.Fatalf("The vectors can't be read: %v. Give their file: -vectors FILE", err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<26)
	var header struct{ Version, Count int }
	if !lines.Scan() || json.Unmarshal(lines.Bytes(), &header) != nil {
		t.Fatalf("%s has no first line.", path)
	}
	for lines.Scan() {
		var each vector
		if err := json.Unmarshal(lines.Bytes(), &each); err != nil {
			t.Fatalf("%s isn't valid: %v", path, err)
		}
		all = append(all, each)
	}
	if header.Version != 1 || header.Count == 0 || header.Count != len(all) {
		t.Fatalf("%s is incomplete. Write it again.", path)
	}
	return all
}

// Run compares the answers to the requests of a subject with the expected ones.
func Run(t *testing.T, path, version string, subject Subject, answer func(request []byte) (any, error)) {
	passed, failed := 0, 0
	for _, each := range read(t, path) {
		if each.subject() != subject {
			continue
		}
		if each.passes(answer) {
			passed++
			continue
		}
		if failed++; failed <= shownFailures {
			t.Errorf("failed: %s", each.Name)
		}
	}
	t.Logf("pushcrypt %s: %d vectors passed, %d failed", version, passed, failed)
	if passed+failed == 0 {
		t.Fatalf("%s has no vector of the subject.", path)
	}
}
