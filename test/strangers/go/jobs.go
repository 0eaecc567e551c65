package main

import (
	"encoding/json"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

type job struct {
	id             int64
	account        *account
	printer        *printer
	title, source  *string
	contentType    string
	content        string // empty when it is not needed any more
	options        obj
	expireAfter    int64
	qty            int64
	authentication any
	created        int64
	expireAt       int64
	state          string // the latest recorded
	states         []*jobState
	delivered      bool // sent to a computer at least once
	final          bool // done, error, expired or cancelled
	deleted        bool // with its account
}

type jobState struct {
	state, message string
	data           json.RawMessage
	clientVersion  *string
	created        int64
}

var stableStates = map[string]bool{"new": true, "sent_to_client": true, "done": true, "error": true, "expired": true}

func (j *job) view() obj {
	return obj{"id": j.id, "printerId": j.printer.id, "contentType": j.contentType, "title": j.title,
		"source": j.source, "options": j.options, "expireAfter": j.expireAfter, "qty": j.qty, "state": j.state}
}

func (j *job) stateView(st *jobState) obj {
	return obj{"printJobId": j.id, "state": st.state, "message": st.message, "data": st.data,
		"clientVersion": st.clientVersion, "createTimestamp": iso(st.created), "age": st.created - j.created}
}

func (j *job) shownTitle() string {
	if j.title == nil {
		return ""
	}
	return *j.title
}

// record adds a state to a job and announces it if it is a stable one.
func (s *service) record(j *job, state, message string, data json.RawMessage, clientVersion *string) {
	if data == nil {
		data = json.RawMessage("{}")
	}
	st := &jobState{state, message, data, clientVersion, s.clock.now()}
	if len(j.states) == 0 {
		st.created = j.created
	}
	j.states = append(j.states, st)
	j.state = state
	if stableStates[state] {
		s.trigger(j.account, jobStateType, j.stateView(st))
	}
}

// finish makes a job inactive.
func (j *job) finish() {
	if j.final {
		return
	}
	j.final, j.content = true, ""
	c := j.printer.computer
	for i, one := range c.delivered {
		if one == j {
			c.delivered = append(c.delivered[:i:i], c.delivered[i+1:]...)
			break
		}
	}
}

// expire is for a job that is due; it does nothing to one that was delivered or cancelled.
func (s *service) expire(j *job) {
	if j.state == "new" && !j.delivered && !j.deleted {
		s.record(j, "expired", "The job could not be delivered in time.", nil, nil)
		j.finish()
	}
}

// jobReported records a state that a computer reports.
func (s *service) jobReported(c *computer, r stateReport) {
	j := s.jobs[r.jobID]
	if j == nil || j.printer.computer != c || !j.delivered || c.reported[r.id] {
		return
	}
	c.reported[r.id] = true
	if r.state == "new" || r.state == "sent_to_client" || r.state == "expired" {
		return // only the service records these
	}
	s.record(j, r.state, r.message, r.data, c.client.version)
	if r.state == "done" && !j.final {
		j.account.printed++
	}
	if r.state == "done" || r.state == "error" {
		j.finish()
	}
}

func isBase64(s string) bool {
	body := strings.TrimRight(s, "=")
	if len(s)%4 != 0 || len(s)-len(body) > 2 {
		return false
	}
	for i := 0; i < len(body); i++ {
		c := body[i]
		if !(c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/') {
			return false
		}
	}
	return true
}

var pageSet = regexp.MustCompile(`^\s*(\d+|\d*\s*-\s*\d*)\s*(,\s*(\d+|\d*\s*-\s*\d*)\s*)*$`)

// readOptions checks what can be checked without the printer.
func readOptions(f *fields) obj {
	f.only("bin", "collate", "color", "copies", "dpi", "duplex", "fit_to_page", "media", "nup", "pages", "paper", "rotate")
	options := obj{}
	for name := range f.values {
		switch name {
		case "collate", "color", "fit_to_page":
			options[name] = f.boolean(name)
		case "copies", "nup":
			options[name] = f.integer(name, 1, 1)
		case "rotate":
			turn := f.integer(name, 0, 0)
			if turn%90 != 0 || turn > 270 {
				f.bad(name, "0, 90, 180 or 270")
			}
			options[name] = turn
		case "duplex":
			way := *f.str(name)
			if way != "long-edge" && way != "short-edge" && way != "one-sided" {
				f.bad(name, "long-edge, short-edge or one-sided")
			}
			options[name] = way
		case "pages":
			pages := *f.str(name)
			if !pageSet.MatchString(pages) {
				f.bad(name, "a page set such as 1,3-5")
			}
			options[name] = pages
		default:
			options[name] = *f.str(name)
		}
	}
	return options
}

// checkOptions compares options with the capabilities of a printer. What the driver did not report, or reported in
// another shape than the specified one, allows everything.
func checkOptions(options obj, caps map[string]any) {
	refuse := func(name string) {
		fail(400, "InvalidOption", "The printer does not support options.%s %v.", name, options[name])
	}
	for name, list := range map[string]string{"bin": "bins", "dpi": "dpis", "media": "medias"} {
		value, given := options[name]
		values, known := caps[list].([]any)
		if !given || value == "" || !known {
			continue
		}
		found := false
		for _, one := range values {
			found = found || one == value
		}
		if !found {
			refuse(name)
		}
	}
	if paper, given := options["paper"]; given && paper != "" {
		if papers, known := caps["papers"].(map[string]any); known {
			if _, found := papers[paper.(string)]; !found {
				refuse("paper")
			}
		}
	}
	if copies, given := options["copies"]; given && copies != int64(1) {
		if most, known := asInteger(caps["copies"]); known && copies.(int64) > most {
			refuse("copies")
		}
	}
	if nup, given := options["nup"]; given && nup != int64(1) {
		if values, known := caps["nup"].([]any); known {
			found := false
			for _, one := range values {
				n, is := asInteger(one)
				found = found || is && n == nup
			}
			if !found {
				refuse("nup")
			}
		}
	}
}

func readAuthentication(f *fields) obj {
	f.only("type", "credentials")
	f.require("type", "credentials")
	kind := *f.str("type")
	if kind != "BasicAuth" && kind != "DigestAuth" {
		f.bad("type", "BasicAuth or DigestAuth")
	}
	c := f.object("credentials")
	c.only("user", "pass")
	c.require("user", "pass")
	return obj{"type": kind, "credentials": obj{"user": *c.str("user"), "pass": *c.str("pass")}}
}

func createJob(q *request) reply {
	f := q.bodyFields("printerId", "contentType", "content", "title", "source", "options", "expireAfter", "qty",
		"authentication")
	f.require("printerId", "contentType", "content")
	large := len(q.body) > maxDelivery/6 // in JSON a byte of the body can become six
	q.body = nil
	printerID := f.integer("printerId", 1, 0)
	j := &job{contentType: *f.str("contentType"), content: *f.str("content"), title: f.str("title"),
		source: f.str("source"), options: obj{}, expireAfter: f.integer("expireAfter", 0, 1209600),
		qty: f.integer("qty", 1, 1)}
	if !f.isNull("options") && f.has("options") {
		j.options = readOptions(f.object("options"))
	}
	if a := f.object("authentication"); a != nil {
		if j.authentication = readAuthentication(a); !strings.HasSuffix(j.contentType, "_uri") {
			j.authentication = nil // there is nothing to fetch
		}
	}
	if j.content == "" {
		f.bad("content", "a document")
	}
	switch j.contentType {
	case "pdf_uri", "raw_uri":
		if u, err := url.Parse(j.content); err != nil || !u.IsAbs() {
			f.bad("content", "an absolute URI")
		}
	case "pdf_base64", "raw_base64":
		if !isBase64(j.content) {
			f.bad("content", "base64")
		}
	default:
		f.bad("contentType", "pdf_uri, pdf_base64, raw_uri or raw_base64")
	}
	if large && len(encode([]any{j.title, j.source, j.content, j.options, j.authentication})) > maxDelivery-4096 {
		fail(413, "BodyTooLarge", "The job is too large for the connection to a computer.")
	}

	s := q.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if q.account.suspended {
		fail(403, "AccountSuspended", "A suspended account cannot print.")
	}
	p := s.printers[printerID]
	if p == nil || p.computer.account != q.account || !p.present {
		fail(404, "PrinterNotFound", "There is no printer %d.", printerID)
	}
	if strings.HasPrefix(j.contentType, "pdf") {
		checkOptions(j.options, p.caps)
	}
	now := s.clock.now()
	if key := q.Header.Get("X-Idempotency-Key"); key != "" {
		const day = 24 * 3600 * 1000
		if used, known := s.idemKeys[key]; known && now-used < day {
			fail(409, "Conflict", "This X-Idempotency-Key was used within the last 24 hours.")
		}
		s.idemKeys[key] = now
		s.clock.at(now+day, func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.idemKeys[key] == now {
				delete(s.idemKeys, key)
			}
		})
	}
	s.last.job++
	j.id, j.account, j.printer = s.last.job, q.account, p
	j.created, j.expireAt = now, now+j.expireAfter*1000
	s.jobs[j.id] = j
	q.account.jobs = append(q.account.jobs, j)
	p.computer.queue = append(p.computer.queue, j)
	s.record(j, "new", "", nil, nil)
	s.deliver(p.computer)
	if !j.delivered {
		s.clock.at(j.expireAt, func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.expire(j)
		})
	}
	return reply{201, j.id}
}

