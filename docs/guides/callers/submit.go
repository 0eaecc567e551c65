// Submits one label, once, whatever happens: go run submit.go ORDER

package main

import (
	"encoding/base64"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	order := "A-1001"
	if len(os.Args) > 1 {
		order = os.Args[1]
	}
	label := base64.StdEncoding.EncodeToString([]byte("^XA^FO50,50^FD" + order + "^FS^XZ"))
	body := fmt.Sprintf(`{"printerId":1,"title":"Label %s","contentType":"raw_base64","content":"%s"}`, order, label)
	client := &http.Client{Timeout: 5 * time.Second}
	for tries := 0; tries < 5; tries++ {
		// Made from the order: the same with each try.
		status, wait := submit(client, body, "label-"+order)
		// 409: an earlier try was taken.
		if status == http.StatusCreated || status == http.StatusConflict {
			return
		}
		if status >= 400 && status < 500 && status != http.StatusTooManyRequests {
			log.Fatalf("refused with %d", status)
		}
		if least := 200 * time.Millisecond << tries; wait < least {
			wait = least
		}
		time.Sleep(wait)
	}
	log.Fatal("no answer after five tries: the label may be printed or not")
}

// submit returns the status, 0 where no whole answer came, and how long to wait.
func submit(client *http.Client, body, key string) (int, time.Duration) {
	request, err := http.NewRequest("POST", os.Getenv("PLATEN_URL")+"/printjobs", strings.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.SetBasicAuth(os.Getenv("PLATEN_API_KEY"), "")
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Idempotency-Key", key)
	answer, err := client.Do(request)
	if err != nil {
		return 0, 0
	}
	defer answer.Body.Close()
	if _, err := io.ReadAll(answer.Body); err != nil {
		return 0, 0
	}
	seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After"))
	return answer.StatusCode, time.Duration(seconds) * time.Second
}
