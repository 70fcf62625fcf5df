package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.schema.SchemaName;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

/** Relays that live and do not move. The messages go on within about a lease, whatever keeps one of them. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = ThreadMode.SEPARATE_THREAD)
class StallTest {
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int SESSIONS = 100;

    private final RecordingPublisher broker = new RecordingPublisher();
    private final List<AutoCloseable> open = new ArrayList<>();
    private TestDatabase database;
    private SchemaName schema;
    private Outbox outbox;
    private DSLContext dsl;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        outbox = Outbox.builder().schema(schema).build();
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
    }

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    @Test
    void relays_with_different_destinations_beside_each_other_publish_everything() {
        relay("one", database.dataSource(), "orders").start();
        relay("two", database.dataSource(), "invoices").start();

        Set<String> ids = append("orders", "o", 200);
        ids.addAll(append("invoices", "i", 200));

        awaitArrived(ids);
    }

    @Test
    void a_rolling_deployment_that_adds_a_destination_stops_neither_the_old_nor_the_new_one() throws Exception {
        var old = relay("old", database.dataSource(), "orders").start();
        awaitArrived(append("orders", "before", 100));
        var replaced = relay("new", database.dataSource(), "orders", "invoices").start();

        Set<String> beside = append("orders", "beside", 200);
        beside.addAll(append("invoices", "first", 200));
        awaitArrived(beside);
        old.close();
        Set<String> after = append("orders", "after", 100);
        after.addAll(append("invoices", "second", 100));

        awaitArrived(after);
        assertThat(replaced).isNotNull();
    }

    @Test
    void a_relay_whose_loop_waits_on_a_silent_flow_loses_its_lanes_to_a_healthy_one() throws Exception {
        var proxy = open(SilentProxy.to(database.server().jdbcUrl()));
        relay("one", loopThrough(proxy), "orders").start();
        relay("two", database.dataSource(), "orders").start();
        awaitArrived(append("orders", "before", 200));

        proxy.silence();

        awaitArrived(append("orders", "after", 200));
        assertInOrder();
    }

    @Test
    void a_relay_whose_flow_goes_silent_while_it_takes_lanes_keeps_them_from_nobody() throws Exception {
        var proxy = open(SilentProxy.to(database.server().jdbcUrl()));
        var taken = new CountDownLatch(1);
        var through = WatchedConnections.of(pool(proxy.url(), "waybill-silent"), new WatchedConnections.Watch() {
            @Override
            public void after(String sql) {
                if (sql.contains("for update of l skip locked") && hasWritten("waybill-silent")) {
                    proxy.silence();
                    taken.countDown();
                }
            }
        });
        relay("one", through, "orders").start();
        assertThat(taken.await(30, TimeUnit.SECONDS)).isTrue();

        relay("two", database.dataSource(), "orders").start();

        awaitArrived(append("orders", "after", 200));
        assertInOrder();
    }

    @Test
    void a_relay_all_of_whose_flows_go_silent_loses_its_lanes_to_a_healthy_one() throws Exception {
        var proxy = open(SilentProxy.to(database.server().jdbcUrl()));
        relay("one", pool(proxy.url(), "waybill-silent"), "orders").start();
        relay("two", database.dataSource(), "orders").start();
        awaitArrived(append("orders", "before", 200));

        proxy.silence();

        awaitArrived(append("orders", "after", 200));
        assertInOrder();
    }

    @Test
    void a_single_relay_comes_back_by_itself_when_its_flows_went_silent() throws Exception {
        var proxy = open(SilentProxy.to(database.server().jdbcUrl()));
        relay("one", pool(proxy.url(), "waybill-silent"), "orders").start();
        awaitArrived(append("orders", "before", 200));

        proxy.silenceOpenFlows();

        awaitArrived(append("orders", "after", 200));
        assertInOrder();
    }

    @Test
    void a_relay_whose_backends_are_stopped_loses_its_lanes_to_a_healthy_one_and_takes_part_again() throws Exception {
        assumeTrue("embedded".equals(database.server().origin()), "signals reach an embedded server's processes alone");
        String name = "waybill-stopped " + schema;
        relay("one", pool(database.server().jdbcUrl(), name), "orders").start();
        relay("two", database.dataSource(), "orders").start();
        awaitArrived(append("orders", "before", 200));
        var pids = dsl.fetch("select pid from pg_stat_activity where application_name = {0}", DSL.inline(name))
                .getValues(0, Integer.class);
        assertThat(pids).isNotEmpty();
        try {
            stopWhileIdle(pids);

            awaitArrived(append("orders", "stopped", 200));
        } finally {
            signal("-CONT", pids);
        }
        awaitArrived(append("orders", "after", 200));
        assertInOrder();
    }

    private boolean hasWritten(String application) {
        return !dsl.fetch(
                        "select from pg_stat_activity where application_name = {0} and backend_xid is not null",
                        DSL.val(application))
                .isEmpty();
    }

    // Stopped within a statement, a process may hold a lock that the whole server waits for.
    private void stopWhileIdle(List<Integer> pids) {
        await().atMost(PATIENCE).until(() -> {
            signal("-STOP", pids);
            boolean idle = dsl.fetch(
                            "select from pg_stat_activity where pid = any({0}) and state <> 'idle'",
                            DSL.val(pids.toArray(Integer[]::new)))
                    .isEmpty();
            if (!idle) {
                signal("-CONT", pids);
            }
            return idle;
        });
    }

    @Test
    void a_publisher_that_throws_while_the_destination_is_probed_stops_nothing_for_good() {
        var failures = new AtomicInteger();
        broker.behave(shipment -> {
            if (failures.incrementAndGet() <= 3) {
                return PublishResult.failed(0, new IllegalStateException("the broker is away"));
            }
            if (failures.get() <= 6) {
                throw new NoClassDefFoundError("planted");
            }
            return PublishResult.accepted(shipment.rows().size());
        });
        relay("one", database.dataSource(), "orders").start();

        awaitArrived(append("orders", "m", 20));
    }

    private Relay relay(String name, DataSource dataSource, String... destinations) {
        var relay = Relay.builder(dataSource)
                .schema(schema)
                .name(name)
                .publisher(broker)
                .leaseDuration(LEASE);
        for (String destination : destinations) {
            relay.destination(destination);
        }
        return open(relay.build());
    }

    private Set<String> append(String destination, String prefix, int count) {
        var ids = new LinkedHashSet<String>();
        for (int i = 0; i < count; i += 10) {
            var messages = IntStream.range(i, i + 10)
                    .mapToObj(n -> OutboxMessage.to(destination)
                            .session("s" + n % SESSIONS)
                            .id(prefix + "-" + n)
                            .text(prefix)
                            .build())
                    .toList();
            messages.forEach(message -> ids.add(message.id()));
            dsl.transaction(tx -> outbox.append(tx.dsl(), messages));
        }
        return ids;
    }

    private void awaitArrived(Set<String> ids) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            var missing = new LinkedHashSet<>(ids);
            broker.arrived().forEach(missing::remove);
            assertThat(missing).isEmpty();
        });
    }

    /** First arrivals of each session; repeats are allowed. */
    private void assertInOrder() {
        var appended = dsl.fetch("select message_id from " + schema.table("outbox_message") + " order by seq")
                .getValues(0, String.class);
        var first = List.copyOf(new LinkedHashSet<>(broker.arrived()));
        for (int s = 0; s < SESSIONS; s++) {
            int session = s;
            var expected =
                    appended.stream().filter(id -> sessionOf(id) == session).toList();
            assertThat(first).containsSubsequence(expected);
        }
    }

    private static int sessionOf(String id) {
        return Integer.parseInt(id.substring(id.indexOf('-') + 1)) % SESSIONS;
    }

    // The threads are the relay's own business; only that a destination's bears its name is relied on.
    private DataSource loopThrough(SilentProxy proxy) {
        var through = pool(proxy.url(), "waybill-loop");
        var direct = pool(database.server().jdbcUrl(), "waybill-beside");
        return (DataSource) Proxy.newProxyInstance(
                StallTest.class.getClassLoader(), new Class<?>[] {DataSource.class}, (self, method, arguments) -> {
                    boolean loop = Thread.currentThread().getName().contains("orders");
                    try {
                        return method.invoke(loop ? through : direct, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private HikariDataSource pool(String url, String applicationName) {
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(8);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(2_000);
        config.setValidationTimeout(500);
        config.addDataSourceProperty("ApplicationName", applicationName);
        return open(new HikariDataSource(config));
    }

    private static void signal(String signal, List<Integer> pids) throws Exception {
        var command = new ArrayList<>(List.of("kill", signal));
        pids.forEach(pid -> command.add(pid.toString()));
        new ProcessBuilder(command).start().waitFor();
    }

    private <T extends AutoCloseable> T open(T resource) {
        open.add(resource);
        return resource;
    }
}
