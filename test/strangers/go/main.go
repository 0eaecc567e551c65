// A remote printing service, written from its specification alone.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

func main() {
	port := flag.Int("port", 0, "port to listen on; 0 for any")
	readyFile := flag.String("ready-file", "", "file to write address and keys to, as JSON")
	noLimit := flag.Bool("no-rate-limit", false, "answer any number of requests")
	clockControl := flag.Bool("clock-control", false, "add POST /_clock/advance {\"milliseconds\": n}")
	flag.Parse()
	log.SetFlags(0)

	s := newService(*clockControl, *noLimit)
	keys := s.seed()
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", *port))
	if err != nil {
		log.Fatal(err)
	}
	address := "http://" + listener.Addr().String()
	server := &http.Server{Handler: s, ReadHeaderTimeout: 30 * time.Second, ReadTimeout: 10 * time.Minute,
		IdleTimeout: 2 * time.Minute, ErrorLog: log.New(os.Stderr, "", 0)}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT)
	served := make(chan error, 1)
	go func() { served <- server.Serve(jsonListener{listener}) }()
	go endWithGoRun(stop)

	fmt.Println(address)
	if *readyFile != "" {
		keys["url"] = address
		if err := writeFile(*readyFile, encode(keys)); err != nil {
			log.Fatal(err)
		}
	}
	select {
	case err := <-served:
		if !errors.Is(err, http.ErrServerClosed) {
			log.Fatal(err)
		}
	case <-stop:
	}
	s.closeAll()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if server.Shutdown(ctx) != nil {
		server.Close()
	}
}

// endWithGoRun makes SIGTERM work with `go run` too: that dies of it without telling the program.
func endWithGoRun(stop chan<- os.Signal) {
	if path, err := os.Executable(); err != nil || !strings.Contains(path, "/go-build") {
		return
	}
	for parent := os.Getppid(); os.Getppid() == parent; {
		time.Sleep(200 * time.Millisecond)
	}
	stop <- syscall.SIGTERM
}

// writeFile makes the file appear with all of its content.
func writeFile(path string, data []byte) error {
	temp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".part")
	if err := os.WriteFile(temp, data, 0o600); err != nil {
		return err
	}
	return os.Rename(temp, path)
}

// seed makes the accounts that the service begins with.
func (s *service) seed() obj {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := s.newAccount("Ida", "Integrator", "ida@example.org")
	second := s.newAccount("Ivo", "Integrator", "ivo@example.org")
	single := s.newAccount("Sam", "Single", "sam@example.org")
	first.integrator, second.integrator = true, true
	return obj{"apiKey": s.newKey(first, "first"), "secondApiKey": s.newKey(second, "first"),
		"singleApiKey": s.newKey(single, "first")}
}

// openSockets are the WebSockets to say goodbye to.
type openSockets struct {
	sync.Mutex
	all    map[*wsConn]bool
	closed bool
}

func (s *service) addOpen(ws *wsConn) bool {
	s.open.Lock()
	defer s.open.Unlock()
	s.open.all[ws] = true
	return !s.open.closed
}

func (s *service) removeOpen(ws *wsConn) {
	s.open.Lock()
	defer s.open.Unlock()
	delete(s.open.all, ws)
}

// closeAll says goodbye to all WebSockets and waits until it is written, two seconds at most.
func (s *service) closeAll() {
	s.open.Lock()
	s.open.closed = true
	var all []*wsConn
	for ws := range s.open.all {
		ws.close(1001, "the service shuts down")
		all = append(all, ws)
	}
	s.open.Unlock()
	late := time.After(2 * time.Second)
	for _, ws := range all {
		select {
		case <-ws.finished:
		case <-late:
			return
		}
	}
}
