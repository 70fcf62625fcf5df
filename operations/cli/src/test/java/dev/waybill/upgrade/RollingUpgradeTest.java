package dev.waybill.upgrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.schema.SchemaVersion;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.stress.Writer;
import dev.waybill.upgrade.Fleet.Build;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Relays and writers of an older build, upgraded to these while they work. docs/operations/running.md says how to build the jar of the
 * first edition; any later one is taken too. {@code -Dwaybill.stress.seed} repeats a run's choices.
 */
@ExtendWith(PostgresExtension.class)
@EnabledIfSystemProperty(
        named = "waybill.upgrade.jar",
        matches = ".+",
        disabledReason = "needs -Dwaybill.upgrade.jar=…/waybill-relay.jar, the relay of an older build")
class RollingUpgradeTest {
    private static final String DESTINATION = "orders";
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long SEED = Long.getLong("waybill.stress.seed", System.nanoTime());

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final Build before = new Build("old", System.getProperty("waybill.upgrade.jar", ""));
    private final Build now = new Build("new", System.getProperty("java.class.path"));
    private final Map<String, Process> writers = new LinkedHashMap<>();
    private final List<SqlWriter> sqlWriters = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    @TempDir
    private Path directory;

    private TestDatabase database;
    private DSLContext dsl;
    private String truth;
    private int version;
    private EmbeddedServiceBus bus;
    private Arrivals arrivals;
    private OwnershipLog ownership;
    private Fleet fleet;

    @BeforeEach
    void start_with_the_older_builds_tables(TestDatabase database) throws IOException {
        System.out.println("Upgrade with seed " + SEED);
        this.database = database;
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        bus = EmbeddedServiceBus.builder().faultSeed(SEED).start();
        arrivals = Arrivals.at(bus);
        bus.faults().at(FaultPoint.STORED_BEFORE_ACK).probability(0.02).then(FaultAction.dropConnection());
        fleet = new Fleet(directory, database, bus, DESTINATION);
        assertThat(fleet.run(before, "migrate", "up"))
                .satisfies(up -> assertThat(up.exitCode()).as(up.err()).isZero());
        version = installed();
        assertThat(version).as("the version of the older build's tables").isLessThan(SchemaVersion.CURRENT);
        truth = database.schema() + ".truth";
        Writer.createTruth(dsl, truth);
        ownership = OwnershipLog.begin(dsl, database.schema(), stopsOldRelays() ? "outbox_lease" : "outbox_lane");
    }

    @AfterEach
    void end() throws InterruptedException {
        sqlWriters.forEach(SqlWriter::stop);
        writers.values().forEach(Process::destroyForcibly);
        for (Thread thread : threads) {
            thread.join();
        }
        fleet.close();
        bus.close();
    }

