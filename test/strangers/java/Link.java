import java.util.*;

/** One connection of the device link, as docs/device-link.md has it. Every method runs under the lock of the service. */
final class Link implements WebSocket.Listener {
    static final String VERSION = "platen.link.v1";
    static final int TICK_MS = 50;
    private static final int HEARTBEAT_MS = 6000;
    private static final int MOST_FRAME_BYTES = 4 << 20;
    private static final String ID = "id s 1 100";
    private static final String[] CLIENT = {"installationId s 1 100", "computerName s 1 1000", "hostname s? 0 1000", "inet s? 0 100",
        "inet6 s? 0 100", "version s? 0 100", "edition s? 0 100"};
    private static final String[] PRINTER = {"key s 1 200", "name s 0 1000", "description s 0 1000", "default b?", "state s? 0 100", "capabilities o? 0 65536"};
    private static final String[] SCALE = {"key s 1 400", "deviceName s 0 1000", "vendor s? 0 1000", "product s? 0 1000", "vendorId i 0",
        "productId i 0", "port s? 0 1000"};
    private static final String[] JOB_STATE = {ID, "jobId i 1", "state s 1 100", "message s? 0 10000", "data o? 0 65536", "createTimestamp t"};
    private static final String[] READING = {ID, "scaleKey s 0 400", "mass l 0 2", "measurement o 0 10000", "clientReportedCreateTimestamp t"};
    final WebSocket socket = new WebSocket(MOST_FRAME_BYTES, this);
    final String key;
    final Model.Account account;
    private final Service service;
    private Model.Computer computer;
    private boolean ended;
    private int ticks;
    /** Delivery to job: what the computer has yet to acknowledge. */
    private final Map<String, Long> unacknowledged = new LinkedHashMap<>();
    /** Jobs that were delivered before, and have to be once more. */
    private final TreeSet<Long> again = new TreeSet<>();
    Link(Service service, Model.Account account, String key) {
        this.service = service;
        this.account = account;
        this.key = key;
        service.links.add(this);
    }
    @Override public void message(String text) {
        synchronized (service) {
            if (ended) return;
            try {
                if (text == null) throw new Fields.Wrong("mesaĝo", "teksto");
                Map<String, Object> message = Fields.read(Json.parse(text, 31), "mesaĝo", false, "type s");
                take((String) message.get("type"), message);
            } catch (Json.Wrong | Fields.Wrong wrong) { refuse(4400, wrong.getMessage()); }
        }
    }
    private void refuse(int code, String reason) {
        socket.send(Json.map("type", "error", "code", "BadMessage", "message", reason));
        end(code, reason);
    }
    /** Nothing more is taken from this connection. */
    void end(int code, String reason) {
        socket.close(code, reason);
        ended = true;
        leave();
    }
    private void take(String type, Map<String, Object> message) {
        if (type.equals("hello") != (computer == null)) throw new Fields.Wrong("type", "alia nun");
        switch (type) {
            case "hello": hello(message); return;
            case "ack":
                if (unacknowledged.remove(Fields.read(message, type, false, ID).get("id")) == null) throw new Fields.Wrong("id", "de sendita mesaĝo");
                deliver();
                return;
            case "printers": printers(Fields.read(message, type, false, ID, "printers l 0 1000")); break;
            case "scales": scales(Fields.read(message, type, false, ID, "scales l 0 1000")); break;
            case "job-state": jobState(Fields.read(message, type, false, JOB_STATE)); break;
            case "reading": reading(Fields.read(message, type, false, READING)); break;
            default: throw new Fields.Wrong("type", "konata");
        }
        socket.send(Json.map("id", message.get("id"), "type", "ack", "served", "jes"));
    }
    private void hello(Map<String, Object> message) {
        Map<String, Object> client = Fields.read(message.get("client"), "client", false, CLIENT);
        List<?> holding = (List<?>) Fields.read(message, "hello", false, "holding l 0 25000").get("holding");
        for (Object id : holding) Fields.read(Json.map("id", id), "holding", false, "id i 1");
        computer = service.devices.of(account.id).stream().filter(each -> each.installationId.equals(client.get("installationId"))).findFirst().orElse(null);
        if (computer == null) newComputer((String) client.get("installationId"));
        computer.client = client;
        service.model.save(computer);
        computer.links.add(this);
        socket.send(Json.map("heartbeatMs", HEARTBEAT_MS, "computerId", computer.id, "accountId", account.id, "type", "welcome", "greeting", "Saluton!"));
        if (computer.links.size() == 1) service.devices.changed(computer);
        for (Model.Job job : service.model.jobs.values())
            if (job.printer.computerId == computer.id && job.delivered && !job.ended && !holding.contains(job.id)) again.add(job.id);
        deliver();
    }
    private void newComputer(String installationId) {
        computer = new Model.Computer();
        computer.id = service.model.next(Model.Computer.class);
        computer.accountId = account.id;
        computer.installationId = installationId;
        service.model.adopt(computer);
    }
    /** Sends what the computer has to get, if this is its newest connection. */
    void deliver() {
        if (ended || computer.links.isEmpty() || computer.links.get(computer.links.size() - 1) != this) return;
        while (unacknowledged.size() < 8) {
            Long id = again.isEmpty() ? computer.queued.pollFirst() : again.pollFirst();
            if (id == null) return;
            Model.Job job = service.model.jobs.get(id);
            if (job == null || job.ended) continue;
            String delivery = UUID.randomUUID().toString();
            unacknowledged.put(delivery, job.id);
            job.delivered = true;
            service.jobs.record(job, "sent_to_client", "", null, null, null);
            Map<String, Object> frame = Jobs.frame(job);
            frame.put("id", delivery);
            socket.send(frame);
        }
    }
    private void printers(Map<String, Object> message) {
        Map<String, Map<String, Object>> said = new LinkedHashMap<>();
        for (Object each : (List<?>) message.get("printers")) {
            Map<String, Object> printer = Fields.read(each, "printers", false, PRINTER);
            said.put((String) printer.get("key"), printer);
        }
        for (Model.Printer printer : computer.printers.values()) printer.gone = !said.containsKey(printer.key);
        said.forEach((key, map) -> computer.printers.computeIfAbsent(key, this::newPrinter).said = map);
        service.model.save(computer);
    }
    private Model.Printer newPrinter(String key) {
        Model.Printer printer = new Model.Printer();
        printer.id = service.model.next(Model.Printer.class);
        printer.computerId = computer.id;
        printer.key = key;
        service.model.printers.put(printer.id, printer);
        return printer;
    }
    private static boolean sameName(Model.Scale one, Model.Scale other) { return one.said.get("deviceName").equals(other.said.get("deviceName")); }
    private void scales(Map<String, Object> message) {
        Map<String, Model.Scale> next = new LinkedHashMap<>();
        for (Object each : (List<?>) message.get("scales")) {
            Model.Scale scale = new Model.Scale();
            scale.said = Fields.read(each, "scales", false, SCALE);
            Model.Scale old = computer.scales.get(scale.said.get("key"));
            // Who stays keeps its number, before anybody new takes one.
            scale.number = old != null && sameName(old, scale) ? old.number : -1;
            next.put((String) scale.said.get("key"), scale);
        }
        for (Model.Scale scale : next.values()) for (long number = 0; scale.number < 0; number++) {
                long candidate = number;
                if (next.values().stream().noneMatch(other -> other.number == candidate && sameName(other, scale))) scale.number = candidate;
            }
        computer.scales = next;
        service.model.save(computer);
    }
    private void jobState(Map<String, Object> report) {
        String state = (String) report.get("state"), id = (String) report.get("id"), text = (String) report.get("message");
        Model.Job job = service.model.jobs.get((Long) report.get("jobId"));
        if (job == null || job.printer.computerId != computer.id || List.of("new", "sent_to_client", "expired").contains(state)
            || job.states.stream().anyMatch(old -> id.equals(old.reportId()))) return;
        computer.queued.remove(job.id);
        job.delivered = true;
        if (state.equals("done") && job.states.stream().noneMatch(old -> old.state().equals("done"))) {
            account.prints++;
            service.model.save(account);
        }
        if (state.equals("done") || state.equals("error")) { job.ended = true; job.content = null; }
        service.jobs.record(job, state, text == null ? "" : text, Fields.inner(report, "data"), (String) computer.client.get("version"), id);
    }
    private void reading(Map<String, Object> report) {
        List<?> mass = (List<?>) report.get("mass");
        Map<String, Object> measurement = Fields.inner(report, "measurement");
        if (mass.size() != 2 || mass.stream().anyMatch(each -> each != null && !(each instanceof Long n && Math.abs(n) <= Fields.MOST_INTEGER)))
            throw new Fields.Wrong("mass", "du entjeroj aŭ null");
        if (measurement.values().stream().anyMatch(each -> !(each instanceof Number))) throw new Fields.Wrong("measurement", "nombroj");
        Model.Scale scale = computer.scales.get(report.get("scaleKey"));
        if (scale != null) service.scales.store(account, computer,
            Scales.shown(computer.id, scale, mass, measurement, (String) report.get("clientReportedCreateTimestamp")));
    }
    @Override public void ended() {
        synchronized (service) {
            ended = true;
            service.links.remove(this);
            leave();
        }
    }
    /** The next newest connection takes over what this one was sent and did not acknowledge. */
    private void leave() {
        if (computer == null || !computer.links.contains(this)) return;
        boolean newest = computer.links.get(computer.links.size() - 1) == this;
        computer.links.remove(this);
        if (computer.links.isEmpty()) {
            if (service.model.computers.containsKey(computer.id)) service.devices.changed(computer);
        } else if (newest) {
            Link next = computer.links.get(computer.links.size() - 1);
            next.again.addAll(unacknowledged.values());
            next.again.addAll(again);
            next.again.removeAll(next.unacknowledged.values());
            next.deliver();
        }
    }
    /** Heartbeats follow the turns of a thread that sleeps, so that neither a moved clock nor a stopped machine is silence. */
    void tick() {
        ticks++;
        socket.silentTicks++;
        if (socket.silentTicks * TICK_MS > HEARTBEAT_MS * 5 / 2) socket.cut();
        else if (ticks % (HEARTBEAT_MS / TICK_MS - 2) == 0) socket.ping();
    }
}
