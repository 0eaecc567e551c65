package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// These tests look at the service from outside only: they build it, start it and talk to it.

var program, base, first, second, single string

func start(dir string, flags ...string) (*exec.Cmd, map[string]string, error) {
	file := filepath.Join(dir, fmt.Sprintf("ready-%d.json", time.Now().UnixNano()))
	cmd := exec.Command(program, append([]string{"-port", "0", "-ready-file", file}, flags...)...)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	for i := 0; i < 500; i++ {
		if data, err := os.ReadFile(file); err == nil {
			ready := map[string]string{}
			return cmd, ready, json.Unmarshal(data, &ready)
		}
		time.Sleep(10 * time.Millisecond)
	}
	return cmd, nil, fmt.Errorf("the service did not start")
}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "service")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(dir, "service")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		panic(string(out))
	}
	cmd, ready, err := start(dir, "-no-rate-limit", "-clock-control")
	if err != nil {
		panic(err)
	}
	base, first, second, single = ready["url"], ready["apiKey"], ready["secondApiKey"], ready["singleApiKey"]
	code := m.Run()
	cmd.Process.Signal(syscall.SIGTERM)
	if err := cmd.Wait(); err != nil {
		fmt.Println("after SIGTERM:", err)
		code = 1
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

type answer struct {
	status int
	header http.Header
	text   string
}

// call sends a request; extra are names and values of headers.
func call(t *testing.T, key, method, path, body string, extra ...string) answer {
	t.Helper()
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	req, err := http.NewRequest(method, base+path, reader)
	if err != nil {
		t.Fatal(err)
	}
	if key != "" {
		req.SetBasicAuth(key, "")
	}
	for i := 0; i < len(extra); i += 2 {
		req.Header.Set(extra[i], extra[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, _ := io.ReadAll(res.Body)
	if got := res.Header.Get("Content-Type"); got != "application/json" {
		t.Errorf("%s %s: Content-Type %q", method, path, got)
	}
	if res.StatusCode >= 400 {
		var e map[string]string
		if json.Unmarshal(text, &e) != nil || len(e) != 3 || e["uid"] != res.Header.Get("Request-Id") {
			t.Errorf("%s %s: not an error object: %s", method, path, text)
		}
	}
	return answer{res.StatusCode, res.Header, string(text)}
}

func (a answer) want(t *testing.T, status int, part string) answer {
	t.Helper()
	if a.status != status || !strings.Contains(a.text, part) {
		t.Errorf("got %d %s, expected %d with %s", a.status, a.text, status, part)
	}
	return a
}

func advance(t *testing.T, ms int) {
	call(t, "", "POST", "/_clock/advance", fmt.Sprintf(`{"milliseconds":%d}`, ms))
}

// peer is the client's end of a WebSocket.
type peer struct {
	t    *testing.T
	conn net.Conn
	br   *bufio.Reader
}

func dial(t *testing.T, path, key, protocol string) (*peer, int) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(10 * time.Second))
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"+
		"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAuthorization: Basic %s\r\n%s\r\n", path,
		base64.StdEncoding.EncodeToString([]byte(key+":")), protocol)
	br := bufio.NewReader(conn)
	res, err := http.ReadResponse(br, nil)
	if err != nil {
		t.Fatal(err)
	}
	if res.StatusCode == 101 && res.Header.Get("Sec-WebSocket-Accept") != "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" {
		t.Error("wrong Sec-WebSocket-Accept")
	}
	return &peer{t, conn, br}, res.StatusCode
}

func (p *peer) send(op byte, payload string) {
	head := []byte{0x80 | op, 0x80 | byte(len(payload))}
	if len(payload) > 125 {
		head[1] = 0x80 | 127
		head = binary.BigEndian.AppendUint64(head, uint64(len(payload)))
	}
	head = append(head, 0, 0, 0, 0)
	p.conn.Write(append(head, payload...))
}

// next returns the next text message, or "close CODE".
func (p *peer) next() string {
	p.t.Helper()
	for {
		var b [8]byte
		if _, err := io.ReadFull(p.br, b[:2]); err != nil {
			p.t.Fatal(err)
		}
		op, n := b[0]&15, uint64(b[1])
		if n == 126 {
			io.ReadFull(p.br, b[:2])
			n = uint64(binary.BigEndian.Uint16(b[:2]))
		} else if n == 127 {
			io.ReadFull(p.br, b[:])
			n = binary.BigEndian.Uint64(b[:])
		}
		payload := make([]byte, n)
		if _, err := io.ReadFull(p.br, payload); err != nil {
			p.t.Fatal(err)
		}
		switch op {
		case opPing:
			p.conn.Write([]byte{0x80 | opPong, 0x80, 0, 0, 0, 0})
		case opClose:
			p.conn.Write([]byte{0x80 | opClose, 0x80, 0, 0, 0, 0})
			return fmt.Sprintf("close %d", binary.BigEndian.Uint16(payload))
		default:
			return string(payload)
		}
	}
}

// want checks the next message.
func (p *peer) want(parts ...string) string {
	p.t.Helper()
	got := p.next()
	for _, part := range parts {
		if !strings.Contains(got, part) {
			p.t.Errorf("got %s, expected %s", got, part)
		}
	}
	return got
}

const protocolLine = "Sec-WebSocket-Protocol: " + linkProtocol + "\r\n"

const printersReport = `{ "type" : "printers", "id":"p", "printers": [ {"key":"k","name":"Laser","description":"","default": null ,
"state":null,"capabilities": {"bins":["A"],"copies":9,"odd":1e400,"papers":{"A4":[2100,2970]}} } ] }`

func connect(t *testing.T, key, installation, holding string) *peer {
	t.Helper()
	p, status := dial(t, "/link", key, protocolLine)
	if status != 101 {
		t.Fatal("link:", status)
	}
	p.send(opText, fmt.Sprintf(`{"type":"hello","client":{"installationId":%q,"computerName":"C","hostname":null,
		"inet":"10.0.0.1","inet6":null,"version":"1.0","edition":null},"holding":[%s]}`, installation, holding))
	p.want(`"welcome"`)
	return p
}

// withPrinter connects a computer and returns the id of its only printer.
func withPrinter(t *testing.T, key, installation string) (*peer, string) {
	p := connect(t, key, installation, "")
	p.send(opText, printersReport)
	p.want(`"ack"`)
	var list []struct{ ID int }
	json.Unmarshal([]byte(call(t, key, "GET", "/printers?limit=1", "").text), &list)
	return p, fmt.Sprint(list[0].ID)
}

func submit(t *testing.T, key, printer, rest string, extra ...string) answer {
	t.Helper()
	return call(t, key, "POST", "/printjobs", `{"printerId":`+printer+`,"contentType":"pdf_base64","content":"SGVsbG8K"`+rest+`}`, extra...)
}

func TestCommon(t *testing.T) {
	call(t, "", "GET", "/ping", "").want(t, 200, "")
	a := call(t, first, "GET", "/noop", "")
	a.want(t, 200, `"`+a.header.Get("Request-Id")+`"`)
	if a.header.Get("X-Account") != "1" || a.header.Get("X-Auth-With") != "ApiKey" || a.header.Get("Content-Md5") == "" {
		t.Error(a.header)
	}
	a = call(t, "nobody", "GET", "/noop", "").want(t, 401, `"InvalidCredentials"`)
	if a.header.Get("WWW-Authenticate") != "Basic realm=Api" {
		t.Error(a.header)
	}
	call(t, first, "GET", "/nothing", "").want(t, 404, "")
	call(t, first, "GET", "/computers/1,x", "").want(t, 404, "")
	call(t, first, "GET", "/computers/5,5,99999999999999999999", "").want(t, 200, "[]")
	call(t, first, "PUT", "/whoami", "").want(t, 405, "")
	call(t, first, "GET", "/computers?limit=0", "").want(t, 400, "")
	call(t, first, "POST", "/webhook", "{", "Content-Type", "application/json").want(t, 400, "InvalidContent")
	conn, _ := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
	defer conn.Close()
	fmt.Fprint(conn, "GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n")
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || res.StatusCode != 400 || res.Header.Get("Content-Type") != "application/json" {
		t.Error(res, err)
	}
}

func TestAccounts(t *testing.T) {
	call(t, single, "POST", "/account", `{}`).want(t, 403, "")
	form := "Account[firstname]=-&Account[lastname]=-&Account[email]=c%40x&Account[password]=12345678&Account[creatorRef]=r%201&" +
		"ApiKeys[]=main&ApiKeys[]=two&Tags[a.b]=v"
	call(t, first, "POST", "/account", form, "Content-Type", "application/x-www-form-urlencoded").want(t, 201, "")
	byRef := []string{"X-Child-Account-By-CreatorRef", "r 1"}
	a := call(t, first, "GET", "/whoami", "", byRef...).want(t, 200, `"Tags":[{"name":"a.b","value":"v"}]`)
	if a.header.Get("X-Authorized-As") != "1" || a.header.Get("X-Child-Account-By-CreatorRef") != "r 1" {
		t.Error(a.header)
	}
	call(t, second, "GET", "/whoami", "", byRef...).want(t, 401, "")
	call(t, first, "PATCH", "/account", `{"email":"d@x"}`, byRef...).want(t, 200, `"email":"d@x"`)
	call(t, first, "PATCH", "/account", `{"password":"1234567"}`, byRef...).want(t, 400, "")
	call(t, first, "POST", "/account/tag/x", `{"value":"1"}`, byRef...).want(t, 204, "")
	call(t, first, "GET", "/account/tag/x", "", byRef...).want(t, 200, `"value":"1"`)
	call(t, first, "DELETE", "/account/tag/x", "", byRef...).want(t, 204, "")
	var key struct{ Key string }
	json.Unmarshal([]byte(call(t, first, "GET", "/account/apikey/main", "", byRef...).want(t, 200, "key").text), &key)
	call(t, key.Key, "GET", "/account/state", "").want(t, 200, `"active"`)
	var clientKey string
	json.Unmarshal([]byte(call(t, key.Key, "GET", "/client/key/0f8e1c4e-6f4e-4f43-9d0a-1d2f3b4c5d6e?edition=e&version=1", "").text), &clientKey)
	if len(clientKey) != 47 {
		t.Error(clientKey)
	}
	p := connect(t, clientKey, "child", "")
	call(t, first, "PUT", "/account/state", `"suspended"`, byRef...).want(t, 204, "")
	p.want("close 4401")
	if _, status := dial(t, "/link", key.Key, protocolLine); status != 401 {
		t.Error(status)
	}
	submit(t, key.Key, "1", "").want(t, 403, "AccountSuspended")
	call(t, first, "PUT", "/account/state", `"active"`, byRef...).want(t, 204, "")
	call(t, first, "DELETE", "/account", "", byRef...).want(t, 204, "")
	call(t, key.Key, "GET", "/noop", "").want(t, 401, "")
	call(t, first, "DELETE", "/account", "").want(t, 403, "")

	call(t, single, "PATCH", "/download/clients/5,5,77", `{"enabled":false}`).want(t, 200, `[{"enabled":false,"id":5,"os":"osx","version":"2.0.0"}]`)
	call(t, single, "GET", "/download/clients/osx", "").want(t, 200, `"1.10.0"`)
	call(t, first, "GET", "/download/client/osx", "").want(t, 200, `"2.0.0"`)
}

func TestJobs(t *testing.T) {
	p, printer := withPrinter(t, second, "jobs")
	call(t, second, "GET", "/printers/"+printer, "").want(t, 200, `"odd":1e400`)
	submit(t, second, "9999", "").want(t, 404, "")
	for _, bad := range []string{`,"qty":0`, `,"options":{"copies":10}`, `,"options":{"bin":"B"}`, `,"options":{"pages":"a"}`, `,"title":null`} {
		submit(t, second, printer, bad).want(t, 400, `"Invalid`)
	}
	id := submit(t, second, printer, `,"options":{"paper":"A4","bin":"","pages":"1,3-"},"title":"T"`, "X-Idempotency-Key", "k").want(t, 201, "").text
	submit(t, second, printer, "", "X-Idempotency-Key", "k").want(t, 409, `"Conflict"`)
	var delivery struct{ ID string }
	json.Unmarshal([]byte(p.want(`"job"`, `"jobId":`+id, `"paper":"A4"`, `"title":"T"`)), &delivery)
	call(t, second, "DELETE", "/printjobs/"+id, "").want(t, 200, "[]")
	p.send(opText, `{"type":"ack","id":"`+delivery.ID+`"}`)
	report := `{"type":"job-state","id":"s1","jobId":` + id + `,"state":"done","message":null,"data":null,"createTimestamp":"2026-01-01T08:00:00.000Z"}`
	p.send(opText, report)
	p.want(`"ack"`)
	p.send(opText, report)
	p.want(`"ack"`)
	states := call(t, second, "GET", "/printjobs/"+id+"/states", "").want(t, 200, `"clientVersion":"1.0"`).text
	if strings.Count(states, `"done"`) != 1 || strings.Index(states, `"new"`) > strings.Index(states, `"sent_to_client"`) {
		t.Error(states)
	}

	// Nine more: eight are delivered, the ninth waits. The next connection gets what it does not hold.
	var ids []string
	for i := 0; i < 9; i++ {
		ids = append(ids, submit(t, second, printer, "").text)
		if i < 8 {
			p.want(`"job"`, `"jobId":`+ids[i])
		}
	}
	newer := connect(t, second, "jobs", ids[0])
	for _, id := range ids[1:] {
		json.Unmarshal([]byte(newer.want(`"jobId":`+id)), &delivery)
		newer.send(opText, `{"type":"ack","id":"`+delivery.ID+`"}`)
	}
	newer.send(opText, `{"type":"ack","id":"never"}`)
	newer.want(`"error"`)
	newer.want("close 4400")
	p.send(opBinary, "x")
	p.want(`"error"`)
	p.want("close 4400")
	call(t, second, "GET", "/computers", "").want(t, 200, `"disconnected"`)

	// A document of some size arrives whole.
	call(t, second, "DELETE", "/printjobs", "")
	p = connect(t, second, "jobs", strings.Join(ids, ","))
	document := strings.Repeat("QUJD", 4<<20)
	call(t, second, "POST", "/printjobs", `{"printerId":`+printer+`,"contentType":"raw_base64","content":"`+document+`"}`).want(t, 201, "")
	if got := p.next(); !strings.Contains(got, document) {
		t.Errorf("%d characters arrived", len(got))
	}
	p.send(opClose, "\x03\xe8")
	p.want("close 1000")
	time.Sleep(50 * time.Millisecond)

	// Nobody is connected: the jobs wait, can be cancelled, and expire.
	a := submit(t, second, printer, `,"expireAfter":60`).text
	b := submit(t, second, printer, "").text
	call(t, second, "DELETE", "/printers/"+printer+"/printjobs/"+b, "").want(t, 200, "["+b+"]")
	advance(t, 60_000)
	call(t, second, "GET", "/printjobs/"+a+"/states?dir=asc", "").want(t, 200, `"state":"expired"`)
	call(t, second, "GET", "/printjobs/"+b, "").want(t, 200, `"state":"cancelled"`)
	c := submit(t, second, printer, "").text
	advance(t, 1209600_000)
	call(t, second, "GET", "/printjobs?limit=1&after="+fmt.Sprint(1<<40), "").want(t, 200, `"id":`+c).want(t, 200, `"expired"`)
	submit(t, second, printer, "", "X-Idempotency-Key", "k").want(t, 201, "")
	page := call(t, second, "GET", "/printjobs?limit=2&dir=asc", "")
	if page.header.Get("Records-Returned") != "2" || page.header.Get("Records-Total") != "15" {
		t.Error(page.header)
	}
	huge := `{"printerId":1,"contentType":"raw_base64","content":"` + strings.Repeat("A", maxBody) + `"}`
	call(t, second, "POST", "/printjobs", huge).want(t, 413, "")
	call(t, second, "DELETE", "/computers", "").want(t, 200, "[")
	call(t, second, "GET", "/printers", "").want(t, 200, "[]")
}

// The newest of two connections gets the jobs; what it did not acknowledge goes to the other one when it ends.
func TestTwoConnections(t *testing.T) {
	older, printer := withPrinter(t, single, "twice")
	kept := submit(t, single, printer, "").text
	older.want(`"jobId":` + kept)
	newer := connect(t, single, "twice", kept)
	a := submit(t, single, printer, "").text
	b := submit(t, single, printer, "").text
	newer.want(`"jobId":` + a)
	newer.want(`"jobId":` + b)
	newer.conn.Close()
	older.want(`"jobId":` + a)
	older.want(`"jobId":` + b)
	call(t, single, "GET", "/printers/refresh", "").want(t, 204, "")
	older.want(`"refresh"`)
	older.send(opText, strings.Repeat(" ", maxLinkFrame+1))
	older.want("close 1009")
	call(t, single, "GET", "/computers", "").want(t, 200, `"disconnected"`)
	again := connect(t, single, "twice", b)
	again.want(`"jobId":` + kept)
	again.want(`"jobId":` + a)
	call(t, single, "GET", "/whoami", "").want(t, 200, `"connected":[`)
	var ids []int
	json.Unmarshal([]byte(call(t, single, "DELETE", "/computers", "").text), &ids)
	if len(ids) == 0 {
		t.Error("nothing was deleted")
	}
	again.want("close 4404")
	if _, status := dial(t, "/link", single, ""); status != 426 {
		t.Error(status)
	}
}

func TestScales(t *testing.T) {
	stream, status := dial(t, "/live/scales?key="+single, "", "")
	if status != 401 { // the empty Basic key counts
		t.Error(status)
	}
	stream, _ = dial(t, "/live/scales?computer=0", single, "")
	call(t, single, "PUT", "/scale", "").want(t, 204, "")
	stream.want(`"deviceName":"Service Test Scale"`)
	call(t, single, "GET", "/computer/0/scale/Service%20Test%20Scale/0", "").want(t, 200, `"computerId":0`)
	p := connect(t, single, "scales", "")
	p.send(opText, `{"type":"scales","id":"1","scales":[
		{"key":"a","deviceName":"S","vendor":null,"product":null,"vendorId":1,"productId":2,"port":"x"},
		{"key":"b","deviceName":"S","vendor":null,"product":null,"vendorId":1,"productId":2,"port":"x"}]}`)
	p.want(`"ack"`)
	p.send(opText, `{"type":"reading","id":"2","scaleKey":"b","mass":[null,5],"measurement":{"g":-2.5},"clientReportedCreateTimestamp":"2026-01-01T08:00:00+01:00"}`)
	p.want(`"ack"`)
	var list []struct{ ID int }
	json.Unmarshal([]byte(call(t, single, "GET", "/computers", "").text), &list)
	path := fmt.Sprintf("/computer/%d/scale", list[0].ID)
	call(t, single, "GET", path+"/S/1", "").want(t, 200, `"clientReportedCreateTimestamp":"2026-01-01T07:00:00.000Z"`)
	call(t, single, "GET", path+"/S/0", "").want(t, 404, "")
	call(t, single, "GET", path+"s/S", "").want(t, 200, `"mass":[null,5]`)
	call(t, first, "GET", path+"s", "").want(t, 200, "[]")
	advance(t, 45_000)
	call(t, single, "GET", path+"s", "").want(t, 200, "[]")
}

func TestWebhooks(t *testing.T) {
	var mu sync.Mutex
	var bodies []string
	works := false
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		var body bytes.Buffer
		body.ReadFrom(r.Body)
		bodies = append(bodies, r.Header.Get(secretHeader)+" "+body.String())
		if works {
			w.Header().Set(statusHeader, "OK")
		}
	}))
	defer receiver.Close()
	wait := func(n int) []string {
		t.Helper()
		for i := 0; i < 300; i++ {
			mu.Lock()
			if len(bodies) >= n {
				defer mu.Unlock()
				return bodies
			}
			mu.Unlock()
			time.Sleep(10 * time.Millisecond)
		}
		t.Fatal("no request came", bodies)
		return nil
	}
	call(t, first, "POST", "/webhook", `{"url":"`+receiver.URL+`","secret":"s","messages":["*","x"]}`).want(t, 400, "")
	call(t, first, "POST", "/webhook", `{"url":"`+receiver.URL+`","secret":"s","messages":["computer_state"]}`).want(t, 200, `"webhookId":1`)
	p := connect(t, first, "hooks", "")
	if got := wait(1)[0]; !strings.HasPrefix(got, "s [") || !strings.Contains(got, `"type":"computer state"`) {
		t.Error(got)
	}
	time.Sleep(100 * time.Millisecond)
	p.send(opClose, "\x03\xe8")
	p.want("close 1000")
	call(t, first, "DELETE", "/webhook/1", "") // what is queued is not affected
	time.Sleep(100 * time.Millisecond)
	mu.Lock()
	works = true
	if len(bodies) != 1 {
		t.Error("it was not patient", bodies)
	}
	mu.Unlock()
	advance(t, 5000)
	if got := wait(2)[1]; strings.Count(got, "computerId") != 2 {
		t.Error(got)
	}
	for i := 0; i < 5; i++ {
		call(t, first, "POST", "/webhook", `{"url":"http://127.0.0.1:1/","secret":"","messages":[]}`).want(t, 200, "")
	}
	call(t, first, "POST", "/webhook", `{"url":"http://127.0.0.1:1/","secret":"","messages":[]}`).want(t, 403, "")
}

func TestRate(t *testing.T) {
	cmd, ready, err := start(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { cmd.Process.Signal(syscall.SIGTERM); cmd.Wait() }()
	refused := 0
	for i := 0; i < 45; i++ {
		res, err := http.Get(ready["url"] + "/ping")
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode == 429 {
			refused++
		}
	}
	if refused == 0 || refused > 15 {
		t.Error(refused)
	}
}
