package dev.waybill.standalone.failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.ConsumerListener;
import dev.waybill.inbox.ConsumerListener.Outcome;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.Verdict;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.relay.Relay;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import dev.waybill.servicebus.receiver.ServiceBusSource;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import dev.waybill.standalone.replay.Failover;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A namespace is lost with messages that it had accepted and nobody had handled; another one takes its place. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class FailoverTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final List<EmbeddedServiceBus> brokers = new ArrayList<>();
    private final AtomicInteger duplicates = new AtomicInteger();

    @TempDir
    private Path directory;

    private TestDatabase database;
    private DataSource pool;
    private SchemaName schema;
    private DSLContext dsl;
    private Outbox outbox;

    @BeforeEach
    void migrate(TestDatabase given) throws Exception {
        database = given;
        pool = given.dataSource();
        schema = new SchemaName(given.schema());
        Migrations.of(pool, schema).apply(Feature.all());
        dsl = DSL.using(pool, SQLDialect.POSTGRES);
        outbox = Outbox.builder().schema(schema).build();
        given.execute("create table " + schema + ".effect (id bigserial, session text, n integer)");
    }

    @AfterEach
    void stop() {
        brokers.forEach(EmbeddedServiceBus::close);
    }

    @Test
    void what_a_lost_namespace_had_accepted_has_its_effect_once_and_in_order() throws Exception {
        failsOver(2_000, 40);
    }

    @Test
    @Tag("long")
    void twenty_thousand_messages_survive_a_namespace_and_a_killed_failover() throws Exception {
        failsOver(20_000, 200);
    }

    @Test
    void the_pause_of_somebody_else_outlasts_a_failover() {
        EmbeddedServiceBus bus = broker();
        append(0, 10, 2);
        try (Relay relay = relay(bus)) {
            relay.wake();
            await().atMost(PATIENCE).until(() -> waiting() == 0);
        }
        Program program = program(bus);
        program.run("relay", "pause", "orders", "--reason", "closed until Monday");

        Result done = program.run("failover", "--reason", "eu-1 is lost", "--yes");

        assertThat(done.exitCode()).as(done.err()).isZero();
        assertThat(done.err()).contains("'orders' stays paused", "closed until Monday");
        assertThat(waiting()).isEqualTo(10);
        assertThat(program.run("failover", "--canary", "3000000000", "--reason", "r")
                        .exitCode())
                .isEqualTo(2);
    }

    @Test
    void what_an_inbox_has_forgotten_is_not_sent_again() {
        EmbeddedServiceBus bus = broker();
        append(0, 1, 1);
        try (Relay relay = relay(bus)) {
            relay.wake();
            await().atMost(PATIENCE).until(() -> waiting() == 0);
        }
        dsl.execute("update " + schema + ".outbox_published set created_at = clock_timestamp() - interval '1 hour'");

        Result refused = program(bus)
                .run(
                        "failover",
                        "--dry-run",
                        "--set",
                        "consumer.ledger.entity=orders",
                        "--set",
                        "consumer.ledger.retention=30m");

        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains("'ledger' remembers ids for 30m", "give a later --since");
    }

    /** Relays inside applications declare no destination here, so nobody else corrects the name. */
    @ParameterizedTest
    @ValueSource(strings = {"Orders", "ORDERS/all"})
    void what_an_inbox_has_forgotten_is_not_sent_again_however_its_entity_is_spelled(String entity) {
        EmbeddedServiceBus bus = broker();
        append(0, 1, 1);
        try (Relay relay = relay(bus)) {
            relay.wake();
            await().atMost(PATIENCE).until(() -> waiting() == 0);
        }
        dsl.execute("update " + schema + ".outbox_published set created_at = clock_timestamp() - interval '1 hour'");

        Result refused = Program.with(
                        directory, Program.database(database) + """
                namespace: { main: { connection-string: "%s" } }
                consumer: { ledger: { entity: "%s", retention: 30m } }
                """.formatted(bus.connectionString(), entity))
                .run("failover", "--dry-run");

        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains("'ledger' remembers ids for 30m");
    }

    @Test
    void what_an_inbox_behind_a_queue_that_forwards_has_forgotten_is_not_sent_again() {
        EmbeddedServiceBus bus = broker();
        append(0, 1, 1);
        try (Relay relay = relay(bus)) {
            relay.wake();
            await().atMost(PATIENCE).until(() -> waiting() == 0);
        }
        dsl.execute("update " + schema + ".outbox_published set destination = 'inbound', created_at = clock_timestamp()"
                + " - interval '1 hour'");

        Result refused = program(bus)
                .run(
                        "failover",
                        "--dry-run",
                        "--set",
                        "destination.inbound.retain=2d",
                        "--set",
                        "destination.inbound.forward-to=orders",
                        "--set",
                        "consumer.ledger.entity=orders",
                        "--set",
                        "consumer.ledger.retention=30m");

        assertThat(refused.exitCode()).as(refused.err()).isEqualTo(2);
        assertThat(refused.err()).contains("'ledger' remembers ids for 30m, and 'inbound' would send");
    }

    @Test
    void a_failover_that_was_killed_before_it_resumed_is_ended_by_the_same_command_and_sends_nothing_again() {
        EmbeddedServiceBus bus = broker();
        append(0, 4, 2);
        try (Relay relay = relay(bus)) {
            relay.wake();
            await().atMost(PATIENCE).until(() -> waiting() == 0);
        }
        Program program = program(bus);
        program.run("relay", "pause", "orders", "--reason", "eu-1 is lost");
        Failover failover = Failover.of(pool, schema);
        Failover.Run run = failover.run("orders", Optional.empty());
        while (!run.isDone()) {
            run.step();
        }

        Result rest = program.run("failover", "--reason", "eu-1 is lost");

        assertThat(rest.exitCode()).as(rest.err()).isZero();
        assertThat(rest.out()).contains("Nothing is sent again.");
        assertThat(waiting()).isEqualTo(4);
        assertThat(dsl.fetchCount(DSL.table(schema + ".outbox_destination"), DSL.condition("paused_at is not null")))
                .isZero();
    }

    private void failsOver(int messages, int sessions) throws Exception {
        EmbeddedServiceBus lost = broker();
        append(0, messages, sessions);
        try (Relay relay = relay(lost)) {
            relay.wake();
            await().atMost(PATIENCE).until(() -> waiting() == 0);
        }
        try (InboxConsumer consumer = consumer(lost)) {
            assertThat(consumer.health()).isNotNull();
            await().atMost(PATIENCE).until(() -> effects() > messages / 2);
        }
        int handled = effects();
        lost.close();
        int later = 5 * sessions;
        append(messages, later, sessions);

        EmbeddedServiceBus next = broker();
        Program program = program(next);
        Result told = program.run("failover", "--dry-run");
        assertThat(told.err()).contains("relay pause orders");
        assertThat(told.out()).contains("all that is retained, for 2d");
        assertThat(waiting()).isEqualTo(later);
        assertThat(program.run("relay", "pause", "orders", "--reason", "eu-1 is lost")
                        .exitCode())
                .isZero();
        Result canary = program.run("failover", "--canary", "3", "--reason", "eu-1 is lost", "--json");
        assertThat(canary.json().get(0).get("accepted").asInt())
                .as(canary.err())
                .isEqualTo(3);
        assertThat(next.inspect("orders").active()).isEqualTo(3);

        try (Relay relay = relay(next);
                InboxConsumer consumer = consumer(next)) {
            relay.wake();
            assertThat(consumer.health()).isNotNull();
            killMidway(program, messages, later);
            assertThat(program.run("status").out()).contains("paused");
            JsonNode rest = program.run("failover", "--dry-run", "--json").json();
            assertThat(rest.get(0).get("sentAgain").asInt()).isBetween(1, messages - 1);
            Result done = program.run("failover", "--reason", "eu-1 is lost", "--yes");
            assertThat(done.exitCode()).as(done.err()).isZero();
            assertThat(program.run("audit", "--action", "failover").out())
                    .contains("destination orders", "eu-1 is lost");

            await().atMost(PATIENCE).until(() -> effects() >= messages + later);
            await().atMost(PATIENCE)
                    .until(() -> waiting() == 0 && next.inspect("orders").active() == 0);
        }
        assertThat(program.run("failover", "--dry-run").out())
                .contains("'orders': all of it was accepted after the failover of", "(eu-1 is lost)");
        assertThat(dsl.fetch("select session, array_agg(n order by id) from " + schema + ".effect group by session")
                        .map(row -> List.of(row.get(1, Integer[].class))))
                .hasSize(sessions)
                .allSatisfy(numbers -> assertThat(numbers)
                        .isEqualTo(IntStream.range(0, (messages + later) / sessions)
                                .boxed()
                                .toList()));
        System.out.printf(
                "Failover: %d effects (%d before), 0 lost, 0 twice, %d sessions in order, %d duplicates dropped%n",
                effects(), handled, sessions, duplicates.get());
        assertThat(duplicates.get()).isBetween(handled - 3, handled + 3);
    }

    private EmbeddedServiceBus broker() {
        EmbeddedServiceBus bus = EmbeddedServiceBus.builder()
                .queue("orders", queue -> queue.requiresSession().duplicateDetection(Duration.ofMinutes(10)))
                .start();
        brokers.add(bus);
        return bus;
    }

    private void append(int from, int count, int sessions) {
        for (int at = from; at < from + count; at += 500) {
            List<OutboxMessage> some = IntStream.range(at, Math.min(at + 500, from + count))
                    .mapToObj(i -> OutboxMessage.to("orders")
                            .id("m-" + i)
                            .session("s-" + i % sessions)
                            .text(String.valueOf(i / sessions))
                            .build())
                    .toList();
            dsl.transaction(tx -> outbox.append(tx.dsl(), some));
        }
    }

    private Relay relay(EmbeddedServiceBus bus) {
        return Relay.builder(pool)
                .schema(schema)
                .destination("orders")
                .retain("orders", Duration.ofDays(2))
                .publisher(ServiceBusPublisher.of(bus.connectionString()))
                .start();
    }

    private InboxConsumer consumer(EmbeddedServiceBus bus) {
        return InboxConsumer.builder(pool)
                .schema(schema)
                .name("ledger")
                .concurrency(8)
                .source(ServiceBusSource.ofQueue(bus.connectionString(), "orders")
                        .withSessions())
                .handler((tx, message) -> {
                    tx.execute(
                            "insert into " + schema + ".effect (session, n) values ({0}, {1})",
                            DSL.val(message.session().orElseThrow()),
                            DSL.val(Integer.parseInt(message.text())));
                    return Verdict.done();
                })
                .listener(new ConsumerListener() {
                    @Override
                    public void settled(InboundMessage message, Outcome outcome) {
                        if (outcome == Outcome.DUPLICATE) {
                            duplicates.incrementAndGet();
                        }
                    }
                })
                .start();
    }

    private Program program(EmbeddedServiceBus bus) {
        return Program.with(directory, Program.database(database) + """
                namespace: { main: { connection-string: "%s" } }
                destination: { orders: { retain: 2d } }
                relay: { send-deadline: 1s }
                """.formatted(bus.connectionString()));
    }

    private void killMidway(Program program, int messages, int later) throws Exception {
        Path out = Files.createTempFile(directory, "failover", ".txt");
        Process process = program.start(out, "failover", "--reason", "eu-1 is lost", "--yes");
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(5)).until(() -> waiting() > later);
        process.destroyForcibly().waitFor();
        assertThat(waiting()).as(Files.readString(out)).isLessThan(messages + later);
    }

    private int waiting() {
        return dsl.fetchCount(DSL.table(schema + ".outbox_message"));
    }

    private int effects() {
        return dsl.fetchCount(DSL.table(schema + ".effect"));
    }
}
