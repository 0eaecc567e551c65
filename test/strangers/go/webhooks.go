package main

import (
	"bytes"
	"context"
	"math"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	maxWebhooks   = 5
	retryDelay    = 5000
	hookTimeout   = 30 * time.Second
	secretHeader  = "X-Hook-Secret"
	statusHeader  = "X-Service-Webhook-Status"
	computerState = "computer state"
	jobStateType  = "print job state"
)

// messageTypes are the names in `messages`, and the types of the events that they stand for.
var messageTypes = map[string]string{"computer_state": computerState, "print_job_state": jobStateType}

type webhook struct {
	id                                    int64
	url, secret                           string
	messages                              []string
	received, dropped, successful, failed statistic
	targets                               map[[2]string]*target
}

// statistic is one count, and four that decay with e^(-age/scale).
type statistic struct {
	count int64
	decay [4]float64
	at    int64
}

var decayNames = [4]string{"exp7d", "exp1d", "exp1h", "exp5m"}
var decayScales = [4]float64{7 * 86400e3, 86400e3, 3600e3, 300e3}

func (st *statistic) add(now int64) {
	st.count++
	for i, scale := range decayScales {
		st.decay[i] = st.decay[i]*math.Exp(-float64(now-st.at)/scale) + 1
	}
	st.at = now
}

func (st *statistic) view(now int64) obj {
	decay := obj{}
	for i, scale := range decayScales {
		decay[decayNames[i]] = st.decay[i] * math.Exp(-float64(now-st.at)/scale)
	}
	return obj{"straight": obj{"counts": st.count}, "decay": decay}
}

// target is where the events of a webhook go: a changed URL or secret makes another one, so that what is queued stays
// as it was.
type target struct {
	hook        *webhook
	url, secret string
	queue       []*event
	busy        bool
	failedAt    int64 // when the last request failed; 0 if it did not
}

type event struct {
	body    obj
	retried bool
}

type hookSender struct {
	s      *service
	client *http.Client
}

func newHookSender(s *service) *hookSender {
	return &hookSender{s, &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true}, // a stale connection must not count as a failure
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// trigger queues an event for each webhook of the account that wants it.
func (s *service) trigger(a *account, kind string, data obj) {
	now := s.clock.now()
	for _, h := range a.webhooks {
		wanted := false
		for _, m := range h.messages {
			wanted = wanted || m == "*" || messageTypes[m] == kind
		}
		if !wanted {
			continue
		}
		h.received.add(now)
		key := [2]string{h.url, h.secret}
		t := h.targets[key]
		if t == nil {
			t = &target{hook: h, url: h.url, secret: h.secret}
			h.targets[key] = t
		}
		t.queue = append(t.queue, &event{body: obj{"type": kind, "accountId": a.id,
			"controllingAccountId": a.controlling().id, "createdAt": iso(now), "data": data}})
		s.hooks.kick(t)
	}
}

// kick sends what is queued for a target, when it is due.
func (hs *hookSender) kick(t *target) {
	if t.busy || len(t.queue) == 0 {
		return
	}
	if due := t.failedAt + retryDelay; t.failedAt > 0 && hs.s.clock.now() < due {
		hs.s.clock.at(due, func() {
			hs.s.mu.Lock()
			defer hs.s.mu.Unlock()
			hs.kick(t)
		})
		return
	}
	batch := t.queue
	t.queue, t.busy = nil, true
	go hs.deliver(t, batch)
}

func (hs *hookSender) deliver(t *target, batch []*event) {
	events := make([]obj, len(batch))
	for i, e := range batch {
		events[i] = e.body
	}
	success := hs.post(t.url, t.secret, encode(events))

	hs.s.mu.Lock()
	defer hs.s.mu.Unlock()
	now := hs.s.clock.now()
	t.busy = false
	if success {
		t.failedAt = 0
		t.hook.successful.add(now)
	} else {
		t.failedAt = now
		t.hook.failed.add(now)
		var again []*event
		for _, e := range batch {
			if e.retried {
				t.hook.dropped.add(now)
				continue
			}
			e.retried = true
			again = append(again, e)
		}
		t.queue = append(again, t.queue...)
	}
	hs.kick(t)
}

func (hs *hookSender) post(address, secret string, body []byte) bool {
	ctx, cancel := context.WithTimeout(context.Background(), hookTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, "POST", address, bytes.NewReader(body))
	if err != nil {
		return false
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set(secretHeader, secret)
	res, err := hs.client.Do(req)
	if err != nil {
		return false
	}
	defer res.Body.Close()
	return res.StatusCode/100 == 2 && res.Header.Get(statusHeader) == "OK"
}

// webhooks is the answer of all four endpoints: newest first.
func (q *request) webhooks() reply {
	now := q.s.clock.now()
	list := []obj{}
	for i := len(q.account.webhooks) - 1; i >= 0; i-- {
		h := q.account.webhooks[i]
		list = append(list, obj{"webhookId": h.id, "url": h.url, "secret": h.secret, "messages": h.messages,
			"receivedEvents": h.received.view(now), "droppedEvents": h.dropped.view(now),
			"successfulRequests": h.successful.view(now), "failedRequests": h.failed.view(now)})
	}
	return ok(list)
}

// webhookFields reads and checks the fields that are given.
func (q *request) webhookFields() (f fields, messages []string) {
	f = q.bodyFields("url", "secret", "messages")
	if v := f.str("url"); v != nil {
		if u, err := url.Parse(*v); err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
			f.bad("url", "an absolute http or https URL")
		}
	}
	if v := f.str("secret"); v != nil {
		if strings.TrimSpace(*v) != *v || strings.ContainsAny(*v, "\x7f") || strings.IndexFunc(*v, func(r rune) bool { return r < ' ' }) >= 0 {
			f.bad("secret", "a string that can be the value of a header")
		}
	}
	messages = f.strings("messages")
	for _, m := range messages {
		if m == "*" && len(messages) > 1 {
			f.bad("messages", `"*" alone, or types without it`)
		}
		if m != "*" && messageTypes[m] == "" {
			f.bad("messages", "*, computer_state or print_job_state")
		}
	}
	return
}

func (q *request) webhook() (*webhook, int) {
	for i, h := range q.account.webhooks {
		if h.id == parseID(q.args[0]) {
			return h, i
		}
	}
	fail(404, "NotFound", "There is no such webhook.")
	return nil, 0
}

func listWebhooks(q *request) reply {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	return q.webhooks()
}

func createWebhook(q *request) reply {
	f, messages := q.webhookFields()
	f.require("url", "secret", "messages")
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	if len(q.account.webhooks) >= maxWebhooks {
		fail(403, "TooManyWebhooks", "An account has at most %d webhooks.", maxWebhooks)
	}
	q.s.last.webhook++
	q.account.webhooks = append(q.account.webhooks, &webhook{id: q.s.last.webhook, url: *f.str("url"),
		secret: *f.str("secret"), messages: messages, targets: map[[2]string]*target{}})
	return q.webhooks()
}

func updateWebhook(q *request) reply {
	f, messages := q.webhookFields()
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	h, _ := q.webhook()
	if v := f.str("url"); v != nil {
		h.url = *v
	}
	if v := f.str("secret"); v != nil {
		h.secret = *v
	}
	if f.has("messages") {
		h.messages = messages
	}
	return q.webhooks()
}

func deleteWebhook(q *request) reply {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	_, i := q.webhook()
	hooks := q.account.webhooks
	q.account.webhooks = append(hooks[:i:i], hooks[i+1:]...)
	return q.webhooks()
}
