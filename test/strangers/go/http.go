package main

import (
	"bytes"
	"crypto/md5"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

const (
	apiVersion = "1.0.0"
	maxBody    = 50_000_000 // 50 MB
	maxDrain   = 400_000_000
)

// obj is a JSON object.
type obj = map[string]any

// apiError is an answer with an error object. Handlers panic with it; the pipeline answers it.
type apiError struct {
	status  int
	code    string
	message string
}

func fail(status int, code, format string, args ...any) {
	panic(apiError{status, code, fmt.Sprintf(format, args...)})
}

// request is one request on its way through the pipeline.
type request struct {
	*http.Request
	s       *service
	id      string
	began   time.Time
	header  http.Header // of the answer
	parts   []string    // of the path, decoded
	args    []string    // the parts that matched placeholders
	query   url.Values
	auth    *account // whose key it is
	account *account // on whose behalf it is: the same, or a Child Account of it
	key     string
	body    []byte
}

// reply is the answer of a handler; a nil body is an empty one.
type reply struct {
	status int
	body   any
}

func ok(body any) reply { return reply{http.StatusOK, body} }

var empty = reply{status: http.StatusNoContent}

type route struct {
	method  string
	path    string // segments; {set}, {id}, {os} and {any} are placeholders
	query   string // names of the query parameters, separated by spaces
	hasBody bool
	handle  func(*request) reply
}

// match compares the route with a path and returns the segments that stand for placeholders.
func (rt route) match(parts []string) (args []string, matches bool) {
	pattern := strings.Split(rt.path[1:], "/")
	if len(pattern) != len(parts) {
		return nil, false
	}
	for i, p := range pattern {
		part := parts[i]
		switch p {
		case "{set}":
			_, matches = parseSet(part)
		case "{id}":
			matches = isDigits(part)
		case "{os}":
			matches = part == "osx" || part == "windows"
		case "{any}":
			matches = part != ""
		default:
			if part != p {
				return nil, false
			}
			continue
		}
		if !matches {
			return nil, false
		}
		args = append(args, part)
	}
	return args, true
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// parseID reads a row of digits. An integer that is too large for any id is 0, which is no id either.
func parseID(s string) int64 {
	id, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0
	}
	return id
}

// parseSet reads a comma-separated list of positive integers.
func parseSet(s string) (map[int64]bool, bool) {
	set := map[int64]bool{}
	for _, item := range strings.Split(s, ",") {
		if !isDigits(item) || strings.Trim(item, "0") == "" {
			return nil, false
		}
		set[parseID(item)] = true
	}
	return set, true
}

// set returns the ids of the nth placeholder; nil, which stands for all, if the route has no such placeholder.
func (q *request) set(n int) map[int64]bool {
	if n >= len(q.args) {
		return nil
	}
	set, _ := parseSet(q.args[n])
	return set
}

func inSet(set map[int64]bool, id int64) bool { return set == nil || set[id] }

func randomHex(n int) string {
	b := make([]byte, (n+1)/2)
	if _, err := rand.Read(b); err != nil {
		panic(err)
	}
	return hex.EncodeToString(b)[:n]
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := &request{Request: r, s: s, id: randomHex(20), began: time.Now(), header: w.Header()}
	if r.URL.Path == "/_clock/advance" && s.clockControl {
		s.serveClock(w, r)
		return
	}
	q.setHeaders()
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	answer, taken := q.run(w)
	if taken {
		return
	}
	if r.Header.Get("Expect") == "" {
		// A client that still sends its body would not see the answer if we closed the connection now.
		io.CopyN(io.Discard, r.Body, maxDrain)
	}
	q.write(w, answer)
}

func (q *request) setHeaders() {
	h := q.header
	h.Set("Request-Id", q.id)
	h.Set("Api-Version", apiVersion)
	h.Set("Content-Type", "application/json")
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE")
	h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Accept-Version, X-Idempotency-Key, "+
		"X-Child-Account-By-Id, X-Child-Account-By-Email, X-Child-Account-By-CreatorRef, X-Pretty, X-Dont-Log")
	h.Set("Access-Control-Expose-Headers", "Request-Id, Elapsed, Response-Time, Api-Version, Content-MD5, X-Account, "+
		"X-Auth-With, X-Authorized-As, X-Child-Account-By-Id, X-Child-Account-By-Email, "+
		"X-Child-Account-By-CreatorRef, Records-Returned, Records-Returned-Offset, Records-Returned-Limit, Records-Total")
}

func encode(v any) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimRight(out.Bytes(), "\n")
}