func (q *request) jobIDs(printers, jobs map[int64]bool) []int64 {
	ids := []int64{}
	for _, j := range q.account.jobs {
		if inSet(printers, j.printer.id) && inSet(jobs, j.id) {
			ids = append(ids, j.id)
		}
	}
	return ids
}

func listJobs(q *request, printers, jobs map[int64]bool) reply {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	list := []obj{}
	for _, id := range q.page(q.jobIDs(printers, jobs)) {
		list = append(list, q.s.jobs[id].view())
	}
	return ok(list)
}

func cancelJobs(q *request, printers, jobs map[int64]bool) reply {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	cancelled := []int64{}
	for _, id := range q.jobIDs(printers, jobs) {
		if j := q.s.jobs[id]; j.state == "new" && !j.delivered {
			if q.s.clock.now() > j.expireAt {
				q.s.expire(j)
				continue
			}
			q.s.record(j, "cancelled", "", nil, nil)
			j.finish()
			cancelled = append(cancelled, id)
		}
	}
	return ok(cancelled)
}

// listStates answers an object: job id → its states, oldest first.
func listStates(q *request) reply {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	result := obj{}
	for _, id := range q.page(q.jobIDs(nil, q.set(0))) {
		j, states := q.s.jobs[id], []obj{}
		for _, st := range j.states {
			states = append(states, j.stateView(st))
		}
		result[strconv.FormatInt(id, 10)] = states
	}
	return ok(result)
}
