import java.io.*;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.*;

/** The server's end of RFC 6455. Frames are written by a thread of their own: whoever sends never waits for the peer. */
final class WebSocket {
    interface Listener {
        /** A message; null for one that is not text. */
        void message(String text);
        void ended();
    }
    private static final int MOST_WAITING = 2000;
    private final int mostBytes;
    private final Listener listener;
    private final ArrayDeque<byte[]> waiting = new ArrayDeque<>();
    private Socket socket;
    private boolean closing, over;
    long waitingBytes;
    /** Turns of the owner's clock since anything was heard, or could be sent. */
    volatile int silentTicks;
    WebSocket(int mostBytes, Listener listener) { this.mostBytes = mostBytes; this.listener = listener; }
    /** The answer to an upgrade; null where the request asks for none. */
    static Http.Answer handshake(Http.Request request) {
        String key = request.header("sec-websocket-key");
        if (!"GET".equals(request.method) || !"websocket".equalsIgnoreCase(request.header("upgrade")) || key == null) return null;
        if (!"13".equals(request.header("sec-websocket-version")))
            throw Http.refusal(426, "WrongVersion", "Nur versio 13 de WebSocket.").with("Sec-WebSocket-Version", "13");
        byte[] hash = Http.hash("SHA-1", (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.US_ASCII));
        return new Http.Answer(101, null).with("upgrade", "WebSocket").with("connection", "upgrade")
            .with("sec-websocket-accept", Base64.getEncoder().encodeToString(hash));
    }
    void run(Socket socket, InputStream in, OutputStream out) {
        synchronized (this) { this.socket = socket; }
        Service.start(() -> write(out));
        try {
            read(new DataInputStream(in));
        } catch (IOException gone) { /* the listener is told below */ }
        cut();
        listener.ended();
    }
    private void read(DataInputStream in) throws IOException {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        for (int kind = 0; ; ) {
            int first = in.readUnsignedByte(), second = in.readUnsignedByte(), code = first & 15;
            silentTicks = 0;
            boolean end = (first & 128) != 0, control = code >= 8;
            long length = second & 127;
            if (length == 126) length = in.readUnsignedShort();
            else if (length == 127) length = in.readLong();
            if ((first & 112) != 0 || (second & 128) == 0 || code > 2 && code < 8 || code > 10 || control && (!end || length > 125)
                || !control && (code == 0) != (kind != 0)) {
                close(1002, "not a frame");
                return;
            }
            if (length < 0 || !control && message.size() + length > mostBytes) {
                close(1009, "too long");
                // A peer that still writes would not see the close.
                in.transferTo(OutputStream.nullOutputStream());
                return;
            }
            byte[] mask = in.readNBytes(4), bytes = new byte[(int) length];
            in.readFully(bytes);
            for (int i = 0; i < bytes.length; i++) bytes[i] ^= mask[i & 3];
            if (code == 9) send(10, bytes);
            if (code == 8) { close(bytes.length < 2 ? 1000 : (bytes[0] & 255) << 8 | bytes[1] & 255, ""); return; }
            if (control) continue;
            message.write(bytes);
            if (code != 0) kind = code;
            if (!end) continue;
            deliver(kind, message.toByteArray());
            message.reset();
            kind = 0;
        }
    }
    private void deliver(int kind, byte[] bytes) throws IOException {
        synchronized (this) {
            if (closing) return;
            while (waiting.size() > MOST_WAITING && !over) await();
        }
        String text = kind == 2 ? null : Fields.utf8(bytes);
        if (kind == 1 && text == null) close(1007, "not UTF-8");
        else listener.message(text);
    }
    void send(Object message) { send(1, Json.write(message).getBytes(StandardCharsets.UTF_8)); }
    void ping() { send(9, new byte[] {'?'}); }
    synchronized void close(int code, String reason) {
        if (closing) return;
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        ByteBuffer body = ByteBuffer.allocate(2 + Math.min(text.length, 120));
        send(8, body.putShort((short) code).put(text, 0, body.remaining()).array());
        closing = true;
        try {
            socket.setSoTimeout(2000);
        } catch (IOException gone) { cut(); }
    }
    synchronized void cut() {
        over = true;
        notifyAll();
        try {
            // A last close frame may be on its way out.
            for (int turns = 0; turns < 10 && !waiting.isEmpty() && closing; turns++) wait(50);
            if (socket != null) socket.close();
        } catch (IOException | InterruptedException gone) { /* it is closed as well as it can be */ }
    }
    private synchronized void send(int code, byte[] bytes) {
        if (closing || over) return;
        ByteBuffer head = ByteBuffer.allocate(10).put((byte) (128 | code));
        if (bytes.length < 126) head.put((byte) bytes.length);
        else if (bytes.length < 65536) head.put((byte) 126).putShort((short) bytes.length);
        else head.put((byte) 127).putLong(bytes.length);
        byte[] frame = Arrays.copyOf(head.array(), head.position() + bytes.length);
        System.arraycopy(bytes, 0, frame, head.position(), bytes.length);
        waiting.add(frame);
        waitingBytes += frame.length;
        notifyAll();
    }
    private void await() throws IOException {
        try {
            wait(1000);
        } catch (InterruptedException stopped) { throw new IOException(stopped); }
    }
    private void write(OutputStream out) {
        try {
            while (true) {
                byte[] frame;
                synchronized (this) {
                    while (waiting.isEmpty() && !over && !closing) await();
                    if (waiting.isEmpty()) return;
                    frame = waiting.peek();
                }
                // Piece by piece: a connection whose buffer still drains is alive.
                for (int from = 0; from < frame.length; from += 1 << 16) {
                    out.write(frame, from, Math.min(1 << 16, frame.length - from));
                    silentTicks = 0;
                }
                synchronized (this) {
                    waiting.poll();
                    waitingBytes -= frame.length;
                    notifyAll();
                }
            }
        } catch (IOException gone) { cut(); }
    }
}
