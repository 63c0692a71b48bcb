package main

import (
	"errors"
	"flag"
	"testing"

	"example.com/pushcrypt"
	"example.com/pushcrypt/internal/vectors"
)

var file = flag.String("vectors", "../../testdata/vectors.jsonl", "the file of the test vectors")

// TestVectors runs the test vectors of opening.
func TestVectors(t *testing.T) {
	vectors.Run(t, *file, pushcrypt.Version, vectors.Opening, func(request []byte) (any, error) {
		opens, err := open(request)
		var problem *pushcrypt.Error
		if errors.As(err, &problem) {
			return map[string]any{"fails": problem.Code}, nil
		}
		return map[string]any{"opens": opens}, err
	})
}
