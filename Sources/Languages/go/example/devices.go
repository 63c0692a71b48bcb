package main

import (
	"sync"
	"time"

	"example.com/pushcrypt"
)

type place struct{ user, token string }

// devices are the rows of all devices, as text. Use a table of your database, and one transaction for each registration.
type devices struct {
	lock  sync.Mutex
	texts map[place][]byte
}

func newDevices() *devices { return &devices{texts: map[place][]byte{}} }

// of returns the rows of a user.
func (d *devices) of(user string) ([]pushcrypt.Row, error) {
	d.lock.Lock()
	defer d.lock.Unlock()
	return d.rows(user)
}

func (d *devices) rows(user string) (rows []pushcrypt.Row, err error) {
	for place, text := range d.texts {
		if place.user != user {
			continue
		}
		row, err := pushcrypt.ParseRow(text)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// register stores the row of a registration, or keeps the known one after an error.
func (d *devices) register(user, token string, registration []byte) (row pushcrypt.Row, err error) {
	if token, err = pushcrypt.DeviceToken(token); err != nil {
		return row, err
	}
	d.lock.Lock()
	defer d.lock.Unlock()
	rows, err := d.rows(user)
	if err != nil {
		return row, err
	}
	request := pushcrypt.Request{Text: registration, Token: token, Account: user, Now: time.Now()}
	for at := range rows {
		if rows[at].DeviceToken == token {
			request.Known = &rows[at]
		} else {
			request.Others = append(request.Others, rows[at])
		}
	}
	if row, err = request.Accept(); err != nil {
		return row, err
	}
	text, err := row.JSON()
	if err == nil {
		d.texts[place{user, token}] = text
	}
	return row, err
}
