// Sends the lines of `pushcrypt seal --lines` with Go's HTTP/2 client, for a comparison.
//
// Arguments: the file, the port, the CA, a provider token, the number of connections, the pushes in flight.
package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"

	"golang.org/x/net/http2"
)

type line struct {
	Token   string            `json:"token"`
	Headers map[string]string `json:"headers"`
	Payload json.RawMessage   `json:"payload"`
}

func main() {
	file, err := os.Open(os.Args[1])
	check(err)
	authority, err := os.ReadFile(os.Args[3])
	check(err)
	connections, err := strconv.Atoi(os.Args[5])
	check(err)
	window, err := strconv.Atoi(os.Args[6])
	check(err)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority)
	var clients []*http.Client
	for i := 0; i < connections; i++ {
		transport := &http2.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}
		clients = append(clients, &http.Client{Transport: transport})
	}
	lines := make(chan line, window)
	var refused, count int64
	var group sync.WaitGroup
	for worker := 0; worker < window; worker++ {
		group.Add(1)
		go func(client *http.Client) {
			defer group.Done()
			for push := range lines {
				if !send(client, push) {
					atomic.AddInt64(&refused, 1)
				}
				atomic.AddInt64(&count, 1)
			}
		}(clients[worker%connections])
	}
	scanner := bufio.NewScanner(file)
	for scanner.Scan() {
		var push line
		check(json.Unmarshal(scanner.Bytes(), &push))
		lines <- push
	}
	close(lines)
	group.Wait()
	fmt.Printf("go: %d pushes, %d refused\n", count, refused)
	if refused > 0 {
		os.Exit(1)
	}
}

func send(client *http.Client, push line) bool {
	url := "https://localhost:" + os.Args[2] + "/3/device/" + push.Token
	request, err := http.NewRequest("POST", url, bytes.NewReader(push.Payload))
	check(err)
	for name, value := range push.Headers {
		request.Header.Set(name, value)
	}
	request.Header.Set("authorization", "bearer "+os.Args[4])
	response, err := client.Do(request)
	if err != nil {
		return false
	}
	io.Copy(io.Discard, response.Body)
	response.Body.Close()
	return response.StatusCode == 200
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
