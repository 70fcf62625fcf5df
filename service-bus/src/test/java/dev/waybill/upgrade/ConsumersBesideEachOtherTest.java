package dev.waybill.upgrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.Deferrals;
import dev.waybill.inbox.InboxHolds;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SchemaVersion;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
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
 * Consumers of an older build and of this one, on one queue. docs/operations/running.md says how to build the jar of the first
 * edition; any later one is taken too. {@code -Dwaybill.stress.seed} repeats a run's choices.
 */
@ExtendWith(PostgresExtension.class)
@EnabledIfSystemProperty(
        named = "waybill.upgrade.consumer",
        matches = ".+",
        disabledReason = "needs -Dwaybill.upgrade.consumer=…/sample-app.jar of an older build")
class ConsumersBesideEachOtherTest {
    private static final int SESSIONS = 40;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long SEED = Long.getLong("waybill.stress.seed", System.nanoTime());

    private final Random random = new Random(SEED);
    private final String before = System.getProperty("waybill.upgrade.consumer", "");
    private final String now = System.getProperty("java.class.path");
    private final Map<String, Process> processes = new LinkedHashMap<>();
    private final List<String> deferred = new ArrayList<>();

    @TempDir
    private Path directory;

    private TestDatabase database;
    private SchemaName schema;
    private DSLContext dsl;
    private EmbeddedServiceBus bus;
    private ServiceBusSenderClient sender;
    private int sent;

    @BeforeEach
    void start_with_the_older_builds_tables(TestDatabase database) throws Exception {
        System.out.println("Upgrade with seed " + SEED);
        this.database = database;
        schema = new SchemaName(database.schema());
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        bus = EmbeddedServiceBus.builder()
                .faultSeed(SEED)
                .queue(
                        "orders",
                        queue -> queue.requiresSession()
                                .lockDuration(UpgradedConsumer.LOCK)
                                .maxDeliveryCount(2_000))
                .start();
        sender = new ServiceBusClientBuilder()
                .connectionString(bus.connectionString())
                .sender()
                .queueName("orders")
                .buildClient();
        Process migration = process(before, "migration", UpgradedConsumer.MIGRATE);
        assertThat(migration.waitFor()).isZero();
        assertThat(installed()).as("the version of the older build's tables").isLessThan(SchemaVersion.CURRENT);
        dsl.execute("create table " + schema.table("effect")
                + " (n bigint generated always as identity, session text, id text, process bigint)");
        dsl.execute("create table " + schema.table("released") + " (id text primary key)");
    }

