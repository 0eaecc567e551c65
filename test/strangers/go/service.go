package main

import (
	"sort"
	"sync"
)

// service is everything. One mutex guards all of its data: what is done under it is short, and everything slow
// (bodies, documents, receivers of webhooks, computers) happens outside.
type service struct {
	mu           sync.Mutex
	clock        *clock
	clockControl bool
	limiter      *limiter

	last      struct{ account, computer, printer, job, webhook int64 } // ids given so far
	accounts  map[int64]*account
	keys      map[string]*credential
	computers map[int64]*computer
	printers  map[int64]*printer
	jobs      map[int64]*job
	idemKeys  map[string]int64 // idempotency key → when it was used

	hooks *hookSender
	open  openSockets
}

func newService(clockControl, noLimit bool) *service {
	s := &service{
		clock: newClock(), clockControl: clockControl,
		accounts: map[int64]*account{}, keys: map[string]*credential{}, computers: map[int64]*computer{},
		printers: map[int64]*printer{}, jobs: map[int64]*job{}, idemKeys: map[string]int64{},
	}
	s.limiter = &limiter{s: s, off: noLimit, buckets: map[string]*bucket{}}
	s.hooks = newHookSender(s)
	s.open.all = map[*wsConn]bool{}
	return s
}

var routes = []route{
	{"GET", "/noop", "", false, func(q *request) reply { return ok(q.id) }},

	{"GET", "/whoami", "", false, getAccount},
	{"POST", "/account", "", true, createChild},
	{"PATCH", "/account", "", true, updateChild},
	{"DELETE", "/account", "", false, deleteChild},
	{"GET", "/account/state", "", false, getAccountState},
	{"PUT", "/account/state", "", true, putAccountState},
	{"GET", "/account/controllable", "", false, getControllable},
	{"GET", "/account/tag/{any}", "", false, getTag},
	{"POST", "/account/tag/{any}", "", true, postTag},
	{"DELETE", "/account/tag/{any}", "", false, deleteTag},
	{"GET", "/account/apikey/{any}", "", false, getKey},
	{"POST", "/account/apikey/{any}", "", false, postKey},
	{"DELETE", "/account/apikey/{any}", "", false, deleteKey},

	{"GET", "/computers", paging, false, listComputers},
	{"GET", "/computers/{set}", paging, false, listComputers},
	{"DELETE", "/computers", "", false, deleteComputers},
	{"DELETE", "/computers/{set}", "", false, deleteComputers},

	{"GET", "/printers", paging, false, func(q *request) reply { return listPrinters(q, nil, nil) }},
	{"GET", "/printers/refresh", "", false, refreshPrinters},
	{"GET", "/printers/{set}", paging, false, func(q *request) reply { return listPrinters(q, nil, q.set(0)) }},
	{"GET", "/computers/{set}/printers", paging, false, func(q *request) reply { return listPrinters(q, q.set(0), nil) }},
	{"GET", "/computers/{set}/printers/{set}", paging, false,
		func(q *request) reply { return listPrinters(q, q.set(0), q.set(1)) }},

	{"POST", "/printjobs", "", true, createJob},
	{"GET", "/printjobs/states", paging, false, listStates},
	{"GET", "/printjobs/{set}/states", paging, false, listStates},
	{"GET", "/printjobs", paging, false, func(q *request) reply { return listJobs(q, nil, nil) }},
	{"GET", "/printjobs/{set}", paging, false, func(q *request) reply { return listJobs(q, nil, q.set(0)) }},
	{"GET", "/printers/{set}/printjobs", paging, false, func(q *request) reply { return listJobs(q, q.set(0), nil) }},
	{"GET", "/printers/{set}/printjobs/{set}", paging, false,
		func(q *request) reply { return listJobs(q, q.set(0), q.set(1)) }},
	{"DELETE", "/printjobs", "", false, func(q *request) reply { return cancelJobs(q, nil, nil) }},
	{"DELETE", "/printjobs/{set}", "", false, func(q *request) reply { return cancelJobs(q, nil, q.set(0)) }},
	{"DELETE", "/printers/{set}/printjobs", "", false, func(q *request) reply { return cancelJobs(q, q.set(0), nil) }},
	{"DELETE", "/printers/{set}/printjobs/{set}", "", false,
		func(q *request) reply { return cancelJobs(q, q.set(0), q.set(1)) }},

	{"GET", "/computer/{id}/scales", "", false, listScales},
	{"GET", "/computer/{id}/scales/{any}", "", false, listScales},
	{"GET", "/computer/{id}/scale/{any}/{id}", "", false, getScale},
	{"PUT", "/scale", "", true, putScale},

	{"GET", "/webhooks", "", false, listWebhooks},
	{"POST", "/webhook", "", true, createWebhook},
	{"PATCH", "/webhook/{id}", "", true, updateWebhook},
	{"DELETE", "/webhook/{id}", "", false, deleteWebhook},

	{"GET", "/client/key/{any}", "edition version", false, getClientKey},
	{"GET", "/download/client/{os}", "", false, latestDownload},
	{"GET", "/download/client/{any}/{os}", "", false, latestDownload},
	{"GET", "/download/clients", "", false, listDownloads},
	{"GET", "/download/clients/{os}", "", false, latestDownload},
	{"GET", "/download/clients/{set}", "", false, listDownloads},
	{"PATCH", "/download/clients/{set}", "", true, updateDownloads},
}

const paging = "limit after dir"

// sortedIDs returns the ids of those that pass the filter, ascending.
func sortedIDs[T any](all map[int64]T, keep func(T) bool) []int64 {
	ids := []int64{}
	for id, one := range all {
		if keep(one) {
			ids = append(ids, id)
		}
	}
	sort.Slice(ids, func(i, j int) bool { return ids[i] < ids[j] })
	return ids
}