func (q *request) write(w http.ResponseWriter, answer reply) {
	var body []byte
	if answer.body != nil {
		body = encode(answer.body)
		q.header.Set("Content-Length", strconv.Itoa(len(body)))
	}
	sum := md5.Sum(body)
	q.header.Set("Content-MD5", base64.StdEncoding.EncodeToString(sum[:]))
	q.header.Set("Response-Time", iso(q.s.clock.now()))
	q.header.Set("Elapsed", fmt.Sprintf("%.6f", time.Since(q.began).Seconds()))
	w.WriteHeader(answer.status)
	w.Write(body)
}

// run finds the answer. If it was given already, because the connection became a WebSocket, taken is true.
func (q *request) run(w http.ResponseWriter) (answer reply, taken bool) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case apiError:
			if e.status == http.StatusUnauthorized {
				q.header.Set("WWW-Authenticate", "Basic realm=Api")
			}
			answer = reply{e.status, obj{"uid": q.id, "code": e.code, "message": e.message}}
		default:
			fmt.Printf("%s %s: %v\n%s", q.Method, q.URL.Path, e, debug.Stack())
			answer = reply{500, obj{"uid": q.id, "code": "InternalError", "message": "The service has a defect."}}
		}
	}()
	for _, part := range strings.Split(strings.TrimPrefix(q.URL.EscapedPath(), "/"), "/") {
		decoded, err := url.PathUnescape(part)
		if err != nil {
			fail(400, "InvalidPath", "The path is not encoded correctly.")
		}
		q.parts = append(q.parts, decoded)
	}
	path := strings.Join(q.parts, "/")
	if path == "link" {
		return reply{}, q.s.serveLink(w, q)
	}
	if !q.s.limiter.allow(q.RemoteAddr, q.s.clock.now()) {
		fail(429, "TooManyRequests", "At most 10 requests per second, please.")
	}
	method := q.Method
	if method == http.MethodHead {
		method = http.MethodGet // net/http leaves the body out
	}
	if path == "ping" && method == http.MethodGet {
		return ok("pong"), false
	}
	query, queryErr := url.ParseQuery(q.URL.RawQuery)
	q.query = query
	if path == "live/scales" && method == http.MethodGet {
		return reply{}, q.s.serveScaleStream(w, q)
	}
	q.authenticate()
	var allowed []string
	for _, rt := range routes {
		args, matches := rt.match(q.parts)
		if !matches {
			continue
		}
		if rt.method != method {
			allowed = append(allowed, rt.method)
			continue
		}
		if queryErr != nil {
			fail(400, "InvalidQuery", "The query is not encoded correctly.")
		}
		q.checkQuery(strings.Fields(rt.query))
		q.args = args
		if rt.hasBody {
			q.readBody()
		}
		return rt.handle(q), false
	}
	if allowed != nil {
		q.header.Set("Allow", strings.Join(allowed, ", "))
		fail(405, "MethodNotAllowed", "This path takes %s.", strings.Join(allowed, ", "))
	}
	fail(404, "NotFound", "There is no such path.")
	return
}

func (q *request) checkQuery(names []string) {
next:
	for name, values := range q.query {
		for _, known := range names {
			if name == known {
				if len(values) > 1 {
					fail(400, "InvalidQuery", "The query parameter %q is given more than once.", name)
				}
				continue next
			}
		}
		fail(400, "InvalidQuery", "There is no query parameter %q here.", name)
	}
}

func (q *request) readBody() {
	if q.ContentLength > maxBody {
		fail(413, "BodyTooLarge", "A body has at most %d bytes.", maxBody)
	}
	body, err := io.ReadAll(io.LimitReader(q.Body, maxBody+1))
	if err != nil {
		fail(400, "InvalidContent", "The body did not arrive completely.")
	}
	if len(body) > maxBody {
		fail(413, "BodyTooLarge", "A body has at most %d bytes.", maxBody)
	}
	q.body = body
}

// authenticate finds the account by the key, and the Child Account by the headers for that.
func (q *request) authenticate() {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	key, password, given := q.BasicAuth()
	cred := q.s.keys[key]
	if !given || password != "" || cred == nil || cred.client {
		fail(401, "InvalidCredentials", "The user name must be an API key, and the password empty.")
	}
	q.auth, q.account, q.key = cred.account, cred.account, key
	var child *account
	for _, strategy := range []struct {
		header string
		fits   func(a *account, value string) bool
	}{
		{"X-Child-Account-By-Id", func(a *account, v string) bool { return isDigits(v) && a.id == parseID(v) }},
		{"X-Child-Account-By-Email", func(a *account, v string) bool { return a.email == v }},
		{"X-Child-Account-By-CreatorRef", func(a *account, v string) bool { return a.creatorRef != nil && *a.creatorRef == v }},
	} {
		for _, value := range q.Header.Values(strategy.header) {
			var found []*account
			for _, a := range q.auth.children {
				if strategy.fits(a, value) {
					found = append(found, a)
				}
			}
			if len(found) != 1 || (child != nil && child != found[0]) {
				q.header.Del("X-Child-Account-By-Id")
				q.header.Del("X-Child-Account-By-Email")
				fail(401, "InvalidCredentials", "%s does not identify a Child Account.", strategy.header)
			}
			child = found[0]
			q.header.Set(strategy.header, value)
		}
	}
	if child != nil {
		q.account = child
		q.header.Set("X-Authorized-As", strconv.FormatInt(q.auth.id, 10))
	}
	q.header.Set("X-Account", strconv.FormatInt(q.account.id, 10))
	q.header.Set("X-Auth-With", "ApiKey")
}

