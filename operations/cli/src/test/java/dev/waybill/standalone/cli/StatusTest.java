package dev.waybill.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import dev.waybill.relay.Relay;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.ConsolePage;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import dev.waybill.standalone.config.ProcessEnvironment;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The output of status and watch. */
@ExtendWith(PostgresExtension.class)
@Timeout(120)
class StatusTest {
    @TempDir
    private Path directory;

    private TestDatabase database;
    private SchemaName schema;
    private DSLContext dsl;
    private Program program;

    @BeforeEach
    void configure(TestDatabase database) {
        this.database = database;
        schema = Program.tables(database);
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        program = Program.with(directory, Program.database(database));
    }

    @Test
    void a_backlog_that_nobody_publishes_has_no_end_in_sight_and_one_that_shrinks_says_when_it_ends() {
        append(0, 120);
        age("30 seconds");
        JsonNode growing = orders();
        assertThat(growing.get("backlog").asText()).isEqualTo("no end in sight");
        assertThat(growing.get("etaSeconds").isNull()).isTrue();
        assertThat(growing.get("publishedPerSecond").asDouble()).isZero();

        assertThat(publish()).isEqualTo(120);
        relay();
        dsl.execute(
                "update %s.relay set destinations = '{orders}', rates = '{12}' where name = 'r1'".formatted(schema));
        append(120, 25);
        age("30 seconds");
        JsonNode shrinking = orders();
        assertThat(shrinking.get("publishedPerSecond").asDouble()).isEqualTo(12.0);
        assertThat(shrinking.get("backlog").asText()).isEqualTo("ends");
        assertThat(shrinking.get("etaSeconds").asInt()).isEqualTo(3);
        assertThat(program.run("status").out()).contains("done in 3s");
    }

    @Test
    void a_message_that_does_not_leave_is_told_before_its_alarm_and_pages_nobody() {
        relay();
        append(0, 1);
        age("30 seconds");

        Result status = program.run("status");

        assertThat(status.exitCode()).isZero();
        assertThat(status.out())
                .contains("No alarm yet. No message leaves orders.")
                .doesNotContain("All is well.");
        publish();
        assertThat(program.run("status").out()).contains("All is well.").doesNotContain("No alarm yet");
    }

    @Test
    void a_relay_that_was_started_three_times_is_one_line_and_two_ended() {
        for (String alive : new String[] {"- interval '4 minutes'", "- interval '2 minutes'", "+ interval '1 hour'"}) {
            dsl.execute("""
                    insert into %1$s.relay (id, name, alive_until, follows_entities, serving, destinations, states, since,
                      details)
                    values (gen_random_uuid(), 'r1', clock_timestamp() %2$s, false, '{}', '{}', '{}', '{}', '{}')
                    """.formatted(schema, alive));
        }
        JsonNode status = program.run("status", "--json").json();
        assertThat(status.get("relays")).as("programs get all of them").hasSize(3);
        assertThat(status.get("endedRelays").asInt()).isEqualTo(2);
        assertThat(program.run("status").out()).containsOnlyOnce("r1 ").contains("2 more ended within the hour");

        dsl.execute("update %s.relay set alive_until = clock_timestamp() - interval '1 minute'".formatted(schema));
        assertThat(program.run("status").out())
                .as("the last of the name, if none lives")
                .containsOnlyOnce("r1 ")
                .doesNotContain("more ended");
    }

    @Test
    void messages_that_wait_because_there_is_no_relay_are_one_finding() {
        append(0, 3);
        age("5 minutes");

        JsonNode status = program.run("status", "--json").json();

        assertThat(status.get("alarms"))
                .extracting(alarm -> alarm.get("alarm").asText())
                .containsExactlyInAnyOrder("no-relay", "stalled");
        assertThat(status.get("findings"))
                .extracting(alarm -> alarm.get("alarm").asText())
                .containsExactly("no-relay");
    }

