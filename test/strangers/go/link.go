package main

import (
	"errors"
	"fmt"
	"net/http"
	"sort"
	"strings"
	"time"
)

// The service's end of the device link (docs/device-link.md).

const (
	linkProtocol  = "platen.link.v1"
	linkHeartbeat = 5 * time.Second // of the machine's clock, like all that watches over a connection
	maxLinkFrame  = 4 << 20
	maxUnacked    = 8
	maxDelivery   = 64 << 20
	maxWaiting    = 50_000
)

// link is one connection of a computer.
type link struct {
	ws       *wsConn
	key      string
	account  *account
	computer *computer // after hello
	ended    bool
	count    int64           // of deliveries
	pending  map[string]*job // deliveries not acknowledged, by their ids
	known    map[int64]bool  // jobs that are held there, or were sent on this connection: not to be sent again
	again    []*job          // delivered before, to be sent again, ascending
}

func (l *link) send(message obj) {
	l.ws.send(opText, func() []byte { return encode(message) })
}

// serveLink takes over the connection, or refuses it with an error object.
func (s *service) serveLink(w http.ResponseWriter, q *request) bool {
	key, password, given := q.BasicAuth()
	s.mu.Lock()
	cred := s.keys[key]
	valid := given && password == "" && cred != nil && !cred.account.suspended
	s.mu.Unlock()
	if !valid {
		fail(401, "InvalidCredentials", "The key is unknown or revoked, or its account is suspended.")
	}
	if !wantsWebSocket(q.Request) || !headerHas(q.Request.Header, "Sec-WebSocket-Protocol", linkProtocol) {
		q.header.Set("Sec-WebSocket-Protocol", linkProtocol)
		q.header.Set("Sec-WebSocket-Version", "13")
		q.header.Set("Upgrade", "websocket")
		q.header.Set("Connection", "Upgrade")
		fail(426, "UpgradeRequired", "This is a WebSocket of the subprotocol %s.", linkProtocol)
	}
	ws, err := upgrade(w, q.Request, linkProtocol, maxLinkFrame)
	if err != nil {
		return true
	}
	l := &link{ws: ws, key: key, account: cred.account, pending: map[string]*job{}, known: map[int64]bool{}}
	if !s.addOpen(ws) {
		ws.close(1001, "the service shuts down")
	}
	stop := ws.heartbeat(linkHeartbeat)
	late := time.AfterFunc(10*time.Second, func() {
		s.mu.Lock()
		waiting := l.computer == nil && !l.ended
		if waiting {
			l.ended = true
		}
		s.mu.Unlock()
		if waiting {
			l.refuse("hello did not come within 10 seconds")
		}
	})
	s.runLink(l)
	late.Stop()
	s.mu.Lock()
	s.dropLink(l)
	s.mu.Unlock()
	ws.end()
	stop()
	s.removeOpen(ws)
	return true
}

// refuse ends the connection because of a protocol error.
func (l *link) refuse(reason string) {
	l.send(obj{"type": "error", "code": "BadMessage", "message": reason})
	l.ws.close(4400, reason)
}

// endLink ends a connection from outside. From here on it is none any more.
func (s *service) endLink(l *link, code int, reason string) {
	l.ws.close(code, reason)
	s.dropLink(l)
}

func (s *service) runLink(l *link) {
	for {
		op, data, err := l.ws.read()
		var bad frameError
		switch {
		case errors.Is(err, errTooLong):
			l.ws.close(1009, fmt.Sprintf("a frame has at most %d bytes", maxLinkFrame))
		case errors.As(err, &bad):
			l.refuse(bad.Error())
		case err != nil:
			return
		default:
			reason := ""
			if op != opText {
				reason = "a frame must be text"
			} else {
				reason = s.receive(l, data)
			}
			if reason == "" && l.ws.waiting() > maxWaiting {
				return // it reports and reports, and does not read the acknowledgements
			}
			if reason == "" {
				continue
			}
			l.refuse(reason)
		}
		s.mu.Lock()
		s.dropLink(l)
		s.mu.Unlock()
		l.ws.drain()
		return
	}
}

