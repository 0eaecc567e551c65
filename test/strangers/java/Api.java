import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.function.Function;

/** The table of paths, and what stands before it: rates, credentials, Child Accounts, sets, pages. */
final class Api {
    private static final List<String> STRATEGIES = List.of("Id", "Email", "CreatorRef");
    private static final int BURST = 30;
    private static final int PER_SECOND = 10;
    /** One request of an account. */
    static final class Call {
        Http.Request request;
        boolean form;
        Model.Account own, account;
        final Map<String, String> parameters = new HashMap<>(), headers = new LinkedHashMap<>();
        Object body() { return Fields.body(request); }
        Map<String, Object> object(String... rules) { return Fields.read(body(), "korpo", form, rules); }
        /** The ids of a set; null where the path has none of this name. */
        Set<Long> set(String name) {
            String text = parameters.get(name);
            if (text == null) return null;
            if (!text.matches("0*[1-9][0-9]*(,0*[1-9][0-9]*)*")) throw Http.refusal(400, "NotASet", "Ne estas aro de identigiloj.");
            Set<Long> set = new HashSet<>();
            // A number beyond 18 digits is no id of anything here.
            for (String number : text.split(",")) if (number.length() <= 18) set.add(Long.parseLong(number));
            return set;
        }
        long id(String name) {
            if (!parameters.get(name).matches("[0-9]{1,18}")) throw Http.refusal(400, "NotAnId", "Ne estas identigilo.");
            return Long.parseLong(parameters.get(name));
        }
        /** One page of what is in the order of its ids. */
        <T extends Model.Entity> List<Object> page(List<T> ascending, Function<T, Object> show) {
            Map<String, String> query = new HashMap<>();
            for (String[] pair : Fields.pairs(request.query)) if (pair[0] != null && pair[1] != null) query.put(pair[0], pair[1]);
            String limitText = query.getOrDefault("limit", ""), afterText = query.getOrDefault("after", ""), dir = query.getOrDefault("dir", "");
            if (!limitText.matches("|0*[1-9][0-9]{0,9}") || !afterText.matches("|[0-9]{1,18}") || !dir.matches("|asc|desc"))
                throw Http.refusal(400, "NotAPage", "limit, after aŭ dir ne estas legebla.");
            long limit = limitText.isEmpty() ? 100 : Long.parseLong(limitText), after = afterText.isEmpty() ? -1 : Long.parseLong(afterText);
            boolean up = dir.equals("asc");
            List<Object> page = new ArrayList<>();
            int before = 0;
            for (int i = 0; i < ascending.size() && page.size() < limit; i++) {
                T each = ascending.get(up ? i : ascending.size() - 1 - i);
                if (after >= 0 && (up ? each.id <= after : each.id >= after)) before++;
                else page.add(show.apply(each));
            }
            headers.putAll(Map.of("Records-Returned", "" + page.size(), "Records-Returned-Offset", "" + before, "Records-Returned-Limit", "" + limit,
                "Records-Total", "" + ascending.size()));
            return page;
        }
    }
    private record Route(String method, String[] pattern, Function<Call, Object> action) {}
    private final Service service;
    private final List<Route> routes = new ArrayList<>();
    private final Map<Object, double[]> buckets = new HashMap<>();
    Api(Service service) {
        this.service = service;
        Accounts accounts = service.accounts;
        Devices devices = service.devices;
        Jobs jobs = service.jobs;
        route("GET /noop", call -> call.request.id, "GET /whoami", call -> accounts.shown(call.account));
        route("POST /account", accounts::create);
        route("PATCH /account", accounts::change, "DELETE /account", accounts::delete);
        route("GET /account/state", accounts::state, "PUT /account/state", accounts::setState);
        route("GET /account/controllable", accounts::controllable);
        route("GET /account/tag/{name}", accounts::tag);
        route("POST /account/tag/{name}", accounts::setTag, "DELETE /account/tag/{name}", accounts::deleteTag);
        route("GET /account/apikey/{name}", accounts::apiKey);
        route("POST /account/apikey/{name}", accounts::createApiKey, "DELETE /account/apikey/{name}", accounts::deleteApiKey);
        for (String set : List.of("", "/{computers}")) route("GET /computers" + set, devices::computers, "DELETE /computers" + set, devices::delete);
        route("GET /printers/refresh", devices::refresh);
        for (String printers : List.of("", "/computers/{computers}"))
            for (String set : List.of("", "/{printers}")) route("GET " + printers + "/printers" + set, devices::printers);
        route("POST /printjobs", jobs::submit);
        route("GET /printjobs/states", jobs::states, "GET /printjobs/{jobs}/states", jobs::states);
        for (String path : List.of("/printjobs", "/printjobs/{jobs}", "/printers/{printers}/printjobs", "/printers/{printers}/printjobs/{jobs}"))
            route("GET " + path, jobs::list, "DELETE " + path, jobs::cancel);
        route("GET /computer/{computer}/scales", service.scales::list, "GET /computer/{computer}/scales/{name}", service.scales::list);
        route("GET /computer/{computer}/scale/{name}/{number}", service.scales::one);
        route("PUT /scale", service.scales::simulate);
        route("GET /webhooks", service.hooks::list);
        route("POST /webhook", service.hooks::create);
        route("PATCH /webhook/{hook}", service.hooks::change, "DELETE /webhook/{hook}", service.hooks::delete);
        route("GET /client/key/{uuid}", accounts::clientKey);
        route("GET /download/client/{os}", accounts::redirect);
        route("GET /app/download/client/{edition}/{os}", accounts::latest);
        route("GET /download/clients", accounts::listDownloads, "GET /download/clients/{os}", accounts::latest);
        route("GET /download/clients/{downloads}", accounts::listDownloads, "PATCH /download/clients/{downloads}", accounts::changeDownloads);
    }
    private void route(String one, Function<Call, Object> first, String two, Function<Call, Object> second) { route(one, first); route(two, second); }
    private void route(String start, Function<Call, Object> action) {
        String[] parts = start.split(" ");
        routes.add(new Route(parts[0], parts[1].split("/"), action));
    }
    Http.Answer handle(Http.Request request) {
        Map<String, String> headers = new LinkedHashMap<>();
        Http.Answer answer;
        try {
            synchronized (service) {
                service.jobs.expire();
                answer = upgrade(request);
                if (answer == null) answer = admit(request, headers);
            }
        } catch (Http.Answer refused) {
            answer = refused;
        } catch (Fields.Wrong wrong) { answer = Http.refusal(422, "Unfit", wrong.getMessage()); }
        headers.forEach(answer.headers::putIfAbsent);
        return answer;
    }
    private Http.Answer upgrade(Http.Request request) {
        boolean link = request.path.equals("/link");
        Http.Answer answer = link || request.path.equals("/weights") ? WebSocket.handshake(request) : null;
        if (answer == null) return null;
        String offered = request.header("sec-websocket-protocol"), key = link ? basicKey(request) : ScaleSocket.key(offered);
        Model.Account account = service.accounts.byLinkKey(key);
        if (account == null) throw unknown();
        if (!link) { request.upgraded = new ScaleSocket(service, account, key).socket; return answer.with("Sec-WebSocket-Protocol", offered); }
        if (offered == null || !Arrays.asList(offered.split("\\s*,\\s*")).contains(Link.VERSION))
            throw Http.refusal(426, "NoCommonVersion", "Ĉi tie oni parolas " + Link.VERSION + ".").with("Sec-WebSocket-Protocol", Link.VERSION);
        request.upgraded = new Link(service, account, key).socket;
        return answer.with("Sec-WebSocket-Protocol", Link.VERSION);
    }
    static Http.Answer missing() { return Http.refusal(404, "NoSuchThing", "Ne estas tia aĵo."); }
    static Http.Answer suspended() { return Http.refusal(402, "AccountSuspended", "Ĉi tiu konto estas paŭzigita."); }
    private static Http.Answer unknown() {
        return Http.refusal(401, "InvalidCredentials", "La ŝlosilo aŭ la infana konto ne estas konata.").with("WWW-Authenticate", "Basic realm=Api");
    }
    /** The user name of Basic with an empty password; null where there is none. */
    private static String basicKey(Http.Request request) {
        String[] parts = String.valueOf(request.header("authorization")).split(" +");
        if (parts.length != 2 || !parts[0].equalsIgnoreCase("basic")) return null;
        try {
            String pair = new String(Base64.getDecoder().decode(parts[1]), StandardCharsets.UTF_8);
            return pair.endsWith(":") ? pair.substring(0, pair.length() - 1) : null;
        } catch (IllegalArgumentException wrong) { return null; }
    }
    private Http.Answer admit(Http.Request request, Map<String, String> headers) {
        String method = request.method.equals("HEAD") ? "GET" : request.method;
        if (method.equals("OPTIONS")) return new Http.Answer(200, null);
        count("from " + request.address);
        if (request.path.equals("/ping") && method.equals("GET")) return new Http.Answer(200, Json.map("alive", true));
        Call call = new Call();
        call.request = request;
        call.form = Fields.isForm(request);
        call.own = call.account = service.accounts.byApiKey(basicKey(request));
        if (call.own == null) throw unknown();
        for (String strategy : STRATEGIES) child(call, strategy, headers);
        headers.put("X-Auth-With", "ApiKey");
        headers.put("X-Account", "" + call.account.id);
        count(call.account.id);
        if (request.tooLarge) throw Http.refusal(413, "TooLarge", "La korpo havas pli ol 50 MB.");
        if (call.own.suspended) throw suspended();
        return run(call, method, headers);
    }
    private void child(Call call, String strategy, Map<String, String> headers) {
        String value = call.request.header("X-Child-Account-By-" + strategy);
        if (value == null) return;
        Model.Account child = service.accounts.child(call.own, strategy, value);
        if (child == null || call.account != call.own && call.account != child) throw unknown();
        call.account = child;
        headers.put("X-Child-Account-By-" + strategy, "yes");
        headers.put("X-Authorized-As", "" + call.own.id);
    }
    private Http.Answer run(Call call, String method, Map<String, String> headers) {
        String[] path = call.request.path.split("/", -1);
        Set<String> allowed = new TreeSet<>();
        for (Route route : routes) {
            if (!matches(route.pattern, path, call.parameters)) continue;
            allowed.add(route.method);
            if (!route.method.equals(method)) continue;
            Object answer = route.action.apply(call);
            headers.putAll(call.headers);
            return answer instanceof Http.Answer whole ? whole : new Http.Answer(200, answer);
        }
        if (allowed.isEmpty()) throw missing();
        throw Http.refusal(405, "WrongMethod", "La metodo ne konvenas.").with("Allow", String.join(", ", allowed));
    }
    private static boolean matches(String[] pattern, String[] path, Map<String, String> parameters) {
        parameters.clear();
        for (int i = 0; i < path.length && pattern.length == path.length; i++) {
            String segment = Fields.decode(path[i], false), name = pattern[i].replaceAll("[{}]", "");
            if (name.equals(pattern[i]) ? !pattern[i].equals(segment) : segment == null || segment.isEmpty()) return false;
            if (name.equals("os") && !segment.equals("osx") && !segment.equals("windows")) return false;
            if (!name.equals(pattern[i])) parameters.put(name, segment);
        }
        return pattern.length == path.length;
    }
    private void count(Object who) {
        long now = System.currentTimeMillis();
        // Tokens, and when they were counted.
        double[] bucket = buckets.computeIfAbsent(who, key -> new double[] {BURST, now});
        bucket[0] = Math.min(BURST, bucket[0] + Math.max(0, now - bucket[1]) / 1000 * PER_SECOND);
        bucket[1] = now;
        if (bucket[0] < 1) throw Http.refusal(429, "TooManyRequests", "Tro da petoj.").with("Retry-After", "1");
        bucket[0]--;
    }
}
