import java.io.*;
import java.time.Instant;
import java.util.*;

/** What the service knows, and the journal that keeps it: each change appends the whole of what changed. */
final class Model {
    /** What is kept under an id. */
    static class Entity implements Serializable {
        long id;
    }
    static final class Account extends Entity {
        Long parent;
        boolean integrator, suspended;
        /** Names, email and creatorRef. */
        final Map<String, Object> said = new LinkedHashMap<>();
        long prints;
        final Map<String, String> keys = new LinkedHashMap<>(), clientKeys = new LinkedHashMap<>(), tags = new LinkedHashMap<>();
        final Map<Long, Boolean> downloads = new HashMap<>();
        final List<Hook> hooks = new ArrayList<>();
    }
    static final class Hook extends Entity {
        String url, secret;
        List<String> messages;
        final Decaying received = new Decaying(), dropped = new Decaying(), succeeded = new Decaying(), failed = new Decaying();
    }
    /** A count, and four that decay with time. */
    static final class Decaying implements Serializable {
        private static final Map<String, Integer> SCALES_SECONDS = Map.of("exp7d", 604800, "exp1d", 86400, "exp1h", 3600, "exp5m", 300);
        private long count, atMs;
        private final Map<String, Double> values = new HashMap<>();
        private void decay() {
            double seconds = Math.max(0, System.currentTimeMillis() - atMs) / 1000.0;
            SCALES_SECONDS.forEach((name, scale) -> values.merge(name, 0.0, (old, none) -> old * Math.exp(-seconds / scale)));
            atMs = System.currentTimeMillis();
        }
        void add() {
            decay();
            count++;
            values.replaceAll((name, value) -> value + 1);
        }
        Object show() {
            decay();
            Map<String, Object> all = Json.map("counts", Json.map("now", count, "scaleSeconds", null));
            SCALES_SECONDS.forEach((name, scale) -> all.put(name, Json.map("now", values.get(name), "scaleSeconds", scale)));
            return all;
        }
    }
    static final class Computer extends Entity {
        long accountId;
        String installationId;
        Map<String, Object> client;
        final Instant created = Instant.now();
        final Map<String, Printer> printers = new LinkedHashMap<>();
        Map<String, Scale> scales = new LinkedHashMap<>();
        transient Map<String, Reading> readings;
        transient TreeSet<Long> queued;
        transient List<Link> links;
    }
    static final class Printer extends Entity {
        long computerId;
        String key;
        Map<String, Object> said;
        boolean gone;
        final Instant created = Instant.now();
    }
    static final class Scale implements Serializable {
        Map<String, Object> said;
        long number;
    }
    record Reading(Map<String, Object> shown, long storedAtMs) {}
    static final class Job extends Entity {
        long accountId;
        Printer printer;
        String idempotencyKey;
        /** The fields of its submission, but for the content. */
        Map<String, Object> said;
        final Instant created = Instant.now();
        Instant expires;
        boolean delivered, ended;
        final List<State> states = new ArrayList<>();
        transient String content;
    }
    record State(String state, String message, Map<String, Object> data, String clientVersion, String reportId, Instant at) implements Serializable {}
    /** The document of a job, which is written once; or, without a text, the mark that what had the id is gone. */
    static final class Content extends Entity {
        String text;
    }
    final TreeMap<Long, Account> accounts = new TreeMap<>();
    final TreeMap<Long, Computer> computers = new TreeMap<>();
    final TreeMap<Long, Printer> printers = new TreeMap<>();
    final TreeMap<Long, Job> jobs = new TreeMap<>();
    private final Map<Class<?>, Long> lastIds = new HashMap<>(Map.of(Account.class, 17L, Hook.class, 1L << 31,
        Computer.class, 900_000_000_001L, Printer.class, 1L << 33, Job.class, 1L << 52));
    private final OutputStream journal;
    Model(File file) throws IOException {
        Map<Long, Entity> known = new TreeMap<>();
        Map<Long, String> contents = new HashMap<>();
        if (file.exists()) load(file, known, contents);
        for (Entity entity : known.values()) {
            if (entity instanceof Account account) accounts.put(account.id, account);
            else if (entity instanceof Computer computer) adopt(computer);
            else adopt((Job) entity, contents.get(entity.id));
        }
        journal = new FileOutputStream(file, true);
    }
    private void load(File file, Map<Long, Entity> known, Map<Long, String> contents) throws IOException {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(file)))) {
            while (true) {
                byte[] bytes = new byte[in.readInt()];
                in.readFully(bytes);
                Entity entity = (Entity) new ObjectInputStream(new ByteArrayInputStream(bytes)).readObject();
                if (!(entity instanceof Content content)) known.put(entity.id, entity);
                else if (content.text == null) known.remove(content.id);
                else contents.put(content.id, content.text);
                seen(entity);
                if (entity instanceof Account account) account.hooks.forEach(this::seen);
                if (entity instanceof Computer computer) computer.printers.values().forEach(this::seen);
            }
        } catch (EOFException end) { /* the last record may be cut: nobody was told of it */
        } catch (ClassNotFoundException wrong) { throw new IOException(wrong); }
    }
    private void seen(Entity entity) { lastIds.merge(entity.getClass(), entity.id, Math::max); }
    void adopt(Computer computer) {
        computers.put(computer.id, computer);
        computer.readings = new LinkedHashMap<>();
        computer.queued = new TreeSet<>();
        computer.links = new ArrayList<>();
        for (Printer printer : computer.printers.values()) printers.put(printer.id, printer);
    }
    private void adopt(Job job, String content) {
        jobs.put(job.id, job);
        if (!job.ended) job.content = content;
        Computer computer = computers.get(job.printer.computerId);
        if (computer != null && !job.delivered && !job.ended) computer.queued.add(job.id);
    }
    /** Ids are never used again, and never neighbours. */
    long next(Class<?> kind) { return lastIds.merge(kind, 2L + (Http.noise(1)[0] & 7), Long::sum); }
    void save(Entity entity) {
        try {
            ByteArrayOutputStream record = new ByteArrayOutputStream();
            record.writeBytes(new byte[4]);
            new ObjectOutputStream(record).writeObject(entity);
            byte[] bytes = record.toByteArray();
            java.nio.ByteBuffer.wrap(bytes).putInt(bytes.length - 4);
            journal.write(bytes);
        } catch (IOException failed) { throw new UncheckedIOException(failed); }
    }
    void keep(long id, String text) {
        Content content = new Content();
        content.id = id;
        content.text = text;
        save(content);
    }
}
