// Command example is a server with net/http that registers devices, and seals messages for them in a job.
//
//	ACCESS_TOKENS='{"a long random text":"anna"}' KEYRING=server.jwks PORT=8080 go run .
//
// POST /devices and POST /messages have the header "Authorization: Bearer TOKEN".
package main

import (
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"os"

	"example.com/pushcrypt"
)

const maximumBody = 65536

// server answers the requests.
type server struct {
	devices *devices
	jobs    *jobs
}

func answer(w http.ResponseWriter, status int, members any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(members); err != nil {
		log.Print(err)
	}
}

// register stores the row of a device. net/http adds the header Date.
func (s *server) register(w http.ResponseWriter, r *http.Request, user string) {
	var body struct{ Registration, Token string } // The registration stays text.
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maximumBody)).Decode(&body); err != nil {
		answer(w, http.StatusBadRequest, map[string]any{"code": "malformed-registration"})
		return
	}
	row, err := s.devices.register(user, body.Token, []byte(body.Registration))
	var problem *pushcrypt.Error
	switch {
	case err == nil:
		answer(w, http.StatusOK, map[string]any{"lists": []string{}, "token": row.DeviceToken})
	case errors.As(err, &problem) && problem.Code == "stale-generation":
		answer(w, http.StatusConflict, map[string]any{"generation": problem.Generation})
	case errors.As(err, &problem):
		answer(w, http.StatusBadRequest, map[string]any{"code": problem.Code})
	default:
		log.Print(err)
		w.WriteHeader(http.StatusInternalServerError)
	}
}

// post adds a job that seals a payload for the user's devices.
func (s *server) post(w http.ResponseWriter, r *http.Request, user string) {
	payload, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maximumBody))
	if err != nil {
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		return
	}
	if !s.jobs.add(message{user, payload}) {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	w.WriteHeader(http.StatusAccepted)
}

func main() {
	keys, err := pushcrypt.ReadSigningKeyring(os.Getenv("KEYRING"))
	if err != nil {
		log.Fatal(err)
	}
	users, err := parseUsers(os.Getenv("ACCESS_TOKENS"))
	if err != nil {
		log.Fatal(err)
	}
	s := &server{devices: newDevices(), jobs: newJobs()}
	go s.jobs.run(s.devices, pushcrypt.SignedBy(keys...))
	http.HandleFunc("/devices", users.signedIn(s.register))
	http.HandleFunc("/messages", users.signedIn(s.post))
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
