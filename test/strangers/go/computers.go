package main

import "encoding/json"

type computer struct {
	id        int64
	account   *account
	client    clientInfo
	created   int64
	links     []*link             // its connections, oldest first
	printers  map[string]*printer // by key, with those that are gone
	scales    map[string]*scale   // by key
	queue     []*job              // not delivered yet, ascending; may hold some that are no longer new
	delivered []*job              // without a last state, ascending
	reported  map[string]bool     // ids of the job states recorded
}

type printer struct {
	id       int64
	computer *computer
	key      string
	info     printerInfo
	caps     map[string]any // info.capabilities, read
	created  int64
	present  bool // in the computer's last list
}

func (c *computer) view() obj {
	state := "disconnected"
	if len(c.links) > 0 {
		state = "connected"
	}
	return obj{"id": c.id, "name": c.client.computerName, "inet": c.client.inet, "inet6": c.client.inet6,
		"hostname": c.client.hostname, "version": c.client.version, "jre": nil,
		"createTimestamp": iso(c.created), "state": state}
}

func (p *printer) view() obj {
	state := "unknown"
	if p.info.state != nil {
		state = *p.info.state
	}
	return obj{"id": p.id, "computer": p.computer.view(), "name": p.info.name, "description": p.info.description,
		"capabilities": p.info.capabilities, "default": p.info.isDefault,
		"createTimestamp": iso(p.created), "state": state}
}

func listComputers(q *request) reply {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	set := q.set(0)
	list := []obj{}
	for _, id := range q.page(sortedIDs(q.s.computers, func(c *computer) bool {
		return c.account == q.account && inSet(set, c.id)
	})) {
		list = append(list, q.s.computers[id].view())
	}
	return ok(list)
}

func deleteComputers(q *request) reply {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	set := q.set(0)
	ids := sortedIDs(q.s.computers, func(c *computer) bool { return c.account == q.account && inSet(set, c.id) })
	for _, id := range ids {
		q.s.forgetComputer(q.s.computers[id], 4404, "the computer was deleted")
	}
	return ok(ids)
}

// forgetComputer deletes a computer and its printers. Its jobs remain; those not delivered will expire.
func (s *service) forgetComputer(c *computer, code int, reason string) {
	for len(c.links) > 0 {
		s.endLink(c.links[0], code, reason)
	}
	for _, p := range c.printers {
		delete(s.printers, p.id)
	}
	for id := range c.account.readings {
		if id.computer == c.id {
			delete(c.account.readings, id)
		}
	}
	delete(s.computers, c.id)
	delete(c.account.computers, c.client.installationID)
}

func listPrinters(q *request, computers, printers map[int64]bool) reply {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	list := []obj{}
	for _, id := range q.page(sortedIDs(q.s.printers, func(p *printer) bool {
		return p.present && p.computer.account == q.account &&
			inSet(computers, p.computer.id) && inSet(printers, p.id)
	})) {
		list = append(list, q.s.printers[id].view())
	}
	return ok(list)
}

// refreshPrinters asks all connected computers to report again.
func refreshPrinters(q *request) reply {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	for _, c := range q.s.computers {
		if c.account == q.account {
			for _, l := range c.links {
				l.send(obj{"type": "refresh"})
			}
		}
	}
	return empty
}

// setPrinters applies a complete list. A printer that comes back keeps its id.
func (s *service) setPrinters(c *computer, list []printerInfo) {
	for _, p := range c.printers {
		p.present = false
	}
	for _, info := range list {
		p := c.printers[info.key]
		if p == nil {
			s.last.printer++
			p = &printer{id: s.last.printer, computer: c, key: info.key, created: s.clock.now()}
			c.printers[info.key] = p
			s.printers[p.id] = p
		}
		p.info, p.present, p.caps = info, true, nil
		if v, valid := parseJSON(info.capabilities); valid {
			p.caps, _ = v.(map[string]any)
		}
	}
}

type clientInfo struct {
	installationID, computerName            string
	hostname, inet, inet6, version, edition *string
}

type printerInfo struct {
	key, name, description string
	isDefault              *bool
	state                  *string
	capabilities           json.RawMessage
}
