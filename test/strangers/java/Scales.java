import java.time.Instant;
import java.util.*;

/** Readings of scales, for 45 seconds each. */
final class Scales {
    private static final long KEPT_MS = 45_000;
    private final Service service;
    /** The virtual scale of each account: computer 0. */
    private final Map<Long, Map<String, Model.Reading>> virtual = new HashMap<>();
    Scales(Service service) { this.service = service; }
    static Map<String, Object> shown(long computerId, Model.Scale scale, List<?> mass, Map<String, Object> measurement, String time) {
        Map<String, Object> said = scale.said;
        return Json.map("mass", mass, "computerId", computerId, "vendor", Objects.requireNonNullElse(said.get("vendor"), ""),
            "vendorId", said.get("vendorId"), "productId", said.get("productId"), "port", Objects.requireNonNullElse(said.get("port"), ""),
            "deviceName", said.get("deviceName"), "deviceNum", scale.number, "count", null, "measurement", measurement,
            "clientReportedCreateTimestamp", time, "ntpOffset", null);
    }
    void store(Model.Account account, Model.Computer computer, Map<String, Object> shown) {
        Model.Reading reading = new Model.Reading(shown, System.currentTimeMillis());
        Map<String, Model.Reading> readings = computer == null ? virtual.computeIfAbsent(account.id, id -> new LinkedHashMap<>()) : computer.readings;
        readings.put(shown.get("deviceName") + " " + shown.get("deviceNum"), reading);
        for (ScaleSocket socket : List.copyOf(service.scaleSockets)) if (socket.account == account) socket.publish(List.of(withAge(reading)));
    }
    private static Map<String, Object> withAge(Model.Reading reading) {
        Map<String, Object> shown = new LinkedHashMap<>(reading.shown());
        shown.put("ageOfData", Math.max(0, System.currentTimeMillis() - reading.storedAtMs()));
        shown.put("settled", true);
        return shown;
    }
    /** What the account has now of a computer, or of all where that is null. */
    List<Map<String, Object>> current(Model.Account account, Long computerId) {
        List<Map<String, Model.Reading>> sources = new ArrayList<>();
        if (computerId == null || computerId == 0) sources.add(virtual.getOrDefault(account.id, new HashMap<>()));
        for (Model.Computer computer : service.devices.of(account.id)) if (computerId == null || computerId == computer.id) sources.add(computer.readings);
        List<Map<String, Object>> all = new ArrayList<>();
        for (Map<String, Model.Reading> readings : sources) {
            readings.values().removeIf(reading -> System.currentTimeMillis() - reading.storedAtMs() >= KEPT_MS);
            readings.values().forEach(reading -> all.add(withAge(reading)));
        }
        return all;
    }
    Object list(Api.Call call) {
        List<Map<String, Object>> all = current(call.account, call.id("computer"));
        String name = call.parameters.get("name");
        all.removeIf(shown -> name != null && !name.equals(shown.get("deviceName")));
        return all;
    }
    Object one(Api.Call call) {
        long number = call.id("number");
        return current(call.account, call.id("computer")).stream().filter(shown -> shown.get("deviceName").equals(call.parameters.get("name"))
            && (long) shown.get("deviceNum") == number).findFirst().orElseThrow(Api::missing);
    }
    /** One pound and three and a half ounces, to half an ounce: a reading in two parts. */
    Object simulate(Api.Call call) {
        Model.Scale scale = new Model.Scale();
        scale.said = Json.map("deviceName", "Service Test Scale", "vendorId", 0L, "productId", 0L);
        store(call.account, null, shown(0, scale, List.of(552_815_701L, 14_174_762L),
            Json.map("lb", 1_000_000_000L, "oz", 3_500_000_000L), Jobs.time(Instant.now())));
        return null;
    }
}
