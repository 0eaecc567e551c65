package main

import (
	"bufio"
	"crypto/sha1"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"
)

// The server's end of RFC 6455, without extensions.

const (
	opContinuation = 0
	opText         = 1
	opBinary       = 2
	opClose        = 8
	opPing         = 9
	opPong         = 10
	opEnd          = 0xff // not a frame: tells the writer to end
)

var errTooLong = errors.New("the frame is too long")

// frameError is a violation of RFC 6455.
type frameError string

func (e frameError) Error() string { return string(e) }

// wsConn is one WebSocket. Reading is for one goroutine; sending never blocks, because a goroutine of its own writes.
type wsConn struct {
	conn     net.Conn
	br       *bufio.Reader
	maxRead  int
	seen     atomic.Int64 // when the peer last showed that it lives, in milliseconds of the machine's clock
	mu       sync.Mutex
	queue    []outgoing
	closing  bool // a close frame is queued: nothing may follow
	signal   chan struct{}
	finished chan struct{} // the writer has ended
}

// outgoing is a frame to be written. Its payload is made when its turn comes: queued print jobs need no copy of their
// documents.
type outgoing struct {
	op      byte
	payload func() []byte
}

func headerHas(h http.Header, name, token string) bool {
	for _, line := range h.Values(name) {
		for _, part := range strings.Split(line, ",") {
			if strings.EqualFold(strings.TrimSpace(part), token) {
				return true
			}
		}
	}
	return false
}

// wantsWebSocket tells whether a request is a correct upgrade request, apart from its subprotocols.
func wantsWebSocket(r *http.Request) bool {
	key, err := base64.StdEncoding.DecodeString(r.Header.Get("Sec-WebSocket-Key"))
	return r.Method == http.MethodGet && headerHas(r.Header, "Connection", "upgrade") &&
		headerHas(r.Header, "Upgrade", "websocket") && r.Header.Get("Sec-WebSocket-Version") == "13" &&
		err == nil && len(key) == 16
}