    @Test
    void dead_letters_collectors_and_consumers_are_told_with_what_waits_there() {
        dsl.execute("""
                with m as (
                  insert into %1$s.dead_letter_message (key, entity, sequence_number, enqueued_at, message_id, payload)
                  select gen_random_uuid(), 'orders', n, clock_timestamp(), 'm' || n, '' from generate_series(1, 3) n
                  returning id, sequence_number)
                insert into %1$s.dead_letter_state (id, state)
                select id, (array['open', 'open', 'discarded'])[sequence_number] from m
                """.formatted(schema));
        dsl.execute("""
                insert into %s.dead_letter_entity (entity, destination, alive_until, failing_since, failure_reason)
                values ('orders', 'orders', clock_timestamp() - interval '1 minute', clock_timestamp(), 'Unauthorized')
                """.formatted(schema));
        dsl.execute("""
                insert into %s.inbox_instance (longest_attempt, id, consumer, alive_until)
                select 60000, gen_random_uuid(), 'ledger', clock_timestamp() + n * interval '1 minute' from generate_series(-1, 2) n
                """.formatted(schema));
        dsl.execute("""
                insert into %s.inbox_hold (consumer, session_id, state, reason) values ('ledger', 's', 'parked', 'r')
                """.formatted(schema));

        JsonNode status = program.run("status", "--json").json();
        assertThat(status.get("deadLetters")).singleElement().satisfies(letters -> {
            assertThat(letters.get("state").asText()).isEqualTo("open");
            assertThat(letters.get("deadLetters").asInt()).isEqualTo(2);
        });
        assertThat(status.get("collectors")).singleElement().satisfies(collector -> {
            assertThat(collector.get("alive").asBoolean()).isFalse();
            assertThat(collector.get("failingSince").asText()).isNotEmpty();
        });
        assertThat(status.get("consumers")).singleElement().satisfies(consumer -> {
            assertThat(consumer.get("consumer").asText()).isEqualTo("ledger");
            assertThat(consumer.get("instances").asInt()).isEqualTo(2);
            assertThat(consumer.get("parked").asInt()).isEqualTo(1);
        });
        assertThat(program.run("status").out())
                .contains("DEADLETTERS", "FAILINGSINCE", "ledger")
                .doesNotContain("All is well.", "No collector has run")
                .contains("Dead letters that wait for a decision: 2. 'dlq groups' has their reasons.");
    }

    /** One that was ended on purpose is no alarm, and one that vanished may be. */
    @Test
    void all_is_not_said_to_be_well_while_a_consumer_has_no_living_process() {
        relay();
        dsl.execute("insert into %s.inbox_consumer (name) values ('ended'), ('lives'), ('vanished')".formatted(schema));
        dsl.execute("""
                insert into %s.inbox_instance (longest_attempt, id, consumer, alive_until)
                values (60000, gen_random_uuid(), 'lives', clock_timestamp() + interval '1 hour'),
                  (60000, gen_random_uuid(), 'vanished', clock_timestamp() - interval '1 minute')
                """.formatted(schema));

        Result status = program.run("status");

        assertThat(status.exitCode()).as("nobody is paged by it").isZero();
        assertThat(status.out())
                .doesNotContain("All is well.")
                .contains("Nothing is wrong with the outbox.")
                .contains("No process is alive of consumer vanished. The last process vanished")
                .contains("No process is alive of consumer ended. It was ended, or");

        dsl.execute("delete from %s.inbox_consumer where name <> 'lives'".formatted(schema));
        dsl.execute("delete from %s.inbox_instance where consumer <> 'lives'".formatted(schema));
        assertThat(program.run("status").out())
                .contains("All is well.", "No collector has run: a dead letter is on the broker alone");
    }

