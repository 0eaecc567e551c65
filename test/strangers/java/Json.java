import java.math.BigDecimal;
import java.util.*;

/** JSON as Map, List, String, Long, BigDecimal, Boolean and null. */
final class Json {
    static final class Wrong extends RuntimeException {
        Wrong(String message) { super(message); }
    }
    private String text;
    private int mostLevels, at;
    static Map<String, Object> map(Object... namesAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) map.put((String) namesAndValues[i], namesAndValues[i + 1]);
        return map;
    }
    static Object parse(String text, int mostLevels) {
        Json json = new Json();
        json.text = text;
        json.mostLevels = mostLevels;
        Object value = json.value(0);
        json.space();
        if (json.at < text.length()) throw json.wrong();
        return value;
    }
    private Wrong wrong() { return new Wrong("JSON, " + at); }
    private void space() { while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++; }
    private char peek() {
        space();
        if (at >= text.length()) throw wrong();
        return text.charAt(at);
    }
    private boolean take(char wanted) {
        if (peek() != wanted) return false;
        at++;
        return true;
    }
    private Object value(int level) {
        if (level > mostLevels) throw new Wrong("pli ol " + mostLevels + " niveloj");
        char first = peek();
        if (first == '"') return string();
        if (first == '{' || first == '[') return container(level, first == '{');
        for (Object word : Arrays.asList(true, false, null)) {
            if (!text.startsWith(String.valueOf(word), at)) continue;
            at += String.valueOf(word).length();
            return word;
        }
        return number();
    }
    private Object container(int level, boolean object) {
        Map<String, Object> map = new LinkedHashMap<>();
        List<Object> list = new ArrayList<>();
        char close = object ? '}' : ']';
        at++;
        if (take(close)) return object ? map : list;
        do {
            if (!object) list.add(value(level + 1));
            else {
                if (peek() != '"') throw wrong();
                String name = string();
                if (!take(':')) throw wrong();
                map.put(name, value(level + 1));
            }
        } while (take(','));
        if (!take(close)) throw wrong();
        return object ? map : list;
    }
    private String string() {
        int start = ++at;
        StringBuilder out = new StringBuilder();
        for (; ; at++) {
            if (at >= text.length() || text.charAt(at) < ' ') throw wrong();
            char c = text.charAt(at);
            if (c != '"' && c != '\\') continue;
            out.append(text, start, at++);
            if (c == '"') return out.toString();
            int simple = at < text.length() ? "\"\\/bfnrt".indexOf(text.charAt(at)) : -1;
            if (simple >= 0) out.append("\"\\/\b\f\n\r\t".charAt(simple));
            else {
                if (at + 5 > text.length() || !text.substring(at, at + 5).matches("u[0-9a-fA-F]{4}")) throw wrong();
                out.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                at += 4;
            }
            start = at + 1;
        }
    }
    private Object number() {
        int start = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) at++;
        String number = text.substring(start, at);
        if (number.length() > 400 || !number.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]{1,6})?")) throw wrong();
        if (number.matches("-?[0-9]{1,18}")) return Long.parseLong(number);
        BigDecimal decimal = new BigDecimal(number);
        double rough = decimal.doubleValue();
        boolean whole = Math.abs(rough) < 9.2e18 && decimal.compareTo(BigDecimal.valueOf((long) rough)) == 0;
        return whole ? (Object) (long) rough : decimal;
    }
    /** Short, in the order of insertion: for the link. */
    static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(out, value, false, "");
        return out.toString();
    }
    /** In the odd way of the API: indented, the last name of the alphabet first, slashes escaped. */
    static String show(Object value) {
        StringBuilder out = new StringBuilder();
        write(out, value, true, "\n");
        return out.append("\n").toString();
    }
    private static void write(StringBuilder out, Object value, boolean odd, String line) {
        String inner = odd ? line + "\t" : "";
        String comma = "";
        if (value instanceof Map<?, ?> map) {
            Map<Object, Object> turned = odd ? new TreeMap<>(Comparator.comparing(Object::toString).reversed()) : new LinkedHashMap<>();
            turned.putAll(map);
            out.append('{');
            for (var entry : turned.entrySet()) {
                quote(out.append(comma).append(inner), entry.getKey().toString(), odd);
                write(out.append(odd ? " : " : ":"), entry.getValue(), odd, inner);
                comma = ",";
            }
            out.append(odd ? line : "").append('}');
        } else if (value instanceof Iterable<?> list) {
            out.append('[');
            for (Object element : list) { write(out.append(comma).append(inner), element, odd, inner); comma = ","; }
            out.append(odd ? line : "").append(']');
        } else if (value instanceof String string) quote(out, string, odd);
        else out.append(value);
    }
    private static void quote(StringBuilder out, String text, boolean odd) {
        out.append('"');
        text.codePoints().forEach(c -> {
            if (c == '"' || c == '\\' || c == '/' && odd) out.append('\\').append((char) c);
            else if (c < ' ' || c >= 0xd800 && c < 0xe000) out.append(String.format("\\u%04x", c));
            else out.appendCodePoint(c);
        });
        out.append('"');
    }
}
