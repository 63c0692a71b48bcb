package main

import (
	"encoding/json"
	"fmt"
	"log"

	"example.com/pushcrypt"
)

const queueLength = 1000

type message struct {
	user    string
	payload []byte
}

// jobs are the messages to seal. A queue in a database keeps them when the process ends.
type jobs struct{ queue chan message }

func newJobs() *jobs { return &jobs{make(chan message, queueLength)} }

// add returns false if the queue is full.
func (j *jobs) add(m message) bool {
	select {
	case j.queue <- m:
		return true
	default:
		return false
	}
}

// run seals each message for the devices of its user.
func (j *jobs) run(devices *devices, signer pushcrypt.Signer) {
	options := pushcrypt.DefaultOptions()
	options.Topic = "com.example.app"
	for m := range j.queue {
		rows, err := devices.of(m.user)
		if err != nil {
			log.Print(err)
		}
		for _, row := range rows {
			push, err := pushcrypt.Seal(m.payload, row.Recipient(), signer, options)
			if err != nil { // Never send the payload itself.
				log.Printf("a device of %s: %v", m.user, err)
				continue
			}
			send(row.DeviceToken, push)
		}
	}
}

// send prints a push. Replace it by your client of APNs, which posts the payload with the headers to /3/device/TOKEN.
func send(token string, push pushcrypt.Push) {
	line := struct {
		Token   string            `json:"token"`
		Payload string            `json:"payload"`
		Headers map[string]string `json:"headers"`
	}{token, string(push.Payload), map[string]string{}}
	for _, header := range push.Headers {
		line.Headers[header[0]] = header[1]
	}
	text, err := json.Marshal(line)
	if err != nil {
		log.Print(err)
		return
	}
	fmt.Println(string(text))
}
