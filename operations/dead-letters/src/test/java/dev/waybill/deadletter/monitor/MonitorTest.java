package dev.waybill.deadletter.monitor;

import static dev.waybill.deadletter.StoredLetters.content;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.waybill.deadletter.DeadLetterEntity;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.StoredLetters;
import dev.waybill.deadletter.collect.CollectorReports;
import dev.waybill.deadletter.collect.DeadLetterFixture;
import dev.waybill.deadletter.monitor.AlertSink.Alert.Kind;
import dev.waybill.deadletter.stuck.StuckMessages;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.Cause;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.HoldTable;
import dev.waybill.hold.Holds;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class MonitorTest {
    private final List<AlertSink.Alert> alerts = new ArrayList<>();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private StoredLetters stored;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        stored = new StoredLetters(database);
    }

    @Test
    @Tag("long")
    void depth_is_told_once_in_a_quiet_time_and_again_after_it() {
        stored.add("m1", "x");
        var monitor = monitor(alerts::add);

        monitor.check();
        monitor.check();
        assertThat(alerts).extracting(AlertSink.Alert::kind).containsExactly(Kind.DEPTH);

        now = now.plus(Duration.ofHours(1));
        monitor.check();
        assertThat(alerts).extracting(AlertSink.Alert::kind).containsExactly(Kind.DEPTH, Kind.DEPTH);
    }

    /** It would wait for itself, and be interrupted in what it has still to tell. */
    @Test
    void a_sink_that_closes_its_monitor_gets_on_and_the_monitor_ends() throws Exception {
        stored.add("m1", "x");
        var closing = new CompletableFuture<AutoCloseable>();
        var interrupted = new CompletableFuture<Boolean>();
        var monitor = monitor(alert -> {
            try {
                closing.join().close();
                interrupted.complete(Thread.currentThread().isInterrupted());
            } catch (Exception e) {
                interrupted.completeExceptionally(e);
            }
        });

        closing.complete(monitor.start(Duration.ofMillis(1)));

        assertThat(interrupted.get(5, TimeUnit.SECONDS)).isFalse();
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("waybill-dead-letter-monitor")));
    }

    /** An hour that nobody is told of would be as long as the clock was wrong. */
    @Test
    void a_clock_that_was_set_back_silences_no_alert_for_as_long() {
        stored.add("m1", "x");
        var monitor = monitor(alerts::add);
        monitor.check();

        now = now.minus(Duration.ofDays(1));
        monitor.check();
        monitor.check();

        assertThat(alerts).extracting(AlertSink.Alert::kind).containsExactly(Kind.DEPTH, Kind.DEPTH);
    }

    @Test
    void age_and_the_rate_of_arrival_are_told() {
        stored.add("m1", "x");
        stored.execute("update $schema.dead_letter_message set collected_at = clock_timestamp() - interval '2 days'");
        for (int i = 0; i < 10; i++) {
            stored.add("orders", "Flood", content("f" + i, "x"));
        }

        monitor(alerts::add).check();

        assertThat(alerts)
                .extracting(AlertSink.Alert::kind, AlertSink.Alert::reason)
                .contains(tuple(Kind.AGE, "BadException"), tuple(Kind.ARRIVALS, "Flood"));
    }

    @Test
    void an_entity_whose_dead_letters_nobody_collects_is_told() {
        var entities = new CollectorReports(stored.dsl, stored.schema);
        entities.alive(DeadLetterEntity.queue("orders"), Duration.ofMinutes(1));
        entities.alive(DeadLetterEntity.subscription("events", "audit"), Duration.ofMillis(-1));
        stored.dsl.execute(
                "insert into " + stored.schema.table("outbox_destination")
                        + " (destination) select d from unnest({0}) as d",
                DSL.val(new String[] {"orders", "events", "forgotten"}));

        monitor(alerts::add).check();

        assertThat(alerts)
                .extracting(AlertSink.Alert::kind, AlertSink.Alert::entity)
                .containsExactly(
                        tuple(Kind.UNCOLLECTED, "events/Subscriptions/audit/$DeadLetterQueue"),
                        tuple(Kind.UNCOLLECTED, "forgotten"));
    }

    @Test
    @Tag("long")
    void an_entity_that_is_watched_is_looked_at_where_nobody_collects(TestDatabase database) {
        try (var fixture = new DeadLetterFixture(database, bus -> bus.queue("orders", queue -> queue))) {
            fixture.bury("orders", "r", DeadLetterFixture.message("m1", "x"));

            DeadLetterMonitor.of(
                            stored.database.dataSource(),
                            stored.schema,
                            DeadLetterMonitor.Thresholds.DEFAULT,
                            List.of(alerts::add),
                            List.of(fixture.deadLettersOf("orders")),
                            () -> now)
                    .check();

            assertThat(alerts)
                    .singleElement()
                    .returns(Kind.UNCOLLECTED, AlertSink.Alert::kind)
                    .returns(1.0, AlertSink.Alert::value);
            assertThat(fixture.deadLettersIn("orders")).isEqualTo(1);
        }
    }

    @Test
    void a_collector_that_fails_is_told() {
        var entities = new CollectorReports(stored.dsl, stored.schema);
        entities.alive(DeadLetterEntity.queue("orders"), Duration.ofMinutes(1));
        entities.failed(DeadLetterEntity.queue("orders"), new Cause("Unauthorized", "no right to listen"));

        monitor(alerts::add).check();

        assertThat(alerts)
                .singleElement()
                .returns(Kind.FAILING, AlertSink.Alert::kind)
                .satisfies(alert -> assertThat(alert.text()).contains("no right to listen"));
    }

    @Test
    void reasons_of_applications_do_not_fill_a_registry() {
        var gauges = new java.util.TreeMap<String, Double>();
        AlertSink sink = AlertSink.metric(new MetricSink() {
            @Override
            public void gauge(String name, Map<String, String> tags, double value) {
                if (name.equals("waybill.dlq.depth")) {
                    gauges.put(tags.get("reason"), value);
                }
            }

            @Override
            public void count(String name, Map<String, String> tags) {}
        });
        for (int look = 0; look < 3; look++) {
            for (int i = 0; i < 1_000; i++) {
                sink.observed("orders", "no customer " + i, 2, Duration.ofSeconds(i));
            }
        }

        assertThat(gauges).hasSize(MetricAlerts.MOST_REASONS + 1).containsEntry("(others)", 2.0 * 980);

        for (int i = 0; i < 1_000; i++) {
            sink.observed("orders", "no customer " + i, 0, Duration.ZERO);
        }
        assertThat(gauges.values()).containsOnly(0.0);
    }

    @Test
    void a_sink_that_fails_disturbs_no_other() {
        stored.add("m1", "x");

        monitor(
                        alert -> {
                            throw new IllegalStateException("a bug");
                        },
                        AlertSink.log(),
                        alerts::add)
                .check();

        assertThat(alerts).hasSize(1);
    }

    @Test
    void gauges_go_back_to_zero_when_the_last_is_gone() {
        Map<String, Double> gauges = new TreeMap<>();
        stored.add("m1", "x");
        var monitor = monitor(AlertSink.metric(new MetricSink() {
            @Override
            public void gauge(String name, Map<String, String> tags, double value) {
                gauges.put(name + new TreeMap<>(tags), value);
            }

            @Override
            public void count(String name, Map<String, String> tags) {
                gauges.merge(name, 1.0, Double::sum);
            }
        }));

        monitor.check();
        assertThat(gauges)
                .containsEntry("waybill.dlq.depth{entity=orders, reason=BadException}", 1.0)
                .containsEntry("waybill.dlq.alerts", 1.0);
        stored.letters.discard(DeadLetterFilter.open(), new AuditContext("ada", "x"));
        monitor.check();

        assertThat(gauges).containsEntry("waybill.dlq.depth{entity=orders, reason=BadException}", 0.0);
    }

    @Test
    void the_summary_and_alerts_reach_a_webhook() throws Exception {
        var received = new CopyOnWriteArrayList<String>();
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            received.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        try {
            stored.add("m1", "x");
            var monitor = monitor(AlertSink.webhook(
                    URI.create("http://localhost:" + server.getAddress().getPort() + "/")));

            monitor.summarise();

            await().until(() -> received.size() == 1);
            assertThat(received.get(0)).contains("\"kind\":\"SUMMARY\"", "1 dead letters are open", "BadException");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void what_is_held_is_listed_beside_the_dead_letters_and_operated_in_the_same_words(TestDatabase database) {
        stored.add("m1", "x");
        var table = HoldTable.in(stored.schema, HoldSide.OUTBOX);
        var held = HoldKey.session(HoldSide.OUTBOX, "wallets", "s");
        stored.dsl.transaction(tx -> table.add(
                tx.dsl(),
                table.park(tx.dsl(), held, new Cause("TooLarge", "")),
                new dev.waybill.hold.HeldMessage.Origin(1, now, 0),
                content("w1", "x")));
        var desk = StuckMessages.in(
                database.dataSource(),
                stored.schema,
                Holds.ofInbox(database.dataSource(), stored.schema, (tx, key, message) -> {}));

        assertThat(desk.list())
                .extracting(
                        StuckMessages.Group::where,
                        StuckMessages.Group::scope,
                        StuckMessages.Group::reason,
                        StuckMessages.Group::state,
                        StuckMessages.Group::count)
                .containsExactlyInAnyOrder(
                        tuple(StuckMessages.Group.Where.DEAD_LETTERS, "orders", "BadException", "open", 1L),
                        tuple(StuckMessages.Group.Where.HELD_IN_OUTBOX, "wallets", "TooLarge", "parked", 1L));
        desk.redrive(held, new AuditContext("ada", "fixed"));
        assertThat(desk.list()).extracting(StuckMessages.Group::state).contains("retrying");
    }

    private DeadLetterMonitor monitor(AlertSink... sinks) {
        return DeadLetterMonitor.of(
                stored.database.dataSource(),
                stored.schema,
                DeadLetterMonitor.Thresholds.DEFAULT,
                List.of(sinks),
                List.of(),
                () -> now);
    }
}
