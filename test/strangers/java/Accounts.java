import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.stream.Collectors;

/** Accounts with their keys, tags and client downloads. */
final class Accounts {
    private static final List<Map<String, Object>> BUILDS = List.of(build(33, "windows", "4.10.0"), build(35, "osx", "4.10.0"),
        build(22, "windows", "4.9.2"), build(29, "osx", "4.9.2"), build(36, "windows", "4.2.11"), build(31, "osx", "4.2.11"));
    private static final String[] ACCOUNT = {"firstname s 1", "lastname s 1", "email s 1", "password s", "creatorRef s~"};
    private static final String[] CHANGES = {"firstname s~ 1", "lastname s~ 1", "email s~ 1", "password s~", "creatorRef s~"};
    private final Service service;
    private final Map<String, Model.Account> byKey = new HashMap<>(), byClientKey = new HashMap<>();
    Accounts(Service service) {
        this.service = service;
        for (Model.Account account : service.model.accounts.values()) {
            for (String key : account.keys.values()) byKey.put(key, account);
            for (String key : account.clientKeys.keySet()) byClientKey.put(key, account);
        }
    }
    Model.Account byApiKey(String key) { return byKey.get(key); }
    /** The account of a key that may open the link; null where none may. */
    Model.Account byLinkKey(String key) {
        Model.Account account = byKey.getOrDefault(key, byClientKey.get(key));
        return account == null || account.suspended ? null : account;
    }
    /** An account that the service begins with, if it does not have it yet. */
    void first(String key, String name, boolean integrator) {
        if (byKey.containsKey(key)) return;
        Model.Account account = new Model.Account();
        account.integrator = integrator;
        change(account, Json.map("firstname", name, "lastname", "-", "email", name + "@example.org"));
        add(account, "unua", key);
    }
    private void add(Model.Account account, String name, String key) {
        if (account.id == 0) account.id = service.model.next(Model.Account.class);
        service.model.accounts.put(account.id, account);
        if (name != null) account.keys.put(name, key);
        if (name != null) byKey.put(key, account);
        service.model.save(account);
    }
    private static String token(int bytes) { return Base64.getEncoder().encodeToString(Http.noise(bytes)); }
    private static Map<String, Object> build(long serial, String os, String number) { return Json.map("serial", serial, "for", os, "number", number); }
    private static int bytes(Object text) { return ((String) text).getBytes(StandardCharsets.UTF_8).length; }
    Model.Account child(Model.Account parent, String strategy, String value) {
        String utf8 = new String(value.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        for (Model.Account account : children(parent)) {
            String is = strategy.equals("Id") ? String.valueOf(account.id) : (String) account.said.get(strategy.equals("Email") ? "email" : "creatorRef");
            if (value.equals(is) || utf8.equals(is)) return account;
        }
        return null;
    }
    private List<Model.Account> children(Model.Account account) {
        return service.model.accounts.values().stream().filter(each -> Objects.equals(each.parent, account.id)).toList();
    }

    Map<String, Object> shown(Model.Account account) {
        List<Model.Computer> computers = service.devices.of(account.id), connected = computers.stream().filter(each -> !each.links.isEmpty()).toList();
        return Json.map("id", account.id, "firstname", account.said.get("firstname"), "lastname", account.said.get("lastname"), "email", account.said.get("email"),
            "canCreateSubAccounts", account.integrator, "creatorEmail", account.parent == null ? null : service.model.accounts.get(account.parent).said.get("email"),
            "creatorRef", account.said.get("creatorRef"), "childAccounts", children(account).stream().map(child -> List.of(child.id, child.said.get("email"))).toList(),
            "credits", -1, "numComputers", computers.size(), "totalPrints", account.prints, "permissions", List.of(), "moon", "plena",
            "versions", connected.stream().map(each -> Json.map("computer", each.id, "version", each.client.get("version"))).toList(),
            "connected", connected.stream().map(each -> Json.map("computer", each.id)).toList(),
            "Tags", account.tags.entrySet().stream().map(tag -> List.of(tag.getKey(), tag.getValue())).toList(),
            "state", account.suspended ? "suspended" : "active");
    }
    /** Takes over what is there. */
    private void change(Model.Account account, Map<String, Object> body) {
        Object ref = body.get("creatorRef");
        if (body.get("password") != null && bytes(body.get("password")) < 8) throw new Fields.Wrong("password", "almenaŭ 8 bajtoj");
        for (Model.Account other : service.model.accounts.values())
            if (ref != null && other != account && ref.equals(other.said.get("creatorRef")) && Objects.equals(other.parent, account.parent))
                throw Http.refusal(409, "RefTaken", "La referenco jam apartenas al alia konto.");
        for (String name : List.of("firstname", "lastname", "email")) if (body.get(name) != null) account.said.put(name, body.get(name));
        if (body.containsKey("creatorRef")) account.said.put("creatorRef", ref);
    }
    Object create(Api.Call call) {
        if (!call.account.integrator) throw Http.refusal(403, "NotAllowed", "Nur integrator-konto havas infanajn kontojn.");
        Map<String, Object> body = call.object("Account o", "ApiKeys w~ 0 10");
        Model.Account account = new Model.Account();
        account.parent = call.account.id;
        Map<String, Object> fields = Fields.read(body.get("Account"), "Account", call.form, ACCOUNT);
        Collection<String> names = new LinkedHashSet<>(Fields.words(body, "ApiKeys"));
        if (names.stream().anyMatch(name -> bytes(name) < 1 || bytes(name) > 16)) throw new Fields.Wrong("ApiKeys", "nomoj de 1 ĝis 16 bajtoj");
        if (body.get("Tags") != null && !List.of().equals(body.get("Tags")))
            Fields.read(body.get("Tags"), "Tags", false).forEach((name, value) -> tag(account, name, value));
        if (account.tags.values().stream().anyMatch(value -> bytes(value) > 1024)) throw new Fields.Wrong("Tags", "valoroj de 1024 bajtoj");
        change(account, fields);
        add(account, null, null);
        for (String name : names) add(account, name, token(24));
        return new Http.Answer(201, Json.map("whole", shown(account), "keyring", account.keys.entrySet().stream().map(key -> key(key.getKey(), key.getValue())).toList()));
    }
    Object change(Api.Call call) { change(call.account, call.object(CHANGES)); return saved(call, shown(call.account)); }
    private Object saved(Api.Call call, Object answer) { service.model.save(call.account); return answer; }
    private void needsChild(Api.Call call) { if (call.account == call.own) throw Http.refusal(403, "NotAllowed", "Kaplinio devas nomi infanan konton."); }
    Object delete(Api.Call call) {
        needsChild(call);
        Model.Account account = call.account;
        service.model.accounts.remove(account.id);
        byKey.values().removeIf(each -> each == account);
        byClientKey.values().removeIf(each -> each == account);
        service.revoke();
        service.devices.of(account.id).forEach(service.devices::remove);
        service.jobs.forgetAccount(account.id);
        service.model.keep(account.id, null);
        return null;
    }
    Object state(Api.Call call) { return call.account.suspended ? "suspended" : "active"; }
    Object setState(Api.Call call) {
        needsChild(call);
        Object body = call.body();
        if (!"active".equals(body) && !"suspended".equals(body)) throw new Fields.Wrong("korpo", "\"active\" aŭ \"suspended\"");
        call.account.suspended = body.equals("suspended");
        service.revoke();
        return saved(call, null);
    }
    /** Emails by id. */
    Object controllable(Api.Call call) { return children(call.account).stream().collect(Collectors.toMap(child -> "" + child.id, child -> child.said.get("email"))); }
    private static void tag(Model.Account account, String name, Object value) {
        if (!name.matches("[A-Za-z0-9._-]{1,64}")) throw new Fields.Wrong("nomo", "1 ĝis 64 el literoj, ciferoj, punkto, streko, substreko");
        account.tags.put(name, (String) Fields.read(Json.map("value", value), "tag", false, "value s 0 1024").get("value"));
    }
    private static <T> T found(T value) {
        if (value == null) throw Api.missing();
        return value;
    }
    Object tag(Api.Call call) { return List.of(found(call.account.tags.get(call.parameters.get("name")))); }
    Object setTag(Api.Call call) {
        Object body = call.body();
        tag(call.account, call.parameters.get("name"), body instanceof Map<?, ?> map ? map.get("value") : body);
        return saved(call, null);
    }
    Object deleteTag(Api.Call call) { found(call.account.tags.remove(call.parameters.get("name"))); return saved(call, null); }
    private static Object key(String name, String key) { return Json.map("label", name, "token", found(key)); }
    Object apiKey(Api.Call call) { return key(call.parameters.get("name"), call.account.keys.get(call.parameters.get("name"))); }
    Object createApiKey(Api.Call call) {
        boolean fresh = !call.account.keys.containsKey(call.parameters.get("name"));
        if (fresh) add(call.account, call.parameters.get("name"), token(24));
        return new Http.Answer(fresh ? 201 : 200, apiKey(call));
    }
    Object deleteApiKey(Api.Call call) {
        String key = found(call.account.keys.get(call.parameters.get("name")));
        if (call.account == call.own && call.account.keys.size() == 1) throw Http.refusal(409, "LastKey", "Ĝi estas la lasta ŝlosilo.");
        call.account.keys.remove(call.parameters.get("name"));
        byKey.remove(key);
        service.revoke();
        return saved(call, null);
    }
    /** Another one each time: all of them stay good. */
    Object clientKey(Api.Call call) {
        String uuid = call.parameters.get("uuid"), key = "c." + token(33) + "=";
        if (!uuid.matches("(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")) throw new Fields.Wrong("uuid", "UUID");
        call.account.clientKeys.put(key, uuid);
        byClientKey.put(key, call.account);
        service.model.save(call.account);
        return Json.map("clientKey", key);
    }
    private static boolean enabled(Model.Account account, Map<String, Object> build) { return account.downloads.getOrDefault(build.get("serial"), true); }
    private static Map<String, Object> download(Model.Account account, Map<String, Object> build) {
        return Json.map("build", build, "os", build.get("for"), "version", build.get("number"), "enabled", enabled(account, build));
    }
    /** The builds of the set, or all. */
    private List<Map<String, Object>> downloads(Api.Call call) {
        Set<Long> set = call.set("downloads");
        return BUILDS.stream().filter(build -> set == null || set.contains(build.get("serial"))).toList();
    }
    Object listDownloads(Api.Call call) { return downloads(call).stream().map(build -> download(call.account, build)).toList(); }
    Object changeDownloads(Api.Call call) {
        Boolean enabled = (Boolean) call.object("enabled b").get("enabled");
        for (Map<String, Object> build : downloads(call)) call.account.downloads.put((Long) build.get("serial"), enabled);
        return saved(call, listDownloads(call));
    }
    /** BUILDS begins with the highest version. */
    Object latest(Api.Call call) {
        return BUILDS.stream().filter(build -> build.get("for").equals(call.parameters.get("os")) && enabled(call.account, build))
            .map(build -> download(call.account, build)).findFirst().orElseThrow(Api::missing);
    }
    /** Sends to the generic address, which any edition has. */
    Object redirect(Api.Call call) {
        latest(call);
        return new Http.Answer(307, null).with("Location", "/app/download/client/norma/" + call.parameters.get("os"));
    }
}
