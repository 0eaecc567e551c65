package main

import "regexp"

// download is a version of the client. Which are enabled is a matter of each account.
type download struct {
	id      int64
	os      string
	version string
}

// downloads are in ascending order of version for each operating system.
var downloads = []download{
	{1, "osx", "1.9.0"}, {2, "windows", "1.9.0"},
	{3, "osx", "1.10.0"}, {4, "windows", "1.10.0"},
	{5, "osx", "2.0.0"}, {6, "windows", "2.0.0"},
}

func (a *account) download(d download) obj {
	return obj{"id": d.id, "os": d.os, "version": d.version, "enabled": !a.disabled[d.id]}
}

func listDownloads(q *request) reply {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	list, set := []obj{}, q.set(0)
	for _, d := range downloads {
		if inSet(set, d.id) {
			list = append(list, q.account.download(d))
		}
	}
	return ok(list)
}

func latestDownload(q *request) reply {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	for i := len(downloads) - 1; i >= 0; i-- {
		if d := downloads[i]; d.os == q.args[len(q.args)-1] && !q.account.disabled[d.id] {
			return ok(q.account.download(d))
		}
	}
	fail(404, "NotFound", "No version is enabled for this operating system.")
	return reply{}
}

func updateDownloads(q *request) reply {
	f := q.bodyFields("enabled")
	f.require("enabled")
	enabled := f.boolean("enabled")
	q.s.mu.Lock()
	for id := range q.set(0) {
		if enabled {
			delete(q.account.disabled, id)
		} else if id >= 1 && id <= int64(len(downloads)) {
			q.account.disabled[id] = true
		}
	}
	q.s.mu.Unlock()
	return listDownloads(q)
}

var uuid4 = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$`)

func getClientKey(q *request) reply {
	if !uuid4.MatchString(q.args[0]) {
		fail(400, "InvalidClient", "The client identifier must be a version 4 UUID.")
	}
	for _, name := range []string{"edition", "version"} {
		if _, given := q.query[name]; !given {
			fail(400, "InvalidQuery", "%s is required.", name)
		}
	}
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	a := q.account
	key, known := a.clientKeys[q.args[0]]
	if !known {
		key = randomHex(47)
		a.clientKeys[q.args[0]] = key
		q.s.keys[key] = &credential{account: a, client: true}
	}
	return ok(key)
}
