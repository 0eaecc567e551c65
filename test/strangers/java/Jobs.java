import java.time.*;
import java.time.format.DateTimeFormatter;
import java.util.*;

/** Print jobs: submitted, listed, cancelled, expired; and their states. */
final class Jobs {
    private static final long DEFAULT_EXPIRY_SECONDS = 1_209_600;
    private static final long MOST_EXPIRY_SECONDS = 3_000_000_000L;
    private static final long KEY_MS = 24 * 3600 * 1000L;
    private static final int MOST_FRAME_BYTES = 64 << 20;
    private static final List<String> STABLE = List.of("new", "sent_to_client", "done", "error", "expired");
    private static final String[] JOB = {"printerId i 1", "contentType s", "content s 1", "title s~", "source s~", "options o~",
        "expireAfter i~ 0", "qty i~ 1", "authentication o~"};
    private static final String[] OPTIONS = {"bin s~", "collate b~", "color b~", "copies i~ 1", "dpi s~", "duplex s~", "fit_to_page b~",
        "media s~", "nup i~ 1", "pages s~ 1", "paper s~", "rotate i~"};
    private static final DateTimeFormatter ZONED = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSSSSSXXX").withZone(ZoneOffset.ofHoursMinutes(5, 45));
    private final Service service;
    private final PriorityQueue<Model.Job> expiring = new PriorityQueue<>(Comparator.comparing(job -> job.expires));
    /** By account and key: when the job was taken. */
    private final Map<List<Object>, Instant> keys = new HashMap<>();
    Jobs(Service service) {
        this.service = service;
        for (Model.Job job : service.model.jobs.values()) {
            if (!job.delivered && !job.ended) expiring.add(job);
            if (job.idempotencyKey != null) keys.put(List.of(job.accountId, job.idempotencyKey), job.created);
        }
    }
    static String time(Instant at) { return ZONED.format(at); }
    void record(Model.Job job, String name, String message, Map<String, Object> data, String clientVersion, String reportId) {
        job.states.add(new Model.State(name, message, data, clientVersion, reportId, Instant.now()));
        service.model.save(job);
        if (STABLE.contains(name)) service.hooks.emit(service.model.accounts.get(job.accountId), "print job state",
            Json.map("what", Json.map("kind", "print job", "ref", job.id), "now", name, "note", message));
    }
    void expire() {
        Instant now = Instant.now();
        while (!expiring.isEmpty() && !expiring.peek().expires.isAfter(now)) {
            Model.Job job = expiring.poll();
            if (!job.delivered && !job.ended) end(job, "expired", "La tempo pasis.");
        }
    }
    private void end(Model.Job job, String state, String message) {
        job.ended = true;
        job.content = null;
        Model.Computer computer = service.model.computers.get(job.printer.computerId);
        if (computer != null) computer.queued.remove(job.id);
        record(job, state, message, null, null, null);
    }
    /** The message that delivers a job, but for the id of the delivery. */
    static Map<String, Object> frame(Model.Job job) {
        Map<String, Object> frame = Json.map("jobId", job.id, "type", "job", "printerKey", job.printer.key, "content", job.content,
            "createTimestamp", job.created.toString(), "expireAt", time(job.expires), "lane", "unu");
        for (String name : List.of("title", "source", "contentType", "options", "qty", "authentication")) frame.put(name, job.said.get(name));
        return frame;
    }
    Object submit(Api.Call call) {
        if (call.account.suspended) throw Api.suspended();
        Object given = call.body();
        if (call.form && given instanceof Map<?, ?> map) map.remove("options", "");
        Map<String, Object> body = Fields.read(given, "korpo", call.form, JOB);
        String type = (String) body.get("contentType"), content = (String) body.remove("content");
        if (!type.matches("(pdf|raw)_(uri|base64)")) throw new Fields.Wrong("contentType", "konata");
        boolean encoded = type.endsWith("64");
        if (!content.matches(encoded ? "[A-Za-z0-9+/]*+={0,2}" : "[A-Za-z][A-Za-z0-9+.-]*:.+") || encoded && content.length() % 4 != 0)
            throw new Fields.Wrong("content", "base64 aŭ adreso");
        body.put("options", options(body.get("options"), call.form));
        body.put("authentication", authentication(body.get("authentication")));
        for (var standard : Map.of("expireAfter", DEFAULT_EXPIRY_SECONDS, "qty", 1L, "title", "").entrySet())
            if (body.get(standard.getKey()) == null) body.put(standard.getKey(), standard.getValue());
        Model.Job job = new Model.Job();
        job.said = body;
        job.expires = job.created.plusSeconds(Math.min((Long) body.get("expireAfter"), MOST_EXPIRY_SECONDS));
        job.printer = service.model.printers.get((Long) body.get("printerId"));
        Model.Computer computer = job.printer == null || job.printer.gone ? null : service.model.computers.get(job.printer.computerId);
        if (computer == null || computer.accountId != call.account.id) throw Http.refusal(404, "NoSuchPrinter", "Ne estas tia presilo.");
        job.idempotencyKey = call.request.header("x-idempotency-key");
        job.accountId = call.account.id;
        accept(job, content, computer);
        return new Http.Answer(201, job.id);
    }
    private void accept(Model.Job job, String content, Model.Computer computer) {
        // Each character is at most three bytes.
        if (content.length() + 3L * Json.write(frame(job)).length() > MOST_FRAME_BYTES - 200) throw new Fields.Wrong("korpo", "malpli longa por livero");
        job.content = content;
        List<Object> key = job.idempotencyKey == null ? null : List.of(job.accountId, job.idempotencyKey);
        Instant used = key == null ? null : keys.get(key);
        if (used != null && Duration.between(used, job.created).toMillis() < KEY_MS) throw Http.refusal(409, "Conflict", "La ŝlosilo jam estis uzita.");
        if (key != null) keys.put(key, job.created);
        job.id = service.model.next(Model.Job.class);
        service.model.jobs.put(job.id, job);
        service.model.keep(job.id, content);
        record(job, "new", "", null, null, null);
        expiring.add(job);
        computer.queued.add(job.id);
        if (!computer.links.isEmpty()) computer.links.get(computer.links.size() - 1).deliver();
    }
    private static Map<String, Object> options(Object given, boolean form) {
        if (given == null) return Json.map();
        Map<String, Object> options = Fields.read(given, "options", form, OPTIONS);
        if (options.containsValue(null)) throw new Fields.Wrong("options", "sen null");
        if (!String.valueOf(options.getOrDefault("rotate", 0)).matches("0|90|180|270")) throw new Fields.Wrong("rotate", "0, 90, 180 aŭ 270");
        if (!String.valueOf(options.getOrDefault("duplex", "one-sided")).matches("long-edge|short-edge|one-sided")) throw new Fields.Wrong("duplex", "konata");
        if (!String.valueOf(options.getOrDefault("pages", "-")).matches("[0-9]*-?[0-9]*(,[0-9]*-?[0-9]*)*")) throw new Fields.Wrong("pages", "paĝaro");
        return options;
    }
    private static Map<String, Object> authentication(Object given) {
        if (given == null) return null;
        Map<String, Object> field = Fields.read(given, "authentication", false, "type s", "credentials o");
        if (!String.valueOf(field.get("type")).matches("BasicAuth|DigestAuth")) throw new Fields.Wrong("type", "BasicAuth aŭ DigestAuth");
        field.put("credentials", Fields.read(field.get("credentials"), "credentials", false, "user s", "pass s"));
        return field;
    }
    /** Jobs of the account that the path names: all, or by sets of printers and of jobs. */
    private List<Model.Job> chosen(Api.Call call) {
        Set<Long> printers = call.set("printers"), set = call.set("jobs");
        return service.model.jobs.values().stream().filter(job -> job.accountId == call.account.id
            && (printers == null || printers.contains(job.printer.id)) && (set == null || set.contains(job.id))).toList();
    }
    Object list(Api.Call call) {
        return call.page(chosen(call), job -> Json.map("ticket", Json.map("no", job.id, "since", time(job.created), "until", time(job.expires)),
            "goesTo", Json.map("printer", job.printer.id, "computer", job.printer.computerId),
            "document", Json.map("title", job.said.get("title"), "type", job.said.get("contentType"), "times", job.said.get("qty")),
            "isNow", job.states.get(job.states.size() - 1).state()));
    }
    Object cancel(Api.Call call) {
        List<Long> ids = new ArrayList<>();
        for (Model.Job job : chosen(call)) {
            if (job.delivered || job.ended) continue;
            end(job, "withdrawn", "Nuligita.");
            ids.add(job.id);
        }
        Collections.shuffle(ids);
        return ids;
    }
    Object states(Api.Call call) {
        List<Object> all = new ArrayList<>();
        for (Model.Job job : chosen(call)) {
            List<Object> states = new ArrayList<>();
            for (Model.State state : job.states) states.add(0, Json.map("printJobId", job.id, "state", state.state(), "message", state.message(),
                    "data", Objects.requireNonNullElse(state.data(), Json.map()), "clientVersion", state.clientVersion(), "createTimestamp", time(state.at()),
                    "age", Duration.between(job.states.get(0).at(), state.at()).toMillis(), "stable", STABLE.contains(state.state())));
            all.add(states);
        }
        return all;
    }
    void forgetAccount(long accountId) {
        for (Model.Job job : List.copyOf(service.model.jobs.values())) {
            if (job.accountId != accountId) continue;
            job.ended = true;
            service.model.jobs.remove(job.id);
            service.model.keep(job.id, null);
        }
    }
}