    @AfterEach
    void end() {
        processes.values().forEach(Process::destroyForcibly);
        sender.close();
        bus.close();
    }

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void each_effect_happens_once_and_in_order_while_consumers_are_replaced_one_by_one() throws Exception {
        fault(FaultPoint.BEFORE_SETTLE, 0.02, FaultAction.swallow());
        fault(FaultPoint.SETTLED_BEFORE_ACK, 0.01, FaultAction.dropConnection());
        fault(FaultPoint.BEFORE_DELIVER, 0.02, FaultAction.deliverTwice());
        fault(FaultPoint.DELIVERED, 0.01, FaultAction.expireLock());
        start(before, "old-1");
        start(before, "old-2");
        send(10);
        awaitFrom("old-1");
        awaitFrom("old-2");

        send(10);
        Migrations.of(database.dataSource(), schema).apply();
        start(now, "new-1");
        send(10);
        awaitMoreFrom("new-1");
        awaitMoreFrom("old-1");

        kill("old-" + (1 + random.nextInt(2)));
        // As if it had been restarted by whatever supervises it.
        start(before, "old-3");
        send(10);
        awaitMoreFrom("old-3");
        release(deferred.size() / 2);

        kill("new-1");
        start(now, "new-2");
        send(10);
        awaitMoreFrom("new-2");
        leave("old-3");
        kill("old-1");
        kill("old-2");
        start(now, "new-3");
        send(10);
        awaitMoreFrom("new-3");
        bus.faults().clear();

        List<String> rest = List.copyOf(deferred);
        await().atMost(PATIENCE).untilAsserted(() -> {
            // A resume that crosses a deferral may be missed by consumers of the first edition.
            release(rest.size());
            assertThat(dsl.fetchCount(effects())).isGreaterThanOrEqualTo(SESSIONS * sent);
        });
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(bus.inspect("orders").active()).isZero());
        System.out.println(dsl.fetch("select process, count(*) from " + effects() + " group by 1 order by min(n)"));
        assertThat(dsl.fetchCount(effects())).isEqualTo(SESSIONS * sent);
        for (int session = 0; session < SESSIONS; session++) {
            assertThat(inOrder("s" + session)).isEqualTo(expected("s" + session));
        }
        assertThat(bus.inspect("orders").deadLetters()).isZero();
        assertThat(InboxHolds.in(database.dataSource(), schema).list()).isEmpty();
        assertThat(dsl.fetchCount(DSL.table(schema.table("inbox_deferral")))).isZero();
    }

    private List<String> inOrder(String session) {
        return dsl
                .fetch("select id from " + effects() + " where session = {0} order by n", DSL.val(session))
                .getValues(0, String.class)
                .stream()
                .filter(id -> !UpgradedConsumer.isDeferred(id))
                .toList();
    }

    private List<String> expected(String session) {
        var ids = new ArrayList<String>();
        for (int i = 0; i < sent; i++) {
            ids.add(session + "m" + i);
        }
        ids.removeIf(UpgradedConsumer::isDeferred);
        return ids;
    }

    private org.jooq.Table<?> effects() {
        return DSL.table(schema.table("effect"));
    }

    private void release(int count) {
        for (String id : List.copyOf(deferred.subList(0, count))) {
            dsl.transaction(tx -> {
                tx.dsl()
                        .execute(
                                "insert into " + schema.table("released") + " values ({0}) on conflict do nothing",
                                DSL.val(id));
                Deferrals.in(schema).resume(tx.dsl(), UpgradedConsumer.NAME, id);
            });
        }
    }

    private void send(int perSession) {
        for (int i = 0; i < perSession; i++) {
            var messages = new ArrayList<ServiceBusMessage>();
            for (int session = 0; session < SESSIONS; session++) {
                String id = "s" + session + "m" + sent;
                messages.add(new ServiceBusMessage("x").setMessageId(id).setSessionId("s" + session));
                if (UpgradedConsumer.isDeferred(id)) {
                    deferred.add(id);
                }
            }
            sender.sendMessages(messages);
            sent++;
        }
    }

    private void fault(FaultPoint point, double probability, FaultAction action) {
        bus.faults()
                .at(point)
                .entity("orders")
                .probability(probability)
                .times(30)
                .then(action);
    }

    private int installed() {
        return dsl.fetchSingle("select max(version::int) from " + schema.table("waybill_migration") + " where success")
                .get(0, Integer.class);
    }

    private Process process(String build, String name, String broker) throws IOException {
        return UpgradedConsumer.start(
                build, directory.resolve(name), List.of(database.server().jdbcUrl(), schema.value(), broker));
    }

    private void start(String build, String name) throws IOException {
        processes.put(name, process(build, name, bus.connectionString()));
    }

    private void kill(String name) throws InterruptedException {
        processes.get(name).destroyForcibly().waitFor();
        bus.expireLocks("orders");
    }

    private void leave(String name) throws Exception {
        processes.get(name).getOutputStream().close();
        assertThat(processes.get(name).waitFor(1, TimeUnit.MINUTES)).isTrue();
    }

    private void awaitFrom(String name) {
        await(name)
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(count(name))
                        .as(Files.readString(directory.resolve(name)))
                        .isPositive());
    }

    // New traffic until it has its share.
    private void awaitMoreFrom(String name) {
        int known = count(name);
        await(name).atMost(PATIENCE).until(() -> {
            send(1);
            return count(name) > known;
        });
    }

    private int count(String name) {
        return dsl.fetchCount(
                effects(),
                DSL.condition("process = {0}", DSL.val(processes.get(name).pid())));
    }
}