// page cuts a collection, given by its ascending ids, to what limit, after and dir ask for.
func (q *request) page(ids []int64) []int64 {
	limit := 100
	if text, given := q.query["limit"]; given {
		if !isDigits(text[0]) || strings.Trim(text[0], "0") == "" {
			fail(400, "InvalidQuery", "limit must be a positive integer.")
		}
		if n := parseID(text[0]); n > 0 && n < 100 {
			limit = int(n)
		}
	}
	ascending := false
	if text, given := q.query["dir"]; given {
		if text[0] != "asc" && text[0] != "desc" {
			fail(400, "InvalidQuery", "dir must be asc or desc.")
		}
		ascending = text[0] == "asc"
	}
	sorted := make([]int64, len(ids))
	for i, id := range ids {
		if ascending {
			sorted[i] = id
		} else {
			sorted[len(ids)-1-i] = id
		}
	}
	offset := 0
	if text := q.query.Get("after"); text != "" {
		if !isDigits(text) {
			fail(400, "InvalidQuery", "after must be an id.")
		}
		after, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			after = 1<<63 - 1
		}
		for offset < len(sorted) && (ascending && sorted[offset] <= after || !ascending && sorted[offset] >= after) {
			offset++
		}
	}
	result := sorted[offset:]
	if len(result) > limit {
		result = result[:limit]
	}
	q.header.Set("Records-Returned", strconv.Itoa(len(result)))
	q.header.Set("Records-Returned-Offset", strconv.Itoa(offset))
	q.header.Set("Records-Returned-Limit", strconv.Itoa(limit))
	q.header.Set("Records-Total", strconv.Itoa(len(ids)))
	return result
}

// limiter is a bucket of 30 requests for each address, refilled with 10 a second.
type limiter struct {
	s       *service
	off     bool
	buckets map[string]*bucket
}

type bucket struct {
	tokens float64
	at     int64
}

func (l *limiter) allow(remote string, now int64) bool {
	if l.off {
		return true
	}
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		host = remote
	}
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	b := l.buckets[host]
	if b == nil {
		if len(l.buckets) > 10000 { // forget those that are full again anyway
			for host, b := range l.buckets {
				if now-b.at > 3000 {
					delete(l.buckets, host)
				}
			}
		}
		b = &bucket{30, now}
		l.buckets[host] = b
	}
	b.tokens += float64(now-b.at) / 100
	if b.tokens > 30 {
		b.tokens = 30
	}
	b.at = now
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}

func (s *service) serveClock(w http.ResponseWriter, r *http.Request) {
	var body struct{ Milliseconds int64 }
	data, _ := io.ReadAll(io.LimitReader(r.Body, 1000))
	w.Header().Set("Content-Type", "application/json")
	if err := json.Unmarshal(data, &body); err != nil || body.Milliseconds < 0 || body.Milliseconds > 1e14 {
		w.WriteHeader(400)
		return
	}
	s.clock.advance(body.Milliseconds)
	fmt.Fprintf(w, `{"now":%q}`, iso(s.clock.now()))
}

// jsonListener makes the answers to malformed HTTP, which net/http gives by itself in plain text, error objects
// like all others.
type jsonListener struct{ net.Listener }

func (l jsonListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return jsonConn{c}, nil
}

type jsonConn struct{ net.Conn }

func (c jsonConn) Write(p []byte) (int, error) {
	const marker = "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"
	at := bytes.Index(p[:min(len(p), 300)], []byte(marker))
	if at < 0 || !bytes.HasPrefix(p, []byte("HTTP/1.1 ")) {
		return c.Conn.Write(p)
	}
	id := randomHex(20)
	body := encode(obj{"uid": id, "code": "InvalidRequest", "message": string(p[at+len(marker):])})
	_, err := fmt.Fprintf(c.Conn, "%s\r\nContent-Type: application/json\r\nRequest-Id: %s\r\nApi-Version: %s\r\n"+
		"Content-Length: %d\r\nConnection: close\r\n\r\n%s", p[:at], id, apiVersion, len(body), body)
	return len(p), err
}

func min(a, b int) int {
	if a < b {
		return a
	}
	return b
}
