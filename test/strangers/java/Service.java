import java.io.*;
import java.net.*;
import java.util.*;

/** A remote printing service. Its monitor is the one lock over everything that it knows. */
final class Service {
    final Set<Link> links = new LinkedHashSet<>();
    final Set<ScaleSocket> scaleSockets = new LinkedHashSet<>();
    final Model model;
    final Hooks hooks = new Hooks(this);
    final Devices devices = new Devices(this);
    final Scales scales = new Scales(this);
    final Jobs jobs;
    final Accounts accounts;
    private Service(File folder) throws IOException {
        model = new Model(new File(folder, "journal"));
        jobs = new Jobs(this);
        accounts = new Accounts(this);
    }
    /** Ends every connection whose key is no longer good. */
    void revoke() {
        for (Link link : List.copyOf(links)) if (accounts.byLinkKey(link.key) != link.account) link.end(4401, "la ŝlosilo ne plu validas");
        for (ScaleSocket each : List.copyOf(scaleSockets)) if (accounts.byLinkKey(each.key) != each.account) each.socket.close(4401, "");
    }
    private synchronized void tick() {
        jobs.expire();
        hooks.pump();
        for (Link link : List.copyOf(links)) link.tick();
        for (ScaleSocket socket : List.copyOf(scaleSockets)) socket.tick();
    }
    private synchronized void goodbye() {
        for (Link link : List.copyOf(links)) link.end(1001, "la servo finiĝas");
        for (ScaleSocket each : List.copyOf(scaleSockets)) each.socket.close(1001, "la servo finiĝas");
    }
    static void start(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
    }
    private void watch() {
        try {
            for (; ; Thread.sleep(Link.TICK_MS)) tick();
        } catch (InterruptedException stopped) { /* the service ends */ }
    }
    public static void main(String[] arguments) throws IOException {
        Map<String, String> environment = System.getenv();
        Service service = new Service(new File(environment.getOrDefault("DATA_DIR", ".")));
        service.accounts.first(environment.getOrDefault("API_KEY", "test-key"), "Unua", true);
        service.accounts.first(environment.getOrDefault("SECOND_KEY", "other-key"), "Dua", false);
        Api api = new Api(service);
        Runtime.getRuntime().addShutdownHook(new Thread(service::goodbye));
        start(service::watch);
        try (ServerSocket server = new ServerSocket(Integer.parseInt(environment.getOrDefault("PORT", "0")), 1000, InetAddress.getByName("127.0.0.1"))) {
            System.out.println("Aŭskultas ĉe http://127.0.0.1:" + server.getLocalPort());
            while (true) {
                Socket socket = server.accept();
                start(() -> Http.serve(socket, api));
            }
        }
    }
}
