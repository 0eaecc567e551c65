package main

import (
	"encoding/json"
	"net/http"
	"sort"
	"time"
)

const scaleLife = 45_000

type scaleInfo struct {
	key, deviceName, vendor, port string
	vendorID, productID           int64
}

type scale struct {
	scaleInfo
	num int64
}

type scaleID struct {
	computer int64
	name     string
	num      int64
}

// reading is what a scale measured last.
type reading struct {
	id          scaleID
	info        scaleInfo
	mass        [2]*int64
	measurement json.RawMessage
	measured    int64
	stored      int64
}

func (r *reading) view(now int64) obj {
	return obj{"mass": r.mass, "computerId": r.id.computer, "vendor": r.info.vendor, "vendorId": r.info.vendorID,
		"productId": r.info.productID, "port": r.info.port, "deviceName": r.id.name, "deviceNum": r.id.num,
		"count": nil, "measurement": r.measurement, "clientReportedCreateTimestamp": iso(r.measured),
		"ntpOffset": nil, "ageOfData": now - r.stored}
}

// setScales applies a complete list. A scale that is still there keeps its number; a new or renamed one gets the
// smallest that no other scale of that name has.
func (c *computer) setScales(list []scaleInfo) {
	last := map[string]scaleInfo{}
	for _, info := range list {
		last[info.key] = info
	}
	taken := map[string]map[int64]bool{}
	take := func(name string, num int64) {
		if taken[name] == nil {
			taken[name] = map[int64]bool{}
		}
		taken[name][num] = true
	}
	scales := map[string]*scale{}
	for key, old := range c.scales {
		if info, still := last[key]; still && info.deviceName == old.deviceName {
			scales[key] = &scale{info, old.num}
			take(old.deviceName, old.num)
		}
	}
	for _, info := range list {
		if scales[info.key] != nil {
			continue
		}
		info = last[info.key]
		num := int64(0)
		for taken[info.deviceName][num] {
			num++
		}
		scales[info.key] = &scale{info, num}
		take(info.deviceName, num)
	}
	c.scales = scales
}

func (s *service) measured(c *computer, r readingReport) {
	sc := c.scales[r.scaleKey]
	if sc == nil {
		return
	}
	s.publish(c.account, &reading{id: scaleID{c.id, sc.deviceName, sc.num}, info: sc.scaleInfo, mass: r.mass,
		measurement: r.measurement, measured: r.measured, stored: s.clock.now()})
}

// publish stores a reading for 45 seconds and sends it to the account's streams.
func (s *service) publish(a *account, r *reading) {
	a.readings[r.id] = r
	s.clock.at(r.stored+scaleLife, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if a.readings[r.id] == r {
			delete(a.readings, r.id)
		}
	})
	for st := range a.streams {
		st.send(s, r)
	}
}

func (s *service) fresh(a *account, fits func(id scaleID) bool) []*reading {
	list := []*reading{}
	for id, r := range a.readings {
		if s.clock.now()-r.stored < scaleLife && fits(id) {
			list = append(list, r)
		}
	}
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i].id, list[j].id
		if a.computer != b.computer {
			return a.computer < b.computer
		}
		if a.name != b.name {
			return a.name < b.name
		}
		return a.num < b.num
	})
	return list
}

func (q *request) computerArg() int64 {
	if id := parseID(q.args[0]); id > 0 || q.args[0] == "0" {
		return id
	}
	return -1 // too large for any computer
}

func listScales(q *request) reply {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	computer := q.computerArg()
	list := []obj{}
	for _, r := range q.s.fresh(q.account, func(id scaleID) bool {
		return id.computer == computer && (len(q.args) < 2 || id.name == q.args[1])
	}) {
		list = append(list, r.view(q.s.clock.now()))
	}
	return ok(list)
}

func getScale(q *request) reply {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	wanted := scaleID{q.computerArg(), q.args[1], parseID(q.args[2])}
	if wanted.num == 0 && q.args[2] != "0" {
		wanted.num = -1
	}
	list := q.s.fresh(q.account, func(id scaleID) bool { return id == wanted })
	if len(list) == 0 {
		fail(404, "NoScaleData", "No such scale produced data within 45 seconds.")
	}
	return ok(list[0].view(q.s.clock.now()))
}

// putScale puts one and a quarter kilogram on the virtual scale.
func putScale(q *request) reply {
	if len(q.body) > 0 {
		fail(400, "InvalidContent", "This request takes no body.")
	}
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	mass, resolution := int64(1_250_000_000), int64(50_000_000)
	now := q.s.clock.now()
	q.s.publish(q.account, &reading{id: scaleID{0, "Service Test Scale", 0}, mass: [2]*int64{&mass, &resolution},
		measurement: json.RawMessage(`{"kg":1250000000}`), measured: now, stored: now})
	return empty
}

// scaleStream is a WebSocket at GET /live/scales: each frame is a scale data object, first those of now, then every
// new one. A browser cannot send Basic credentials with it, therefore the key may be given as a query parameter.
type scaleStream struct {
	ws                       *wsConn
	key                      string
	computer, name, num      string
	hasComp, hasName, hasNum bool
}

func (s *service) serveScaleStream(w http.ResponseWriter, q *request) bool {
	key := q.query.Get("key")
	if key != "" && q.Header.Get("Authorization") == "" {
		q.SetBasicAuth(key, "")
	}
	q.authenticate()
	q.checkQuery([]string{"key", "computer", "deviceName", "deviceNum"})
	if !wantsWebSocket(q.Request) {
		q.header.Set("Upgrade", "websocket")
		q.header.Set("Connection", "Upgrade")
		q.header.Set("Sec-WebSocket-Version", "13")
		fail(426, "UpgradeRequired", "This is a WebSocket.")
	}
	ws, err := upgrade(w, q.Request, "", 1<<14)
	if err != nil {
		return true
	}
	st := &scaleStream{ws: ws, key: q.key, computer: q.query.Get("computer"), name: q.query.Get("deviceName"),
		num: q.query.Get("deviceNum"), hasComp: q.query.Has("computer"), hasName: q.query.Has("deviceName"),
		hasNum: q.query.Has("deviceNum")}
	if !s.addOpen(ws) {
		ws.close(1001, "the service shuts down")
	}
	stop := ws.heartbeat(30 * time.Second)
	s.mu.Lock()
	if s.keys[q.key] == nil {
		ws.close(4401, "the key was revoked")
	}
	q.account.streams[st] = true
	for _, r := range s.fresh(q.account, func(scaleID) bool { return true }) {
		st.send(s, r)
	}
	s.mu.Unlock()
	for err == nil { // a client has nothing to say
		_, _, err = ws.read()
	}
	s.mu.Lock()
	delete(q.account.streams, st)
	s.mu.Unlock()
	ws.end()
	stop()
	s.removeOpen(ws)
	return true
}

func (st *scaleStream) send(s *service, r *reading) {
	if st.hasComp && parseID(st.computer) != r.id.computer || st.hasName && st.name != r.id.name ||
		st.hasNum && parseID(st.num) != r.id.num {
		return
	}
	if st.ws.waiting() > 500 {
		return // it does not keep up: it misses readings
	}
	st.ws.send(opText, func() []byte { return encode(r.view(s.clock.now())) })
}
