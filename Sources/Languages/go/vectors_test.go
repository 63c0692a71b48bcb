package pushcrypt

import (
	"flag"
	"testing"

	"example.com/pushcrypt/internal/vectors"
)

var file = flag.String("vectors", "testdata/vectors.jsonl", "the file of the test vectors")

// TestVectors runs the test vectors with the package: go test -v example.com/pushcrypt/...
func TestVectors(t *testing.T) {
	vectors.Run(t, *file, Version, vectors.Sealing, func(text []byte) (any, error) {
		r, err := parseRequest(text)
		if err != nil {
			return nil, err
		}
		answer, err := r.answer()
		if failure := r.failure(err); failure != nil {
			return failure, nil
		}
		return answer, err
	})
}
