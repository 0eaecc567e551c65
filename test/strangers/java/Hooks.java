import java.net.URI;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.time.*;
import java.util.*;

/** Webhooks: their settings, and the queue of events of each target. */
final class Hooks {
    private static final Map<String, String> SPELT = Map.of("computer state", "computer.changed", "print job state", "printjob.changed");
    private static final int MOST_HOOKS = 5;
    private static final long PAUSE_MS = 5000;
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private record Event(String json, Model.Hook hook, boolean retried) {}
    /** A URL with a secret, in one account. */
    private static final class Target {
        String url, secret;
        List<Event> queue = new ArrayList<>();
        boolean busy;
        long notBeforeMs;
    }
    private final Service service;
    private final Map<List<Object>, Target> targets = new HashMap<>();
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    Hooks(Service service) { this.service = service; }
    void emit(Model.Account account, String type, Map<String, Object> data) {
        String event = Json.show(Json.map("type", type, "accountId", account.id, "controllingAccountId",
            Objects.requireNonNullElse(account.parent, account.id), "createdAt", Jobs.time(Instant.now()), "data", data));
        for (Model.Hook hook : account.hooks) {
            if (!hook.messages.contains("*") && !hook.messages.contains(SPELT.get(type))) continue;
            hook.received.add();
            Target target = targets.computeIfAbsent(List.of(account.id, hook.url, hook.secret), key -> new Target());
            target.url = hook.url;
            target.secret = hook.secret;
            target.queue.add(new Event(event, hook, false));
        }
        pump();
    }
    private static HttpRequest.Builder request(String url, String secret) {
        return HttpRequest.newBuilder(URI.create(url)).timeout(PATIENCE).header("authorization", "Bearer " + secret).header("content-type", "application/json");
    }
    /** Sends what is due. */
    void pump() {
        for (Target target : targets.values()) {
            if (target.busy || target.queue.isEmpty() || System.currentTimeMillis() < target.notBeforeMs) continue;
            List<Event> events = target.queue;
            target.queue = new ArrayList<>();
            target.busy = true;
            byte[] body = ("[" + String.join(",", events.stream().map(Event::json).toList()) + "]").getBytes(StandardCharsets.UTF_8);
            HttpRequest request = request(target.url, target.secret).POST(HttpRequest.BodyPublishers.ofByteArray(body)).build();
            client.sendAsync(request, HttpResponse.BodyHandlers.discarding()).whenComplete((answer, failure) -> {
                boolean ok = failure == null && answer.statusCode() / 100 == 2
                    && answer.headers().firstValue("X-Service-Webhook-Status").map("OK"::equals).orElse(false);
                synchronized (service) { done(target, events, ok); }
            });
        }
    }
    private void done(Target target, List<Event> events, boolean ok) {
        target.busy = false;
        target.notBeforeMs = ok ? 0 : System.currentTimeMillis() + PAUSE_MS;
        for (Model.Hook hook : new LinkedHashSet<>(events.stream().map(Event::hook).toList())) (ok ? hook.succeeded : hook.failed).add();
        List<Event> retries = new ArrayList<>();
        for (Event event : ok ? List.<Event>of() : events) {
            if (event.retried) event.hook.dropped.add();
            else retries.add(new Event(event.json, event.hook, true));
        }
        target.queue.addAll(0, retries);
        pump();
    }
    Object list(Api.Call call) {
        List<Object> all = new ArrayList<>();
        for (Model.Hook hook : call.account.hooks)
            all.add(Json.map("webhookId", hook.id, "url", hook.url, "secret", hook.secret, "messages", new TreeSet<>(hook.messages).descendingSet(),
                "receivedEvents", hook.received.show(), "droppedEvents", hook.dropped.show(),
                "successfulRequests", hook.succeeded.show(), "failedRequests", hook.failed.show()));
        Collections.shuffle(all);
        return all;
    }
    private Object saved(Api.Call call) { service.model.save(call.account); return list(call); }
    Object create(Api.Call call) {
        Model.Hook hook = new Model.Hook();
        read(hook, call.object("url s 1", "secret s", "messages w"));
        if (call.account.hooks.size() >= MOST_HOOKS) throw Http.refusal(409, "Enough", "Konto havas maksimume kvin vokojn.");
        hook.id = service.model.next(Model.Hook.class);
        call.account.hooks.add(hook);
        return saved(call);
    }
    private static void read(Model.Hook hook, Map<String, Object> body) {
        String url = (String) body.getOrDefault("url", hook.url), secret = (String) body.getOrDefault("secret", hook.secret);
        List<String> messages = body.containsKey("messages") ? Fields.words(body, "messages") : hook.messages;
        try {
            request(url, secret);
        } catch (IllegalArgumentException wrong) { throw new Fields.Wrong("url", "uzebla kun ĉi tiu secret"); }
        if (messages.contains("*") && messages.size() > 1) throw new Fields.Wrong("messages", "nur *");
        hook.url = url;
        hook.secret = secret;
        hook.messages = new ArrayList<>(messages);
    }
    private Model.Hook find(Api.Call call) { return call.account.hooks.stream().filter(hook -> hook.id == call.id("hook")).findFirst().orElseThrow(Api::missing); }
    Object change(Api.Call call) {
        Model.Hook hook = find(call);
        Map<String, Object> body = call.object("url s~ 1", "secret s~", "messages w~");
        body.values().removeIf(Objects::isNull);
        read(hook, body);
        return saved(call);
    }
    Object delete(Api.Call call) { call.account.hooks.remove(find(call)); return saved(call); }
}
