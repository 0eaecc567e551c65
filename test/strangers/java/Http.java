import java.io.*;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.*;
import java.time.*;
import java.time.format.DateTimeFormatter;
import java.util.*;
import java.util.concurrent.ThreadLocalRandom;

/** HTTP/1.1 on a socket: requests are read, answers written; both in the thread of their connection. */
final class Http {
    private static final int MOST_BODY_BYTES = 50 << 20;
    private static final int MOST_HEAD_BYTES = 1 << 16;
    private static final int REQUESTS_PER_CONNECTION = 25;
    /** One request, read to its end. */
    static final class Request {
        String method, path, query, address, id;
        final Map<String, List<String>> headers = new LinkedHashMap<>();
        byte[] body = {};
        boolean tooLarge, last;
        long readAtNanos;
        /** Set by whoever takes the connection over, after a status of 101. */
        WebSocket upgraded;
        String header(String name) {
            List<String> all = headers.get(name.toLowerCase(Locale.ROOT));
            return all == null ? null : String.join(", ", all);
        }
    }
    /** What a request is answered; thrown where it is a refusal. */
    static final class Answer extends RuntimeException {
        final int status;
        Object body;
        final Map<String, String> headers = new LinkedHashMap<>();
        Answer(int status, Object body) {
            super(null, null, false, false);
            this.status = status;
            this.body = body;
        }
        Answer with(String name, Object value) { headers.put(name, String.valueOf(value)); return this; }
    }
    /** The uid is added when the answer is written. */
    static Answer refusal(int status, String code, String message) { return new Answer(status, Json.map("code", code, "message", message)); }
    private static Answer bad() { return refusal(400, "BadHttp", "La peto ne estas HTTP."); }
    static void serve(Socket socket, Api api) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
            OutputStream out = socket.getOutputStream();
            for (int count = 1; ; count++) {
                Request request = new Request();
                request.address = socket.getInetAddress().getHostAddress();
                request.id = "W/\"" + Base64.getEncoder().encodeToString(noise(9)) + "\"";
                Answer answer;
                try {
                    if (!read(in, out, request)) return;
                    request.readAtNanos = System.nanoTime();
                    request.last |= count == REQUESTS_PER_CONNECTION;
                    answer = api.handle(request);
                } catch (Answer refused) {
                    // Where the body of the wrong request ends cannot be told.
                    request.readAtNanos = System.nanoTime();
                    request.last = true;
                    answer = refused;
                }
                write(out, request, answer);
                if (answer.status == 101) request.upgraded.run(socket, in, out);
                if (answer.status == 101 || request.last) return;
            }
        } catch (IOException gone) { /* nobody is left to tell */ }
    }
    static byte[] noise(int count) {
        byte[] bytes = new byte[count];
        ThreadLocalRandom.current().nextBytes(bytes);
        return bytes;
    }
    private static boolean read(InputStream in, OutputStream out, Request request) throws IOException {
        String start = line(in);
        if (start == null) return false;
        String[] parts = start.split(" ");
        if (parts.length != 3 || !parts[2].matches("HTTP/1\\.1") || !parts[0].matches("[A-Za-z!#$%&'*+.^_`|~-]+")) throw bad();
        request.method = parts[0];
        String[] target = parts[1].replaceFirst("^https?://[^/?]*", "").split("\\?", 2);
        request.path = target[0];
        request.query = target.length < 2 ? "" : target[1];
        for (String header = line(in); !"".equals(header); header = line(in)) {
            if (header == null) throw new EOFException();
            String[] pair = header.split(":", 2);
            if (pair.length < 2 || !pair[0].matches("[^\\s]+")) throw bad();
            request.headers.computeIfAbsent(pair[0].toLowerCase(Locale.ROOT), name -> new ArrayList<>()).add(pair[1].strip());
        }
        request.last = String.valueOf(request.header("connection")).equalsIgnoreCase("close");
        body(in, out, request);
        return true;
    }
    private static void body(InputStream in, OutputStream out, Request request) throws IOException {
        String coding = request.header("transfer-encoding"), length = request.header("content-length");
        if (coding == null && length == null) return;
        if (coding != null ? length != null || !coding.equalsIgnoreCase("chunked") : !length.matches("[0-9]{1,15}")) throw bad();
        if (request.header("expect") != null) out.write("HTTP/1.1 100 Go on\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        if (length != null) take(in, Long.parseLong(length), body, request);
        else {
            for (long bytes = -1; bytes != 0; ) {
                String size = String.valueOf(line(in)).split(";", 2)[0].strip();
                if (!size.matches("[0-9a-fA-F]{1,12}")) throw bad();
                bytes = Long.parseLong(size, 16);
                take(in, bytes, body, request);
                if (bytes > 0) line(in);
            }
            for (String trailer = line(in); trailer != null && !trailer.isEmpty(); ) trailer = line(in);
        }
        request.body = body.toByteArray();
    }
    /** Reads all of a body, also what is too much of it: a caller that still writes would not see an answer. */
    private static void take(InputStream in, long bytes, ByteArrayOutputStream body, Request request) throws IOException {
        byte[] buffer = new byte[1 << 16];
        while (bytes > 0) {
            int got = in.read(buffer, 0, (int) Math.min(buffer.length, bytes));
            if (got < 0) throw new EOFException();
            bytes -= got;
            if (body.size() + got > MOST_BODY_BYTES) request.tooLarge = true;
            if (!request.tooLarge) body.write(buffer, 0, got);
        }
    }
    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) return null;
            if (line.append((char) c).length() > MOST_HEAD_BYTES) throw refusal(431, "HeadersTooLarge", "Linio estas tro longa.");
        }
        if (line.length() > 0 && line.charAt(line.length() - 1) == '\r') line.setLength(line.length() - 1);
        return line.toString();
    }
    private static void write(OutputStream out, Request request, Answer answer) throws IOException {
        StringBuilder head = new StringBuilder();
        if ("GET /whoami".equals(request.method + " " + request.path)) head.append("HTTP/1.1 103 Soon\r\nLINK: </noop>; rel=next\r\n\r\n");
        head.append("HTTP/1.1 ").append(answer.status).append(answer.status < 300 ? " Bone" : " ").append("\r\n");
        byte[] body = answer.status == 101 ? new byte[0] : body(request, answer);
        boolean chunked = !"HEAD".equals(request.method) && answer.status != 101;
        if (answer.status != 101) common(request, answer, body);
        if (chunked) answer.with("Transfer-Encoding", "chunked");
        else if (answer.status != 101) answer.with("Content-Length", body.length);
        answer.headers.forEach((name, value) -> head.append(name.toUpperCase(Locale.ROOT)).append(":  ").append(value).append(" \r\n"));
        ByteArrayOutputStream all = new ByteArrayOutputStream(body.length + 1000);
        all.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
        if (!"HEAD".equals(request.method)) pieces(all, body, chunked);
        out.write(all.toByteArray());
    }
    private static byte[] body(Request request, Answer answer) {
        if (answer.status >= 400) {
            Map<String, Object> error = Fields.read(answer.body, "", false);
            error.put("uid", request.id);
            answer.body = error;
        }
        return Json.show(answer.body).getBytes(StandardCharsets.UTF_8);
    }
    private static void common(Request request, Answer answer, byte[] body) {
        double seconds = Math.max(0, System.nanoTime() - request.readAtNanos) / 1e9;
        answer.with("Request-Id", request.id).with("Content-Type", "Application/JSON ; charset=\"UTF-8\"").with("Api-Version", "3.0.0-rc.1+jvm.17")
            .with("Elapsed", String.format(Locale.ROOT, "%.9f", seconds)).with("Response-Time", Math.round(seconds * 1e6) + " us")
            .with("Content-MD5", Base64.getEncoder().encodeToString(hash("MD5", body)))
            .with("Access-Control-Allow-Origin", "*").with("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")
            .with("Access-Control-Allow-Headers", "Authorization, Content-Type, X-Idempotency-Key, X-Pretty, X-Dont-Log, Accept-Version, "
                + "X-Child-Account-By-Id, X-Child-Account-By-Email, X-Child-Account-By-CreatorRef")
            .with("Access-Control-Expose-Headers", "Request-Id, Elapsed, X-Account, Records-Returned, Records-Total")
            .with("Date", DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC)));
        if (request.last) answer.with("Connection", "close");
    }
    private static void pieces(ByteArrayOutputStream all, byte[] body, boolean chunked) {
        if (!chunked) all.writeBytes(body);
        for (int from = 0, size; chunked && from < body.length; from += size) {
            size = Math.min(body.length - from, ThreadLocalRandom.current().nextInt(1, 2000));
            all.writeBytes((String.format("%04X", size) + ";part\r\n").getBytes(StandardCharsets.US_ASCII));
            all.write(body, from, size);
            all.writeBytes(new byte[] {'\r', '\n'});
        }
        if (chunked) all.writeBytes("0\r\nX-Trailer: over\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    }
    static byte[] hash(String name, byte[] bytes) {
        try {
            return MessageDigest.getInstance(name).digest(bytes);
        } catch (NoSuchAlgorithmException missing) { throw new IllegalStateException(missing); }
    }
}