// receive does what a message says; it returns what is wrong with it.
func (s *service) receive(l *link, data []byte) (reason string) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case protocolError:
			reason = string(e)
		default:
			panic(e)
		}
	}()
	n := parseMessage(data)
	kind := n.str("type", 0, 0)
	// Everything is read before the lock is taken.
	var apply func()
	id := ""
	switch kind {
	case "hello":
		h := readHello(n)
		apply = func() { s.welcome(l, h) }
	case "ack":
		acked := n.id()
		apply = func() {
			if l.pending[acked] == nil {
				broken("ack: there is no delivery %q to acknowledge", acked)
			}
			delete(l.pending, acked)
			s.deliver(l.computer)
		}
	case "printers":
		list := readPrinters(n)
		id = n.id()
		apply = func() { s.setPrinters(l.computer, list) }
	case "scales":
		list := readScales(n)
		id = n.id()
		apply = func() { l.computer.setScales(list) }
	case "job-state":
		report := readJobState(n)
		id = n.id()
		apply = func() { s.jobReported(l.computer, report) }
	case "reading":
		report := readReading(n)
		id = n.id()
		apply = func() { s.measured(l.computer, report) }
	default:
		broken("there is no message %q", kind)
	}

	s.mu.Lock()
	defer s.mu.Unlock()
	if l.ended {
		return "" // ended from outside meanwhile: what still comes is ignored
	}
	if (l.computer == nil) != (kind == "hello") {
		broken("hello comes first, and once")
	}
	apply()
	if id != "" {
		l.send(obj{"type": "ack", "id": id})
	}
	return ""
}

func (s *service) welcome(l *link, h hello) {
	if cred := s.keys[l.key]; cred == nil || l.account.suspended { // since the upgrade
		l.ended = true
		l.ws.close(4401, "the key was revoked or its account was suspended")
		return
	}
	c := l.account.computers[h.client.installationID]
	if c == nil {
		s.last.computer++
		c = &computer{id: s.last.computer, account: l.account, created: s.clock.now(), printers: map[string]*printer{}, scales: map[string]*scale{},
			reported: map[string]bool{}}
		s.computers[c.id] = c
		l.account.computers[h.client.installationID] = c
	}
	c.client = h.client
	l.computer = c
	for _, id := range h.holding {
		l.known[id] = true
	}
	for _, j := range c.delivered {
		if !l.known[j.id] {
			l.again = append(l.again, j)
		}
	}
	c.links = append(c.links, l)
	l.send(obj{"type": "welcome", "computerId": c.id, "accountId": l.account.id,
		"heartbeatMs": linkHeartbeat.Milliseconds()})
	if len(c.links) == 1 {
		s.computerChanged(c)
	}
	s.deliver(c)
}

// dropLink forgets a connection. The newest of the remaining ones takes its deliveries over.
func (s *service) dropLink(l *link) {
	l.ended = true
	c := l.computer
	if c == nil {
		return
	}
	for i, one := range c.links {
		if one != l {
			continue
		}
		newest := i == len(c.links)-1
		c.links = append(c.links[:i:i], c.links[i+1:]...)
		if len(c.links) == 0 {
			s.computerChanged(c)
			return
		}
		if !newest {
			return
		}
		heir := c.links[len(c.links)-1]
		heir.again = append(heir.again, l.again...)
		for _, j := range l.pending {
			heir.again = append(heir.again, j)
		}
		sort.Slice(heir.again, func(a, b int) bool { return heir.again[a].id < heir.again[b].id })
		s.deliver(c)
		return
	}
}

func (s *service) computerChanged(c *computer) {
	s.trigger(c.account, computerState, obj{"computerId": c.id, "state": c.view()["state"]})
}

// deliver sends to the newest connection of a computer as much as it may have.
func (s *service) deliver(c *computer) {
	if len(c.links) == 0 {
		return
	}
	l := c.links[len(c.links)-1]
	for len(l.pending) < maxUnacked && len(l.again) > 0 {
		j := l.again[0]
		l.again = l.again[1:]
		if !j.final && !l.known[j.id] {
			l.deliver(j)
		}
	}
	for len(l.pending) < maxUnacked && len(c.queue) > 0 {
		j := c.queue[0]
		c.queue = c.queue[1:]
		if j.state != "new" || j.deleted {
			continue
		}
		if s.clock.now() > j.expireAt {
			s.expire(j)
			continue
		}
		s.record(j, "sent_to_client", "", nil, nil)
		j.delivered = true
		c.delivered = append(c.delivered, j)
		l.deliver(j)
	}
}

func (l *link) deliver(j *job) {
	l.known[j.id] = true
	l.count++
	id := fmt.Sprintf("%d.%d", j.id, l.count)
	l.pending[id] = j
	var expireAt any
	if text := iso(j.expireAt); !strings.HasPrefix(text, "-") && text[4] == '-' {
		expireAt = text // years beyond 9999 are no ISO 8601
	}
	message := j.message(id, expireAt)
	l.ws.send(opText, func() []byte { return encode(message) })
}

func (j *job) message(id string, expireAt any) obj {
	return obj{"type": "job", "id": id, "jobId": j.id, "printerKey": j.printer.key, "title": j.shownTitle(),
		"source": j.source, "contentType": j.contentType, "content": j.content, "options": j.options,
		"qty": j.qty, "authentication": j.authentication, "createTimestamp": iso(j.created), "expireAt": expireAt}
}
