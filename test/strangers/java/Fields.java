import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.*;
import java.time.OffsetDateTime;
import java.util.*;

/** What a caller or a computer sends: percent-encoding, bodies, and rules that the fields of an object have to fit. */
final class Fields {
    static final class Wrong extends RuntimeException {
        Wrong(String field, String rule) { super(field + ": devas esti " + rule, null, false, false); }
    }
    static final long MOST_INTEGER = (1L << 53) - 1;
    private static final int MOST_LEVELS = 28;
    private Fields() {}
    /** Null where the bytes are no UTF-8. */
    static String utf8(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException wrong) { return null; }
    }
    /** Percent-encoded UTF-8; null where it is none. */
    static String decode(String text, boolean plusIsSpace) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                if (i + 3 > text.length() || !text.substring(i + 1, i + 3).matches("[0-9a-fA-F]{2}")) return null;
                bytes.write(Integer.parseInt(text.substring(i + 1, i + 3), 16));
                i += 2;
            } else bytes.writeBytes((c == '+' && plusIsSpace ? " " : String.valueOf(c)).getBytes(StandardCharsets.UTF_8));
        }
        return utf8(bytes.toByteArray());
    }
    /** Names and values of a query or form, in order; null stands for what cannot be decoded. */
    static List<String[]> pairs(String text) {
        List<String[]> pairs = new ArrayList<>();
        for (String pair : text.split("&")) {
            String[] parts = pair.split("=", 2);
            if (!pair.isEmpty()) pairs.add(new String[] {decode(parts[0], true), parts.length < 2 ? "" : decode(parts[1], true)});
        }
        return pairs;
    }
    static boolean isForm(Http.Request request) { return mediaType(request).startsWith("application/x-www-form-urlencoded"); }
    private static String mediaType(Http.Request request) { return Objects.requireNonNullElse(request.header("content-type"), "").toLowerCase(Locale.ROOT); }
    /** The body of a request, as JSON or as a form of the same structure. */
    static Object body(Http.Request request) {
        String type = mediaType(request);
        boolean form = isForm(request);
        if (!form && !type.matches("(application/json *(;.*)?)?") || type.contains("charset") && !type.matches(".*charset=\"?utf-8\"?.*")
            || request.header("content-encoding") != null) throw Http.refusal(415, "UnknownMedia", "Nur JSON aŭ formularo, en UTF-8.");
        String text = utf8(request.body);
        if (text == null) throw Http.refusal(400, "InvalidContent", "La korpo ne estas UTF-8.");
        try {
            return form ? form(text) : Json.parse(text, MOST_LEVELS);
        } catch (Json.Wrong wrong) {
            throw Http.refusal(400, "InvalidContent", "La korpo ne estas legebla: " + wrong.getMessage());
        }
    }
    private static Object form(String text) {
        Map<String, Object> root = new LinkedHashMap<>();
        for (String[] pair : pairs(text)) {
            if (pair[0] == null || pair[1] == null || !pair[0].matches("[^\\[]+(\\[[^\\[\\]]*]){0,8}")) throw new Json.Wrong("formularo");
            put(root, List.of(pair[0].replace("]", "").split("\\[", -1)), pair[1]);
        }
        return root;
    }
    @SuppressWarnings("unchecked")
    private static void put(Map<String, Object> map, List<String> path, Object value) {
        String name = path.get(0);
        boolean list = path.size() == 2 && path.get(1).isEmpty();
        if (path.size() == 1) { map.put(name, value); return; }
        Object inner = map.computeIfAbsent(name, key -> list ? new ArrayList<>() : new LinkedHashMap<>());
        if (list ? !(inner instanceof List) : !(inner instanceof Map)) throw new Json.Wrong(name);
        if (list) ((List<Object>) inner).add(value);
        else put((Map<String, Object>) inner, path.subList(1, path.size()), value);
    }
    /**
     * A copy of an object whose fields fit rules of the form "name kind least most". Kinds are s(tring), i(nteger), b(oolean), o(bject),
     * l(ist), w(ords: a list of strings) and t(imestamp); after it stands ? where null is allowed, and ~ where the field may lack too.
     * The values of a form are strings, which are read as what they have to be.
     */
    static Map<String, Object> read(Object value, String where, boolean form, String... rules) {
        if (!(value instanceof Map<?, ?> given)) throw new Wrong(where, "objekto");
        Map<String, Object> map = new LinkedHashMap<>();
        given.forEach((name, each) -> map.put((String) name, each));
        for (String rule : rules) {
            String[] parts = rule.split(" ");
            Object is = map.get(parts[0]);
            if (is == null && (parts[1].endsWith("~") || parts[1].endsWith("?") && map.containsKey(parts[0]))) continue;
            long least = parts.length > 2 ? Long.parseLong(parts[2]) : 0;
            long most = parts.length > 3 ? Long.parseLong(parts[3]) : Integer.MAX_VALUE;
            Object fit = fit(is, parts[1].charAt(0), least, most, form);
            if (fit == null) throw new Wrong(where + "." + parts[0], rule);
            map.put(parts[0], fit);
        }
        return map;
    }
    private static Object fit(Object is, char kind, long least, long most, boolean form) {
        if (form && kind == 'i' && is instanceof String text && text.matches("-?[0-9]{1,16}")) is = Long.valueOf(text);
        if (form && kind == 'b' && is instanceof String text && text.matches("true|false|1|0")) is = text.matches("true|1");
        boolean fits;
        switch (kind) {
            case 's': fits = is instanceof String text && text.length() >= least && text.length() <= most; break;
            case 'i': fits = is instanceof Long number && number >= least && number <= MOST_INTEGER; break;
            case 'b': fits = is instanceof Boolean; break;
            case 'o': fits = is instanceof Map && (most == Integer.MAX_VALUE || Json.write(is).length() <= most); break;
            case 't': fits = is instanceof String text && isTime(text); break;
            default: fits = is instanceof List<?> list && list.size() <= most && (kind == 'l' || list.stream().allMatch(String.class::isInstance));
        }
        return fits ? is : null;
    }
    private static boolean isTime(String text) {
        try {
            return OffsetDateTime.parse(text) != null;
        } catch (java.time.format.DateTimeParseException wrong) { return false; }
    }
    @SuppressWarnings("unchecked")
    static Map<String, Object> inner(Map<String, Object> map, String name) { return (Map<String, Object>) map.get(name); }
    @SuppressWarnings("unchecked")
    static List<String> words(Map<String, Object> map, String name) { return map.get(name) == null ? List.of() : (List<String>) map.get(name); }
}