// upgrade answers 101 and takes the connection over.
func upgrade(w http.ResponseWriter, r *http.Request, subprotocol string, maxRead int) (*wsConn, error) {
	hijacker, ok := w.(http.Hijacker)
	if !ok {
		return nil, errors.New("the connection cannot be upgraded")
	}
	conn, rw, err := hijacker.Hijack()
	if err != nil {
		return nil, err
	}
	conn.SetDeadline(time.Time{})
	sum := sha1.Sum([]byte(r.Header.Get("Sec-WebSocket-Key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	answer := "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
		"Sec-WebSocket-Accept: " + base64.StdEncoding.EncodeToString(sum[:]) + "\r\n"
	if subprotocol != "" {
		answer += "Sec-WebSocket-Protocol: " + subprotocol + "\r\n"
	}
	if _, err := io.WriteString(conn, answer+"\r\n"); err != nil {
		conn.Close()
		return nil, err
	}
	ws := &wsConn{conn: conn, br: rw.Reader, maxRead: maxRead, signal: make(chan struct{}, 1),
		finished: make(chan struct{})}
	ws.touch()
	go ws.write()
	return ws, nil
}

func (ws *wsConn) touch()               { ws.seen.Store(time.Now().UnixMilli()) }
func (ws *wsConn) silence() int64       { return time.Now().UnixMilli() - ws.seen.Load() }
func (ws *wsConn) sendText(data []byte) { ws.send(opText, func() []byte { return data }) }
func (ws *wsConn) cut()                 { ws.conn.Close() }

func (ws *wsConn) send(op byte, payload func() []byte) {
	ws.mu.Lock()
	if !ws.closing || op == opEnd {
		ws.queue = append(ws.queue, outgoing{op, payload})
		ws.closing = op == opClose
	}
	ws.mu.Unlock()
	select {
	case ws.signal <- struct{}{}:
	default:
	}
}

// waiting is the number of frames not written yet.
func (ws *wsConn) waiting() int {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	return len(ws.queue)
}

// close says goodbye and makes sure that the connection is gone a few seconds later.
func (ws *wsConn) close(code int, reason string) {
	for len(reason) > 123 || !utf8.ValidString(reason) {
		reason = reason[:len(reason)-1]
	}
	payload := append([]byte{byte(code >> 8), byte(code)}, reason...)
	ws.send(opClose, func() []byte { return payload })
	time.AfterFunc(3*time.Second, ws.cut)
}

func (ws *wsConn) write() {
	defer close(ws.finished)
	for {
		ws.mu.Lock()
		if len(ws.queue) == 0 {
			ws.mu.Unlock()
			if _, open := <-ws.signal; !open {
				return
			}
			continue
		}
		next := ws.queue[0]
		ws.queue[0] = outgoing{}
		ws.queue = ws.queue[1:]
		ws.mu.Unlock()
		if next.op == opEnd {
			return
		}
		if ws.writeFrame(next.op, next.payload()) != nil {
			ws.cut()
			return
		}
		if next.op == opClose {
			return
		}
	}
}

func (ws *wsConn) writeFrame(op byte, payload []byte) error {
	head := []byte{0x80 | op, 0}
	switch n := len(payload); {
	case n < 126:
		head[1] = byte(n)
	case n < 1<<16:
		head[1] = 126
		head = binary.BigEndian.AppendUint16(head, uint16(n))
	default:
		head[1] = 127
		head = binary.BigEndian.AppendUint64(head, uint64(n))
	}
	const chunk = 1 << 16
	if len(payload) <= chunk {
		_, err := ws.conn.Write(append(head, payload...))
		return err
	}
	if _, err := ws.conn.Write(head); err != nil {
		return err
	}
	for len(payload) > 0 {
		n := chunk
		if n > len(payload) {
			n = len(payload)
		}
		if _, err := ws.conn.Write(payload[:n]); err != nil {
			return err
		}
		payload = payload[n:]
		ws.touch() // a peer that takes in a long frame lives, though it cannot answer a ping meanwhile
	}
	return nil
}

// end closes the connection after what is queued was written, and ends the writer.
func (ws *wsConn) end() {
	time.AfterFunc(time.Second, ws.cut)
	ws.send(opEnd, nil)
	<-ws.finished
	ws.cut()
}

// Read counts whatever arrives as a sign of life.
func (ws *wsConn) Read(p []byte) (int, error) {
	n, err := ws.br.Read(p)
	if n > 0 {
		ws.touch()
	}
	return n, err
}

type frame struct {
	final bool
	op    byte
	size  uint64
	mask  [4]byte
}

func (ws *wsConn) readHeader() (f frame, err error) {
	var b [8]byte
	if _, err = io.ReadFull(ws, b[:2]); err != nil {
		return
	}
	if b[0]&0x70 != 0 {
		return f, frameError("a reserved bit is set")
	}
	if b[1]&0x80 == 0 {
		return f, frameError("a frame of a client must be masked")
	}
	f.final, f.op, f.size = b[0]&0x80 != 0, b[0]&0x0f, uint64(b[1]&0x7f)
	if f.op >= 8 && (f.size > 125 || !f.final) {
		return f, frameError("a control frame is too long or fragmented")
	}
	switch f.size {
	case 126:
		_, err = io.ReadFull(ws, b[:2])
		f.size = uint64(binary.BigEndian.Uint16(b[:2]))
	case 127:
		_, err = io.ReadFull(ws, b[:])
		f.size = binary.BigEndian.Uint64(b[:])
	}
	if err == nil {
		_, err = io.ReadFull(ws, f.mask[:])
	}
	return
}

func (ws *wsConn) readPayload(f frame, into []byte) ([]byte, error) {
	// The buffer grows with what arrives: a length alone costs no memory.
	start := len(into)
	for left := int(f.size); left > 0; {
		n := left
		if n > 1<<16 {
			n = 1 << 16
		}
		old := len(into)
		into = append(into, make([]byte, n)...)
		if _, err := io.ReadFull(ws, into[old:]); err != nil {
			return nil, err
		}
		left -= n
	}
	for i := start; i < len(into); i++ {
		into[i] ^= f.mask[(i-start)&3]
	}
	return into, nil
}

// read returns the next text or binary message. It answers pings. After the peer's close frame it returns io.EOF.
func (ws *wsConn) read() (op byte, message []byte, err error) {
	started := false
	for {
		f, err := ws.readHeader()
		if err != nil {
			return 0, nil, err
		}
		if f.op >= 8 {
			payload, err := ws.readPayload(f, nil)
			if err != nil {
				return 0, nil, err
			}
			switch f.op {
			case opPing:
				if ws.waiting() < 1000 {
					ws.send(opPong, func() []byte { return payload })
				}
			case opPong:
			case opClose:
				if len(payload) > 2 {
					payload = payload[:2]
				}
				ws.send(opClose, func() []byte { return payload })
				return 0, nil, io.EOF
			default:
				return 0, nil, frameError(fmt.Sprintf("unknown opcode %d", f.op))
			}
			continue
		}
		switch {
		case f.op > opBinary:
			return 0, nil, frameError(fmt.Sprintf("unknown opcode %d", f.op))
		case (f.op == opContinuation) != started:
			return 0, nil, frameError("a fragment is out of place")
		case f.size > uint64(ws.maxRead-len(message)):
			return 0, nil, errTooLong
		}
		if !started {
			op, started = f.op, true
		}
		if message, err = ws.readPayload(f, message); err != nil {
			return 0, nil, err
		}
		if f.final {
			return op, message, nil
		}
	}
}

// drain ignores what still arrives after we have begun to close, up to the peer's close frame or end.
func (ws *wsConn) drain() {
	for {
		f, err := ws.readHeader()
		if err != nil {
			var broken frameError
			if errors.As(err, &broken) {
				io.Copy(io.Discard, ws.br)
			}
			return
		}
		if _, err := io.CopyN(io.Discard, ws, int64(f.size)); err != nil || f.op == opClose {
			return
		}
	}
}

// heartbeat pings until stopped, and cuts the connection after two and a half intervals of silence.
func (ws *wsConn) heartbeat(every time.Duration) (stop func()) {
	done := make(chan struct{})
	go func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				if ws.silence() > every.Milliseconds()*5/2 {
					ws.cut()
					return
				}
				ws.send(opPing, func() []byte { return nil })
			}
		}
	}()
	return func() { close(done) }
}
