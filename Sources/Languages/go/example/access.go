package main

import (
	"crypto/sha256"
	"encoding/json"
	"net/http"
	"strings"
)

// users are the users by the hash of their access token.
type users map[[32]byte]string

func parseUsers(text string) (users, error) {
	var tokens map[string]string
	if err := json.Unmarshal([]byte(text), &tokens); err != nil {
		return nil, err
	}
	result := users{}
	for token, user := range tokens {
		result[sha256.Sum256([]byte(token))] = user
	}
	return result, nil
}

// signedIn returns the handler of POST requests with an access token.
func (u users) signedIn(next func(http.ResponseWriter, *http.Request, string)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		user, isKnown := u[sha256.Sum256([]byte(token))]
		switch {
		case scheme != "Bearer" || !isKnown:
			w.WriteHeader(http.StatusUnauthorized)
		case r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
		default:
			next(w, r, user)
		}
	}
}
