package main

import (
	"regexp"
	"sort"
	"strings"
	"unicode/utf8"
)

type account struct {
	id         int64
	integrator bool
	parent     *account // of a Child Account
	children   []*account
	firstname  string
	lastname   string
	email      string
	creatorRef *string
	suspended  bool
	printed    int64

	keys       map[string]string // name → API key
	clientKeys map[string]string // client identifier → client key
	tags       map[string]string
	computers  map[string]*computer // by installation
	jobs       []*job               // ascending
	webhooks   []*webhook           // ascending
	readings   map[scaleID]*reading
	streams    map[*scaleStream]bool
	disabled   map[int64]bool // downloads
}

// credential is what a key stands for.
type credential struct {
	account *account
	client  bool // a client key: opens only the device link
}

func (s *service) newAccount(first, last, email string) *account {
	s.last.account++
	a := &account{id: s.last.account, firstname: first, lastname: last, email: email,
		keys: map[string]string{}, clientKeys: map[string]string{}, tags: map[string]string{},
		computers: map[string]*computer{}, readings: map[scaleID]*reading{}, streams: map[*scaleStream]bool{}, disabled: map[int64]bool{}}
	s.accounts[a.id] = a
	return a
}

func (s *service) newKey(a *account, name string) string {
	key := randomHex(24)
	a.keys[name] = key
	s.keys[key] = &credential{account: a}
	return key
}

func (a *account) controlling() *account {
	if a.parent != nil {
		return a.parent
	}
	return a
}

func (a *account) state() string {
	if a.suspended {
		return "suspended"
	}
	return "active"
}

// child returns the Child Account on whose behalf the request is, and refuses one without.
func (q *request) child() *account {
	if q.account == q.auth {
		fail(403, "ChildRequired", "Name a Child Account with an X-Child-Account-By-* header.")
	}
	return q.account
}

func (q *request) whoami() obj {
	a, s := q.account, q.s
	children := []int64{}
	for _, c := range a.children {
		children = append(children, c.id)
	}
	own := sortedIDs(s.computers, func(c *computer) bool { return c.account == a })
	connected := sortedIDs(s.computers, func(c *computer) bool { return c.account == a && len(c.links) > 0 })
	tags := []obj{}
	for name, value := range a.tags {
		tags = append(tags, obj{"name": name, "value": value})
	}
	sort.Slice(tags, func(i, j int) bool { return tags[i]["name"].(string) < tags[j]["name"].(string) })
	var creator any
	if a.parent != nil {
		creator = a.parent.email
	}
	return obj{"id": a.id, "firstname": a.firstname, "lastname": a.lastname, "email": a.email,
		"canCreateSubAccounts": a.integrator, "creatorEmail": creator, "creatorRef": a.creatorRef,
		"childAccounts": children, "credits": 0, "numComputers": len(own), "totalPrints": a.printed,
		"versions": []any{}, "connected": connected, "Tags": tags, "state": a.state(), "permissions": []string{}}
}

func getAccount(q *request) reply {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	return ok(q.whoami())
}

// profile checks the fields that an account is created and updated with.
func profile(f fields) {
	for _, name := range []string{"firstname", "lastname", "email", "creatorRef"} {
		if v := f.str(name); v != nil && *v == "" {
			f.bad(name, "a string that is not empty")
		}
	}
	if v := f.str("email"); v != nil && !strings.Contains(*v, "@") {
		f.bad("email", "an e-mail address")
	}
	if v := f.str("password"); v != nil && len(*v) < 8 {
		f.bad("password", "at least 8 bytes")
	}
}

// refFree refuses a creatorRef that another child of the parent has.
func (a *account) refFree(ref *string, except *account) {
	for _, c := range a.children {
		if ref != nil && c != except && c.creatorRef != nil && *c.creatorRef == *ref {
			fail(409, "CreatorRefTaken", "Another Child Account has this creatorRef.")
		}
	}
}

var tagName = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

func createChild(q *request) reply {
	if !q.account.integrator {
		fail(403, "IntegratorRequired", "Only an Integrator Account can create Child Accounts.")
	}
	body := q.bodyFields("Account", "ApiKeys", "Tags")
	body.require("Account")
	f := body.object("Account")
	f.only("firstname", "lastname", "email", "password", "creatorRef")
	f.require("firstname", "lastname", "email", "password")
	profile(*f)
	names := body.strings("ApiKeys")
	unique := map[string]bool{}
	for _, name := range names {
		if name == "" || len(name) > 16 || unique[name] {
			body.bad("ApiKeys", "different names of 1 to 16 bytes")
		}
		unique[name] = true
	}
	if len(names) > 10 {
		body.bad("ApiKeys", "at most 10 names")
	}
	tags := map[string]string{}
	if t := body.object("Tags"); t != nil {
		for name := range t.values {
			if !tagName.MatchString(name) {
				t.bad(name, "a name of at most 64 letters, digits, dots, dashes and underscores")
			}
			value := *t.str(name)
			if len(value) > 1024 {
				t.bad(name, "at most 1024 bytes")
			}
			tags[name] = value
		}
	}

	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	parent := q.account
	parent.refFree(f.str("creatorRef"), nil)
	a := q.s.newAccount(*f.str("firstname"), *f.str("lastname"), *f.str("email"))
	a.parent, a.creatorRef, a.tags = parent, f.str("creatorRef"), tags
	parent.children = append(parent.children, a)
	for _, name := range names {
		q.s.newKey(a, name)
	}
	return reply{201, a.id}
}