    @Test
    void the_readme_shows_three_relays_as_they_are_printed() {
        dsl.execute("""
                insert into %1$s.relay (id, name, alive_until, follows_entities, serving, destinations, states, since,
                  details)
                select gen_random_uuid(), name, clock_timestamp() + interval '1 hour', false, '{}', '{}', '{}', '{}', '{}'
                from unnest(array['one', 'two', 'three']) name
                """.formatted(schema));

        assertThat(ConsolePage.steps(Path.of("../../README.md")))
                .filteredOn(step -> step.command().equals("status"))
                .singleElement()
                .satisfies(step -> assertThat(program.run("status").out()).matches(step.expected()));
    }

    @Test
    @Tag("long")
    void watch_goes_on_after_its_connection_is_lost() {
        append(0, 1);
        var out = new StringWriter();
        CompletableFuture<Integer> watching = CompletableFuture.supplyAsync(() -> Commands.execute(
                new ProcessEnvironment(
                        Map.of(),
                        Map.of(
                                "WAYBILL_CONFIG",
                                directory.resolve("waybill.yaml").toString())),
                new PrintWriter(out),
                new PrintWriter(new StringWriter()),
                "watch",
                "--every",
                "100ms",
                "--count",
                "30"));
        await().until(() -> out.toString().contains("orders"));
        dsl.fetch(
                "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'waybill-relay command'"
                        .concat(" and query like {0}"),
                DSL.val("%" + schema + "%"));
        await().until(() -> out.toString().contains("Looking again every 100ms."));

        String lost = out.toString();
        assertThat(lost).contains("terminat");
        await().until(() -> out.toString().substring(lost.length()).contains("orders"));
        assertThat(watching.join()).isEqualTo(20);
    }

    @Test
    @Tag("long")
    void watch_ends_by_a_signal_with_code_0_and_is_as_short_as_it_is_told() throws Exception {
        Result twice = program.run("watch", "--count", "2", "--every", "100ms", "--json");
        assertThat(twice.exitCode()).isEqualTo(20);
        assertThat(twice.out().split("\"working\"", -1)).hasSize(3);
        assertThat(program.run("watch", "--every", "1ms").exitCode()).isEqualTo(2);

        Path out = directory.resolve("watch.txt");
        Process watch = program.start(out, "watch", "--every", "100ms");
        await().atMost(Duration.ofSeconds(30)).until(() -> Files.readString(out).contains("no-relay"));
        watch.destroy();
        assertThat(watch.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(watch.exitValue()).isZero();
        assertThat(Files.readString(out)).doesNotContain("\u001b");
    }

    private void relay() {
        dsl.execute("""
                insert into %1$s.relay (id, name, alive_until, follows_entities, serving, destinations, states, since,
                  details)
                values (gen_random_uuid(), 'r1', clock_timestamp() + interval '1 hour', false, '{}', '{}', '{}', '{}', '{}')
                """.formatted(schema));
    }

    private JsonNode orders() {
        JsonNode destinations = program.run("status", "--json").json().get("destinations");
        assertThat(destinations).hasSize(1);
        return destinations.get(0);
    }

    private void append(int from, int count) {
        var outbox = Outbox.builder().schema(schema).build();
        dsl.transaction(tx -> {
            for (int i = from; i < from + count; i++) {
                outbox.append(
                        tx.dsl(),
                        OutboxMessage.to("orders")
                                .session("s" + i % 7)
                                .id("m" + i)
                                .text("x")
                                .build());
            }
        });
    }

    private void age(String by) {
        dsl.execute(
                "update %s.outbox_message set created_at = clock_timestamp() - interval '%s'".formatted(schema, by));
    }

    private int publish() {
        try (Relay relay = Relay.builder(database.dataSource())
                .schema(schema)
                .destination("orders")
                .publisher(new Taker())
                .build()) {
            return relay.publishCommitted();
        }
    }

    private static final class Taker implements Publisher {
        @Override
        public CompletionStage<PublishResult> publish(Shipment shipment) {
            return CompletableFuture.completedFuture(
                    PublishResult.accepted(shipment.rows().size()));
        }

        @Override
        public void close() {}
    }
}
