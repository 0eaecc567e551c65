package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// Reading the messages of a computer (docs/device-link.md). Whatever does not fit the tables there panics with a
// protocolError, which ends the connection.
type protocolError string

func broken(format string, args ...any) { panic(protocolError(fmt.Sprintf(format, args...))) }

// node is an object of a message.
type node struct {
	path   string
	fields map[string]json.RawMessage
}

func parseMessage(data []byte) node {
	if !utf8.Valid(data) {
		broken("a frame must be UTF-8")
	}
	if !json.Valid(data) {
		broken("a frame must be JSON")
	}
	if depth(data) > 32 {
		broken("a message nests at most 32 levels deep")
	}
	var fields map[string]json.RawMessage
	if data = bytes.TrimSpace(data); data[0] != '{' || json.Unmarshal(data, &fields) != nil {
		broken("a message must be an object")
	}
	return node{"", fields}
}

// depth is how deep arrays and objects nest in valid JSON.
func depth(data []byte) int {
	now, most, inString := 0, 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if now++; now > most {
				most = now
			}
		case c == '}' || c == ']':
			now--
		}
	}
	return most
}

func (n node) raw(name string) json.RawMessage {
	v, given := n.fields[name]
	if !given {
		broken("%s%s is missing", n.path, name)
	}
	return v
}

func (n node) isNull(name string) bool { return string(n.raw(name)) == "null" }

// str reads a string of this many UTF-16 code units; most 0 means any number.
func (n node) str(name string, least, most int) string {
	var s string
	if raw := n.raw(name); raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		broken("%s%s: expected a string", n.path, name)
	}
	if units := len(utf16.Encode([]rune(s))); units < least || (most > 0 && units > most) {
		broken("%s%s: a string of %d characters is too short or too long", n.path, name, units)
	}
	return s
}

func (n node) strOrNull(name string) *string {
	if n.isNull(name) {
		return nil
	}
	s := n.str(name, 0, 0)
	return &s
}

func toInteger(raw json.RawMessage) (int64, bool) {
	return asInteger(json.Number(raw)) // of anything else than a number it makes nothing
}

func (n node) integer(name string, least int64) int64 {
	v, is := toInteger(n.raw(name))
	if !is || v < least {
		broken("%s%s: expected an integer of at least %d", n.path, name, least)
	}
	return v
}

func (n node) array(name string) []json.RawMessage {
	var list []json.RawMessage
	if raw := n.raw(name); raw[0] != '[' || json.Unmarshal(raw, &list) != nil {
		broken("%s%s: expected an array", n.path, name)
	}
	return list
}

func (n node) object(name string) node {
	var fields map[string]json.RawMessage
	if raw := n.raw(name); raw[0] != '{' || json.Unmarshal(raw, &fields) != nil {
		broken("%s%s: expected an object", n.path, name)
	}
	return node{n.path + name + ".", fields}
}

func (n node) objects(name string) []node {
	list := n.array(name)
	nodes := make([]node, len(list))
	for i, raw := range list {
		var fields map[string]json.RawMessage
		if raw[0] != '{' || json.Unmarshal(raw, &fields) != nil {
			broken("%s%s[%d]: expected an object", n.path, name, i)
		}
		nodes[i] = node{fmt.Sprintf("%s%s[%d].", n.path, name, i), fields}
	}
	return nodes
}

// rawObject reads an object that is passed on as it is, or null.
func (n node) rawObject(name string) json.RawMessage {
	if n.isNull(name) {
		return json.RawMessage("null")
	}
	n.object(name)
	return append(json.RawMessage(nil), n.raw(name)...) // so that it does not keep the frame
}

func (n node) timestamp(name string) int64 {
	s := n.str(name, 1, 0)
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05.999999999Z0700"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UnixMilli()
		}
	}
	broken("%s%s: expected a timestamp", n.path, name)
	return 0
}

func (n node) id() string { return n.str("id", 1, 100) }

type hello struct {
	client  clientInfo
	holding []int64
}

func readHello(n node) (h hello) {
	c := n.object("client")
	h.client = clientInfo{
		installationID: c.str("installationId", 1, 100), computerName: c.str("computerName", 1, 0),
		hostname: c.strOrNull("hostname"), inet: c.strOrNull("inet"), inet6: c.strOrNull("inet6"),
		version: c.strOrNull("version"), edition: c.strOrNull("edition"),
	}
	for i, raw := range n.array("holding") {
		id, is := toInteger(raw)
		if !is || id < 1 {
			broken("holding[%d]: expected a job id", i)
		}
		h.holding = append(h.holding, id)
	}
	return
}

func readPrinters(n node) (list []printerInfo) {
	for _, p := range n.objects("printers") {
		info := printerInfo{key: p.str("key", 1, 200), name: p.str("name", 0, 0),
			description: p.str("description", 0, 0), state: p.strOrNull("state"),
			capabilities: p.rawObject("capabilities")}
		switch string(p.raw("default")) {
		case "true", "false":
			isDefault := string(p.raw("default")) == "true"
			info.isDefault = &isDefault
		case "null":
		default:
			broken("%sdefault: expected a boolean or null", p.path)
		}
		list = append(list, info)
	}
	return
}

func readScales(n node) (list []scaleInfo) {
	for _, p := range n.objects("scales") {
		p.strOrNull("product")
		info := scaleInfo{key: p.str("key", 1, 400), deviceName: p.str("deviceName", 0, 0),
			vendorID: p.integer("vendorId", 0), productID: p.integer("productId", 0)}
		if v := p.strOrNull("vendor"); v != nil {
			info.vendor = *v
		}
		if v := p.strOrNull("port"); v != nil {
			info.port = *v
		}
		list = append(list, info)
	}
	return
}

type stateReport struct {
	id, state, message string
	jobID              int64
	data               json.RawMessage
}

func readJobState(n node) stateReport {
	r := stateReport{id: n.id(), jobID: n.integer("jobId", 1), state: n.str("state", 1, 100), data: n.rawObject("data")}
	if m := n.strOrNull("message"); m != nil {
		r.message = *m
	}
	if string(r.data) == "null" {
		r.data = json.RawMessage("{}")
	}
	n.timestamp("createTimestamp")
	return r
}

type readingReport struct {
	scaleKey    string
	mass        [2]*int64
	measurement json.RawMessage
	measured    int64
}

func readReading(n node) readingReport {
	n.id()
	r := readingReport{scaleKey: n.str("scaleKey", 0, 0), measured: n.timestamp("clientReportedCreateTimestamp")}
	mass := n.array("mass")
	if len(mass) != 2 {
		broken("mass: expected two elements")
	}
	for i, raw := range mass {
		if string(raw) == "null" {
			continue
		}
		v, is := toInteger(raw)
		if !is {
			broken("mass[%d]: expected an integer or null", i)
		}
		r.mass[i] = &v
	}
	if n.isNull("measurement") {
		broken("measurement: expected an object")
	}
	r.measurement = n.rawObject("measurement")
	for unit, raw := range n.object("measurement").fields {
		if raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
			broken("measurement.%s: expected a number", unit)
		}
	}
	return r
}