    // Version 9 of the tables withdraws the leases of older relays.
    private boolean stopsOldRelays() {
        return version < 9;
    }

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void nothing_is_lost_overtaken_or_owned_twice_when_relays_are_replaced_one_by_one_under_load() throws Exception {
        String first = fleet.start(before);
        String second = fleet.start(before);
        write(before);
        write(before);
        writeBySql();
        writeBySql();
        awaitFrom(first);
        awaitFrom(second);

        boolean luck = random.nextBoolean();
        fleet.kill(luck ? first : second);
        String left = luck ? second : first;
        String again = fleet.start(before);
        awaitFrom(again);
        awaitMore(500);

        migrate();
        long migrated = System.nanoTime();
        if (stopsOldRelays()) {
            ownership.goOn();
        }
        long old = arrivals.from(again) + arrivals.from(left);
        assertThat(fleet.stop(left)).as("its exit code").isBetween(0, 1);
        String third = fleet.start(now);
        awaitFrom(third);
        System.out.printf(
                "%d ms from the end of the migration to the first message of a new relay, %d from old ones meanwhile%n",
                Duration.ofNanos(System.nanoTime() - migrated).toMillis(),
                arrivals.from(again) + arrivals.from(left) - old);
        write(now);
        awaitMore(500);

        String fourth = fleet.start(now);
        awaitFrom(fourth);
        assertThat(fleet.isAlive(again)).as("an old relay beside new ones").isTrue();
        luck = random.nextBoolean();
        fleet.kill(luck ? third : fourth);
        awaitMore(500);
        fleet.kill(again);
        String fifth = fleet.start(now);
        awaitFrom(fifth);

        String back = fleet.start(before);
        await().atMost(PATIENCE).until(() -> fleet.printed(back).contains("newer than the"));
        if (stopsOldRelays()) {
            awaitMore(1_000);
            assertThat(arrivals.from(back))
                    .as("messages of an old relay on new tables")
                    .isZero();
        } else {
            awaitFrom(back);
        }
        assertThat(fleet.stop(back)).as("its exit code").isBetween(0, 1);

        stopWriters();
        int committed = dsl.fetchCount(DSL.table(truth));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(arrivals.count()).isGreaterThanOrEqualTo(committed));
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(pending()).isZero());

        System.out.printf(
                "%d messages committed, %d stored with repeats, by %d relays; %d times a lane was taken; %d appends by SQL"
                        + " refused%n",
                committed,
                arrivals.all().size(),
                arrivals.all().stream().map(Arrivals.Arrival::relay).distinct().count(),
                ownership.claims(),
                sqlWriters.stream().mapToInt(SqlWriter::refused).sum());
        for (String writer : writers.keySet()) {
            System.out.print(writer + ": " + Files.readString(directory.resolve(writer)));
        }
        assertThat(arrivals.first()).isEqualTo(Writer.committedOrder(dsl, truth));
        assertThat(ownership.arrivalsFromOthers(arrivals.all())).isEmpty();
        assertThat(ownership.epochsThatDidNotRise()).isEmpty();
    }

    private void migrate() throws IOException {
        var up = fleet.run(now, "migrate", "up");
        // Version 9 locks what a relay of the first edition may have locked in another order.
        for (int tries = 1; tries < 5 && (up.out() + up.err()).contains("deadlock detected"); tries++) {
            System.out.println("The migration met a relay in a deadlock, was rolled back, and is applied again");
            up = fleet.run(now, "migrate", "up");
        }
        System.out.println(up.out() + up.err());
        assertThat(up.exitCode()).isZero();
        assertThat(installed()).isEqualTo(SchemaVersion.CURRENT);
    }

    private int installed() {
        return dsl.fetchSingle(
                        "select max(version::int) from " + database.schema() + ".waybill_migration where success")
                .get(0, Integer.class);
    }

    private void write(Build build) throws IOException {
        String name = "writer-" + build.name() + writers.size();
        // The other build's own library stands before the tests' classes.
        String classPath = build.equals(before)
                ? String.join(File.pathSeparator, build.classPath(), place(WriterProcess.class), place(Writer.class))
                : build.classPath();
        writers.put(
                name,
                WriterProcess.start(
                        classPath,
                        directory.resolve(name),
                        List.of(
                                database.server().jdbcUrl(),
                                database.schema(),
                                DESTINATION,
                                truth,
                                Long.toString(random.nextLong()),
                                name)));
    }

    private static String place(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation().getPath();
    }

    private void writeBySql() {
        String name = "sql" + sqlWriters.size();
        var writer = new SqlWriter(database.dataSource(), database.schema(), DESTINATION, truth, random.split(), name);
        sqlWriters.add(writer);
        var thread = new Thread(writer, name);
        threads.add(thread);
        thread.start();
    }

    private void stopWriters() throws Exception {
        sqlWriters.forEach(SqlWriter::stop);
        for (Thread thread : threads) {
            thread.join();
        }
        for (String name : writers.keySet()) {
            Process writer = writers.get(name);
            assertThat(writer.isAlive()).as(end(name)).isTrue();
            writer.getOutputStream().close();
            assertThat(writer.waitFor(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    private String end(String writer) throws IOException {
        List<String> lines = Files.readAllLines(directory.resolve(writer));
        return writer + ": " + String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
    }

    private void awaitFrom(String relay) {
        await(relay).atMost(PATIENCE).until(() -> arrivals.from(relay) > 50);
    }

    private void awaitMore(int messages) {
        int enough = arrivals.count() + messages;
        await().atMost(PATIENCE).until(() -> arrivals.count() >= enough);
    }

    private long pending() {
        return dsl.fetchSingle("select coalesce(sum(pending), 0) from " + database.schema() + ".outbox_backlog")
                .get(0, Long.class);
    }
}
