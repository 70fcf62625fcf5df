package dev.waybill.peers;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures outboxes one after the other, each on a PostgreSQL of its own with a publisher that only counts: transactions with an
 * append beside those without, a steady load of 500 messages a second, and a backlog that is drained. Messages of 1 KiB, 500 keys.
 */
public final class Peers {
    private static final int KEYS = 500;
    private static final int BACKLOG = 50_000;
    private static final int RATE = 500;
    private static final int SECONDS = 10;
    private static final byte[] BODY = new byte[1024];

    private final PostgresServer server;
    private final HikariDataSource pool;
    private final Side side;
    private final AtomicLong numbers = new AtomicLong();
    private final Map<String, Long> committedAt = new ConcurrentHashMap<>();
    private final List<Long> waits = new ArrayList<>();
    private final AtomicLong published = new AtomicLong();

    private Peers(PostgresServer server, HikariDataSource pool, Side side) {
        this.server = server;
        this.pool = pool;
        this.side = side;
    }

    public static void main(String[] names) throws Exception {
        System.out.printf(
                "%-10s %14s %14s %10s %10s %14s %14s%n",
                "", "append ratio", "log bytes", "p50 ms", "p99 ms", "server us", "drained/s");
        for (String name : names) {
            for (int round = 0; round < 3; round++) {
                measure(name, round);
            }
        }
    }

    private static void measure(String name, int round) throws Exception {
        try (var server = PostgresServer.embedded(Map.of("wal_level", "logical", "synchronous_commit", "on"));
                var pool = server.newPool(20);
                Side side = side(name, server, pool)) {
            var peers = new Peers(server, pool, side);
            peers.execute("create table business (id bigint primary key, text text)");
            side.start(peers::note);
            peers.steady(2);
            double log = peers.logBytes();
            Steady steady = peers.steady(SECONDS);
            double drained = peers.drain();
            side.close();
            double ratio = peers.appendRatio();
            if (round > 0) {
                System.out.printf(
                        "%-10s %14.2f %14.0f %10.2f %10.2f %14.0f %14.0f%n",
                        name, ratio, log, steady.p50(), steady.p99(), steady.serverMicros(), drained);
            }
        }
    }

    private static Side side(String name, PostgresServer server, HikariDataSource pool) throws SQLException {
        return switch (name) {
            case "waybill" -> new WaybillSide(pool);
            case "poller" -> new PollerSide(pool);
            case "debezium" -> new DebeziumSide(pool, server.jdbcUrl());
            default -> throw new IllegalArgumentException("No such side: " + name + "; there are waybill, poller, debezium");
        };
    }

    private void note(String id) {
        long now = System.nanoTime();
        published.incrementAndGet();
        Long committed = committedAt.remove(id);
        if (committed != null) {
            synchronized (waits) {
                waits.add(now - committed);
            }
        }
    }

    /** Transactions a second with an append, divided by those without; one writer, nothing published meanwhile. */
    private double appendRatio() throws SQLException {
        double with = 0;
        double without = 0;
        for (int i = 0; i < 4; i++) {
            without += rate(false);
            with += rate(true);
        }
        return with / without;
    }

    private double rate(boolean appends) throws SQLException {
        long begun = System.nanoTime();
        int done = 0;
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            while (System.nanoTime() - begun < 1_000_000_000L) {
                write(connection, appends);
                done++;
            }
        }
        return done;
    }

    private String write(Connection connection, boolean appends) throws SQLException {
        long number = numbers.incrementAndGet();
        try (var insert = connection.prepareStatement("insert into business values (?, 'an order')")) {
            insert.setLong(1, number);
            insert.executeUpdate();
        }
        String id = "m" + number;
        if (appends) {
            side.append(connection, id, "key-" + number % KEYS, BODY);
        }
        committedAt.put(id, System.nanoTime());
        connection.commit();
        committedAt.computeIfPresent(id, (same, before) -> appends ? System.nanoTime() : null);
        return id;
    }

    /** Bytes of log that a message costs above its business transaction, deletion and position included. */
    private double logBytes() throws Exception {
        int messages = 2_000;
        long before = position();
        for (int i = 0; i < messages; i++) {
            write(false);
        }
        long between = position();
        for (int i = 0; i < messages; i++) {
            write(true);
        }
        awaitAll();
        TimeUnit.MILLISECONDS.sleep(500);
        return (double) ((position() - between) - (between - before)) / messages;
    }

    private void write(boolean appends) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            write(connection, appends);
        }
        if (appends) {
            side.committed();
        }
    }

    private long position() throws SQLException {
        try (Connection connection = pool.getConnection();
                var row = connection.createStatement().executeQuery("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn")) {
            row.next();
            return row.getLong(1);
        }
    }

    private Steady steady(int seconds) throws Exception {
        awaitAll();
        synchronized (waits) {
            waits.clear();
        }
        double cpu = serverMicros();
        var writers = Executors.newScheduledThreadPool(4);
        int each = RATE / 4;
        var done = new CountDownLatch(4 * each * seconds);
        for (int i = 0; i < 4; i++) {
            writers.scheduleAtFixedRate(() -> writeOne(done), 0, 1_000_000 / each, TimeUnit.MICROSECONDS);
        }
        done.await();
        writers.shutdownNow();
        writers.awaitTermination(10, TimeUnit.SECONDS);
        awaitAll();
        double micros = (serverMicros() - cpu) / (4.0 * each * seconds);
        synchronized (waits) {
            var sorted = waits.stream().sorted().toList();
            return new Steady(
                    sorted.get(sorted.size() / 2) / 1e6, sorted.get(sorted.size() * 99 / 100) / 1e6, micros);
        }
    }

    private void writeOne(CountDownLatch done) {
        if (done.getCount() > 0) {
            try {
                write(true);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
            done.countDown();
        }
    }

    /** Appended at once while the side cannot see it, so that all of it commits in one moment. */
    private double drain() throws Exception {
        long before = published.get();
        long begun;
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            for (int i = 0; i < BACKLOG; i++) {
                long number = numbers.incrementAndGet();
                side.append(connection, "m" + number, "key-" + number % KEYS, BODY);
            }
            connection.commit();
            begun = System.nanoTime();
        }
        side.committed();
        while (published.get() - before < BACKLOG) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        return BACKLOG / ((System.nanoTime() - begun) / 1e9);
    }

    private void awaitAll() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (!committedAt.isEmpty()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(committedAt.size() + " messages were not published");
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.createStatement().execute(sql);
        }
    }

    /** Processor time of the server's processes, those that have ended included, in microseconds; 0 where there is no /proc. */
    private double serverMicros() throws SQLException, IOException {
        long postmaster;
        try (Connection connection = pool.getConnection();
                var row = connection
                        .createStatement()
                        .executeQuery("select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)")) {
            row.next();
            postmaster = row.getLong(1);
        }
        if (!Files.isDirectory(Path.of("/proc/" + postmaster))) {
            return 0;
        }
        double ticks = 0;
        try (var processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                ticks += ticks(process, postmaster);
            }
        }
        return ticks * 10_000;
    }

    private static double ticks(Path process, long postmaster) {
        try {
            String stat = Files.readString(process.resolve("stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            boolean isIt = process.getFileName().toString().equals(Long.toString(postmaster));
            if (!isIt && Long.parseLong(fields[1]) != postmaster) {
                return 0;
            }
            double own = Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
            return isIt ? own + Long.parseLong(fields[13]) + Long.parseLong(fields[14]) : own;
        } catch (IOException e) {
            return 0;
        }
    }

    private record Steady(double p50, double p99, double serverMicros) {}
}
