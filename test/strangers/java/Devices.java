import java.time.*;
import java.time.format.DateTimeFormatter;
import java.util.*;

/** Computers and their printers, as callers see them. */
final class Devices {
    private static final DateTimeFormatter UTC = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter BASIC = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'").withZone(ZoneOffset.UTC);
    private final Service service;
    Devices(Service service) { this.service = service; }
    private static String state(Model.Computer computer) { return computer.links.isEmpty() ? "disconnected" : "here"; }
    void changed(Model.Computer computer) {
        service.hooks.emit(service.model.accounts.get(computer.accountId), "computer state",
            Json.map("what", Json.map("kind", "computer", "ref", computer.id), "now", state(computer)));
    }
    List<Model.Computer> of(long accountId) { return service.model.computers.values().stream().filter(computer -> computer.accountId == accountId).toList(); }
    private List<Model.Computer> chosen(Api.Call call) {
        Set<Long> set = call.set("computers");
        return of(call.account.id).stream().filter(computer -> set == null || set.contains(computer.id)).toList();
    }
    Object computers(Api.Call call) { return call.page(chosen(call), Devices::shown); }
    private static Object shown(Model.Computer computer) {
        Map<String, Object> client = computer.client;
        return Json.map("id", computer.id, "name", client.get("computerName"), "inet", client.get("inet"), "inet6", client.get("inet6"),
            "hostname", client.get("hostname"), "version", client.get("version"), "jre", null,
            "createTimestamp", UTC.format(computer.created), "state", state(computer), "lines", computer.links.size());
    }
    Object delete(Api.Call call) {
        List<Long> ids = new ArrayList<>();
        for (Model.Computer computer : chosen(call)) { ids.add(computer.id); remove(computer); }
        Collections.shuffle(ids);
        return ids;
    }
    /** Its jobs stay: who was not delivered expires in time. */
    void remove(Model.Computer computer) {
        service.model.computers.remove(computer.id);
        for (Model.Printer printer : computer.printers.values()) service.model.printers.remove(printer.id);
        service.model.keep(computer.id, null);
        for (Link link : List.copyOf(computer.links)) link.end(4404, "la komputilo estas forigita");
    }
    Object printers(Api.Call call) {
        Set<Long> set = call.set("printers");
        List<Model.Printer> printers = new ArrayList<>();
        for (Model.Computer computer : chosen(call)) for (Model.Printer printer : computer.printers.values())
                if (!printer.gone && (set == null || set.contains(printer.id))) printers.add(printer);
        printers.sort(Comparator.comparing(printer -> printer.id));
        return call.page(printers, printer -> Json.map("id", printer.id, "computer", shown(service.model.computers.get(printer.computerId)),
            "name", printer.said.get("name"), "description", printer.said.get("description"), "capabilities", printer.said.get("capabilities"),
            "default", printer.said.get("default"), "createTimestamp", BASIC.format(printer.created),
            "state", Objects.requireNonNullElse(printer.said.get("state"), "unsaid")));
    }
    Object refresh(Api.Call call) {
        for (Model.Computer computer : of(call.account.id)) for (Link link : computer.links) link.socket.send(Json.map("type", "refresh", "why", "petita"));
        return null;
    }
}
