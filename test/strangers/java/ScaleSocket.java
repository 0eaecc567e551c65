import java.util.*;

/**
 * The websocket for scales, GET /weights: a browser offers its key as a subprotocol, "key." and the key in hexadecimal digits, and gets
 * an array of scale data objects at once and after each reading. It says nothing itself. Every method runs under the lock of the service.
 */
final class ScaleSocket implements WebSocket.Listener {
    private static final int MOST_WAITING_BYTES = 256 << 10;
    private static final int HEARTBEAT_MS = 30_000;
    final WebSocket socket = new WebSocket(1000, this);
    final Model.Account account;
    final String key;
    private final Service service;
    private int ticks;
    ScaleSocket(Service service, Model.Account account, String key) {
        this.service = service;
        this.account = account;
        this.key = key;
        service.scaleSockets.add(this);
        publish(service.scales.current(account, null));
    }
    /** The key in a subprotocol; null where there is none. */
    static String key(String offered) {
        return offered == null || !offered.matches("key\\.([0-9a-f]{2})+") ? null : Fields.utf8(HexFormat.of().parseHex(offered.substring(4)));
    }
    void publish(List<Map<String, Object>> readings) {
        // A browser that slows down misses readings.
        if (socket.waitingBytes < MOST_WAITING_BYTES) socket.send(readings);
    }
    void tick() {
        socket.silentTicks++;
        if (socket.silentTicks * Link.TICK_MS > 2 * HEARTBEAT_MS) socket.cut();
        else if (++ticks % (HEARTBEAT_MS / Link.TICK_MS) == 0) socket.ping();
    }
    @Override public void message(String text) { socket.close(4400, "nenio estas dirinda ĉi tie"); }
    @Override public void ended() {
        synchronized (service) { service.scaleSockets.remove(this); }
    }
}
