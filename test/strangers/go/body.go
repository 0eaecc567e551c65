package main

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"mime"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"
)

const maxInteger = 1<<53 - 1

// parseJSON reads one JSON text; numbers stay json.Number.
func parseJSON(data []byte) (any, bool) {
	if !utf8.Valid(data) {
		return nil, false
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return nil, false
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, false
	}
	return v, true
}

// asInteger accepts every number without a fraction, however it is written.
func asInteger(v any) (int64, bool) {
	n, is := v.(json.Number)
	if !is {
		return 0, false
	}
	if i, err := n.Int64(); err == nil {
		return i, i >= -maxInteger && i <= maxInteger
	}
	f, err := n.Float64()
	if err != nil || f != math.Trunc(f) || math.Abs(f) > maxInteger {
		return 0, false
	}
	return int64(f), true
}

// fields is an object in a request body. In a form all leaves are strings, and are converted when they are read.
type fields struct {
	values map[string]any
	form   bool
	prefix string // for messages
}

// bodyFields parses the request's body, which must be an object with no other fields than these.
func (q *request) bodyFields(names ...string) fields {
	f := fields{}
	switch q.mediaType() {
	case "application/x-www-form-urlencoded":
		f = fields{values: parseForm(string(q.body)), form: true}
	default:
		v, valid := parseJSON(q.body)
		if !valid {
			fail(400, "InvalidContent", "The body is not JSON.")
		}
		f.values, valid = v.(map[string]any)
		if !valid {
			fail(400, "InvalidField", "The body must be an object.")
		}
	}
	f.only(names...)
	return f
}

func (q *request) mediaType() string {
	given := q.Header.Get("Content-Type")
	if given == "" {
		return "application/json"
	}
	kind, _, err := mime.ParseMediaType(given)
	if err != nil || (kind != "application/json" && kind != "application/x-www-form-urlencoded") {
		fail(415, "UnsupportedMediaType", "A body is application/json or application/x-www-form-urlencoded.")
	}
	return kind
}

// parseForm reads a[b][c]=v, a[]=v and a[0]=v.
func parseForm(text string) map[string]any {
	root := map[string]any{}
	bad := func() { fail(400, "InvalidContent", "The body is not a correct form.") }
	for _, pair := range strings.Split(text, "&") {
		if pair == "" {
			continue
		}
		rawName, rawValue, _ := strings.Cut(pair, "=")
		name, err1 := url.QueryUnescape(rawName)
		value, err2 := url.QueryUnescape(rawValue)
		if err1 != nil || err2 != nil || !utf8.ValidString(name) || !utf8.ValidString(value) {
			bad()
		}
		path := []string{name}
		if open := strings.IndexByte(name, '['); open > 0 {
			if !strings.HasSuffix(name, "]") {
				bad()
			}
			path = append([]string{name[:open]}, strings.Split(name[open+1:len(name)-1], "][")...)
		}
		if len(path) > 8 {
			bad()
		}
		at := root
		for i, segment := range path {
			if segment == "" && i > 0 {
				segment = strconv.Itoa(len(at)) // a[]
			}
			if i == len(path)-1 {
				if _, taken := at[segment]; taken {
					bad()
				}
				at[segment] = value
				break
			}
			if at[segment] == nil {
				at[segment] = map[string]any{}
			}
			next, is := at[segment].(map[string]any)
			if !is {
				bad()
			}
			at = next
		}
	}
	return root
}

func (f fields) bad(name, expected string) {
	fail(400, "InvalidField", "%s%s: expected %s.", f.prefix, name, expected)
}

func (f fields) only(names ...string) {
next:
	for name := range f.values {
		for _, known := range names {
			if name == known {
				continue next
			}
		}
		fail(400, "InvalidField", "There is no field %s%s.", f.prefix, name)
	}
}

func (f fields) has(name string) bool {
	_, given := f.values[name]
	return given
}

func (f fields) isNull(name string) bool {
	v, given := f.values[name]
	return given && v == nil
}

func (f fields) require(names ...string) {
	for _, name := range names {
		if !f.has(name) {
			fail(400, "InvalidField", "%s%s is required.", f.prefix, name)
		}
	}
}

// str returns a string, or nil if it is not given.
func (f fields) str(name string) *string {
	v, given := f.values[name]
	if !given {
		return nil
	}
	s, is := v.(string)
	if !is {
		f.bad(name, "a string")
	}
	return &s
}

// integer returns an integer of at least this value, or the default.
func (f fields) integer(name string, least, otherwise int64) int64 {
	v, given := f.values[name]
	if !given {
		return otherwise
	}
	if s, is := v.(string); f.form && is && isDigits(strings.TrimPrefix(s, "-")) {
		v = json.Number(s)
	}
	n, is := asInteger(v)
	if !is || n < least {
		f.bad(name, "an integer of at least "+strconv.FormatInt(least, 10))
	}
	return n
}

func (f fields) boolean(name string) bool {
	v := f.values[name]
	if f.form && (v == "true" || v == "false") {
		return v == "true"
	}
	b, is := v.(bool)
	if !is {
		f.bad(name, "true or false")
	}
	return b
}

// object returns a nested object, or nil if it is not given.
func (f fields) object(name string) *fields {
	v, given := f.values[name]
	if !given {
		return nil
	}
	m, is := v.(map[string]any)
	if !is {
		f.bad(name, "an object")
	}
	return &fields{m, f.form, f.prefix + name + "."}
}

func (f fields) strings(name string) []string {
	v, given := f.values[name]
	if !given {
		return nil
	}
	list, is := v.([]any)
	if m, isMap := v.(map[string]any); f.form && isMap {
		is = true
		for i := range m {
			if !isDigits(i) || parseID(i) >= int64(len(m)) {
				is = false
			}
		}
		for i := 0; is && i < len(m); i++ {
			list = append(list, m[strconv.Itoa(i)])
		}
	}
	result := []string{}
	for _, item := range list {
		s, isString := item.(string)
		is = is && isString
		result = append(result, s)
	}
	if !is {
		f.bad(name, "an array of strings")
	}
	return result
}
