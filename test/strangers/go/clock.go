package main

import (
	"container/heap"
	"sync"
	"time"
)

// clock is the service's own time, in milliseconds since 1970. It is the machine's time plus an offset that
// -clock-control can increase; timers set on it follow such a jump. Times are plain int64 everywhere, so that ages
// and timestamps never disagree by a fraction.
type clock struct {
	mu     sync.Mutex
	offset int64
	timers timerHeap
	wake   chan struct{}
	run    sync.Mutex // serialises the timers
}

type timer struct {
	at int64
	fn func()
}

type timerHeap []timer

func (h timerHeap) Len() int           { return len(h) }
func (h timerHeap) Less(i, j int) bool { return h[i].at < h[j].at }
func (h timerHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *timerHeap) Push(x any)        { *h = append(*h, x.(timer)) }
func (h *timerHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	old[len(old)-1] = timer{} // lets the closure go
	*h = old[:len(old)-1]
	return last
}

func newClock() *clock {
	c := &clock{wake: make(chan struct{}, 1)}
	go c.loop()
	return c
}

func (c *clock) now() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.nowLocked()
}

func (c *clock) nowLocked() int64 { return time.Now().UnixMilli() + c.offset }

// at calls fn, on another goroutine, as soon as the clock shows at least this time.
func (c *clock) at(ms int64, fn func()) {
	c.mu.Lock()
	heap.Push(&c.timers, timer{ms, fn})
	c.mu.Unlock()
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// advance moves the clock and returns when the timers that became due have run.
func (c *clock) advance(ms int64) {
	c.mu.Lock()
	c.offset += ms
	c.mu.Unlock()
	c.runDue()
}

func (c *clock) runDue() {
	c.run.Lock()
	defer c.run.Unlock()
	for {
		c.mu.Lock()
		if len(c.timers) == 0 || c.timers[0].at > c.nowLocked() {
			c.mu.Unlock()
			return
		}
		next := heap.Pop(&c.timers).(timer)
		c.mu.Unlock()
		next.fn()
	}
}

func (c *clock) loop() {
	for {
		c.runDue()
		c.mu.Lock()
		wait := time.Hour
		if len(c.timers) > 0 {
			if d := c.timers[0].at - c.nowLocked(); d < int64(wait/time.Millisecond) {
				wait = time.Duration(d) * time.Millisecond
			}
		}
		c.mu.Unlock()
		sleep := time.NewTimer(wait)
		select {
		case <-c.wake:
		case <-sleep.C:
		}
		sleep.Stop()
	}
}

// iso writes a time as ISO 8601 in UTC with milliseconds.
func iso(ms int64) string {
	return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z")
}