func updateChild(q *request) reply {
	a := q.child()
	f := q.bodyFields("firstname", "lastname", "email", "password", "creatorRef")
	profile(f)
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	if ref := f.str("creatorRef"); ref != nil {
		q.auth.refFree(ref, a)
		a.creatorRef = ref
	}
	for name, field := range map[string]*string{"firstname": &a.firstname, "lastname": &a.lastname, "email": &a.email} {
		if v := f.str(name); v != nil {
			*field = *v
		}
	}
	return ok(q.whoami())
}

func deleteChild(q *request) reply {
	a := q.child()
	s := q.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.accounts[a.id] == nil { // by another request, meanwhile
		return empty
	}
	a.webhooks = nil
	for st := range a.streams {
		st.ws.close(4401, "the account was deleted")
	}
	for _, c := range s.computers {
		if c.account == a {
			s.forgetComputer(c, 4401, "the account was deleted")
		}
	}
	for _, j := range a.jobs {
		j.final, j.content = true, ""
		j.deleted = true
		delete(s.jobs, j.id)
	}
	for _, key := range a.keys {
		s.revoke(key)
	}
	for _, key := range a.clientKeys {
		s.revoke(key)
	}
	delete(s.accounts, a.id)
	for i, c := range a.parent.children {
		if c == a {
			a.parent.children = append(a.parent.children[:i:i], a.parent.children[i+1:]...)
			break
		}
	}
	return empty
}

// revoke makes a key worthless and ends the connections that were opened with it.
func (s *service) revoke(key string) {
	cred := s.keys[key]
	delete(s.keys, key)
	for _, c := range s.computers {
		if c.account == cred.account {
			for _, l := range append([]*link(nil), c.links...) {
				if l.key == key {
					s.endLink(l, 4401, "the key was revoked")
				}
			}
		}
	}
	for _, a := range s.accounts {
		for st := range a.streams {
			if st.key == key {
				st.ws.close(4401, "the key was revoked")
			}
		}
	}
}

func getAccountState(q *request) reply {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	return ok(q.account.state())
}

func putAccountState(q *request) reply {
	a := q.child()
	v, valid := parseJSON(q.body)
	if !valid {
		fail(400, "InvalidContent", "The body is not JSON.")
	}
	if v != "active" && v != "suspended" {
		fail(400, "InvalidField", `The body must be "active" or "suspended".`)
	}
	s := q.s
	s.mu.Lock()
	defer s.mu.Unlock()
	a.suspended = v == "suspended"
	if a.suspended {
		for _, c := range s.computers {
			if c.account == a {
				for _, l := range append([]*link(nil), c.links...) {
					s.endLink(l, 4401, "the account was suspended")
				}
			}
		}
	}
	return empty
}

func getControllable(q *request) reply {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	a := q.account
	return ok(sortedIDs(q.s.accounts, func(other *account) bool { return other.controlling() == a }))
}

func (q *request) tagName() string {
	if !tagName.MatchString(q.args[0]) {
		fail(400, "InvalidTag", "A tag's name has at most 64 letters, digits, dots, dashes and underscores.")
	}
	return q.args[0]
}

func getTag(q *request) reply {
	name := q.tagName()
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	value, known := q.account.tags[name]
	if !known {
		fail(404, "NotFound", "There is no such tag.")
	}
	return ok(obj{"name": name, "value": value})
}

func postTag(q *request) reply {
	name := q.tagName()
	f := q.bodyFields("value")
	f.require("value")
	value := *f.str("value")
	if utf8.RuneCountInString(value) > 1024 {
		f.bad("value", "at most 1024 characters")
	}
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	q.account.tags[name] = value
	return empty
}

func deleteTag(q *request) reply {
	name := q.tagName()
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	if _, known := q.account.tags[name]; !known {
		fail(404, "NotFound", "There is no such tag.")
	}
	delete(q.account.tags, name)
	return empty
}

func getKey(q *request) reply {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	key, known := q.account.keys[q.args[0]]
	if !known {
		fail(404, "NotFound", "There is no such API key.")
	}
	return ok(obj{"name": q.args[0], "key": key})
}

func postKey(q *request) reply {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	name := q.args[0]
	if !utf8.ValidString(name) {
		fail(400, "InvalidPath", "The name is not UTF-8.")
	}
	if _, taken := q.account.keys[name]; taken {
		fail(409, "NameTaken", "There is an API key of this name.")
	}
	return reply{201, obj{"name": name, "key": q.s.newKey(q.account, name)}}
}

func deleteKey(q *request) reply {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	key, known := q.account.keys[q.args[0]]
	if !known {
		fail(404, "NotFound", "There is no such API key.")
	}
	delete(q.account.keys, q.args[0])
	q.s.revoke(key)
	return empty
}
