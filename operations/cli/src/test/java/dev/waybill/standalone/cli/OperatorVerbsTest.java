package dev.waybill.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Role;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.relay.Destinations;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import dev.waybill.relay.Relay;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import dev.waybill.standalone.replay.OutboxReplay;
import dev.waybill.standalone.replay.ReplaySelection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The verbs replay, monitor and audit. */
@ExtendWith(PostgresExtension.class)
class OperatorVerbsTest {
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
    void a_replay_is_counted_confirmed_and_limited_to_what_was_chosen() {
        publish("s1", "m1", "m2");
        publish("s2", "m3");

        JsonNode plan =
                program.run("replay", "start", "orders", "--dry-run", "--json").json();
        assertThat(plan.get("published").asInt()).isEqualTo(3);
        assertThat(plan.get("replayed").asInt()).isZero();
        assertThat(program.run("replay", "start", "orders", "--from", "1h", "--until", "30m", "--dry-run", "--json")
                        .json()
                        .get("published")
                        .asInt())
                .isZero();
        assertThat(program.run("replay", "start", "orders", "--from", "2026-13-01T00:00:00Z", "--dry-run")
                        .exitCode())
                .isEqualTo(2);
        assertThat(program.run("replay", "start", "odrers", "--dry-run").err()).contains("did you mean 'orders'?");
        Result unconfirmed = program.run("replay", "start", "orders", "--reason", "lost");
        assertThat(unconfirmed.exitCode()).isEqualTo(6);
        assertThat(unconfirmed.err()).contains("3 messages of orders are published once more");

        JsonNode done = program.run(
                        "replay",
                        "start",
                        "orders",
                        "--session",
                        "s1",
                        "--reason",
                        "lost",
                        "--by",
                        "ada",
                        "--yes",
                        "--json")
                .json();
        assertThat(done.get("replayed").asInt()).isEqualTo(2);
        assertThat(copies()).containsExactly("m1", "m2");
        assertThat(program.run("replay", "list", "--json").json())
                .singleElement()
                .satisfies(run -> {
                    assertThat(run.get("state").asText()).isEqualTo("done");
                    assertThat(run.get("reason").asText()).isEqualTo("lost (ada)");
                });
    }

    @Test
    void a_replay_that_was_cut_short_goes_on_or_is_abandoned() {
        publish("s1", "m1", "m2");
        var replay = OutboxReplay.of(database.dataSource(), schema);
        String first = replay.begin(ReplaySelection.of("orders"), "r").toString();
        String second = replay.begin(ReplaySelection.of("orders"), "r").toString();

        assertThat(program.run("replay", "abandon", second, "--reason", "too much", "--by", "eve")
                        .exitCode())
                .isZero();
        assertThat(program.run("replay", "resume", first, "--reason", "r", "--dry-run")
                        .exitCode())
                .isZero();
        assertThat(copies()).isEmpty();
        assertThat(program.run("replay", "resume", first, "--reason", "r", "--json")
                        .json()
                        .get("replayed")
                        .asInt())
                .isEqualTo(2);
        assertThat(program.run("replay", "resume", first, "--reason", "r").exitCode())
                .isEqualTo(3);
        assertThat(program.run("replay", "abandon", second, "--reason", "r").exitCode())
                .isEqualTo(3);
        assertThat(copies()).containsExactly("m1", "m2");
        assertThat(program.run("audit", "--action", "abandon").out()).contains("eve", "too much", "orders");
    }

    @Test
    void the_monitor_tells_what_would_alert_by_which_thresholds() {
        assertThat(program.run("monitor")).satisfies(result -> {
            assertThat(result.exitCode()).isZero();
            assertThat(result.out()).contains("age: 1d", "Nothing would alert now.");
        });
        letters(2);
        dsl.execute("insert into %s.outbox_destination values ('orders')".formatted(schema));

        Result usual = program.run("monitor", "--json");
        assertThat(usual.exitCode()).isEqualTo(10);
        assertThat(words(usual.json().get("alerts"), "alert")).containsExactlyInAnyOrder("depth", "uncollected");
        assertThat(words(
                        program.run("monitor", "--depth", "3", "--arrivals", "2", "--age", "1ms", "--json")
                                .json()
                                .get("alerts"),
                        "alert"))
                .containsExactlyInAnyOrder("age", "arrivals", "uncollected");
        assertThat(program.run("monitor", "--age", "soon").exitCode()).isEqualTo(2);
    }

    @Test
    @Tag("long")
    void the_audit_lists_who_did_what_to_what_and_can_be_narrowed() {
        publish("s1", "m1");
        letters(7);
        dsl.execute(
                "insert into %s.outbox_hold (destination, session_id, state, reason) values ('orders', 's9', 'parked', 'r')"
                        .formatted(schema));
        program.run("outbox", "release", "orders", "--session", "s9", "--reason", "mended", "--by", "ada");
        program.run("dlq", "discard", "--all", "--reason", "obsolete", "--by", "bob", "--yes");
        program.run("relay", "pause", "orders", "--reason", "flood", "--by", "ada");
        program.run("replay", "start", "orders", "--reason", "lost", "--by", "bob", "--yes");

        JsonNode all = program.run("audit", "--json").json();
        assertThat(words(all, "action")).containsExactly("replay", "pause", "discard", "release");
        assertThat(words(all, "operator")).containsExactly("bob", "ada", "bob", "ada");
        assertThat(words(all, "subject").get(2))
                .startsWith("dead letter 1, 2, 3, 4, 5")
                .endsWith(" and 2 more");
        assertThat(words(program.run("audit", "--by", "ada", "--json").json(), "action"))
                .containsExactly("pause", "release");
        assertThat(words(program.run("audit", "--action", "discard", "--json").json(), "reason"))
                .containsExactly("obsolete");
        assertThat(program.run("audit", "--until", "1h").out()).contains("Nothing was done.");
        assertThat(program.run("audit", "--since", "1h", "--most", "1").out())
                .contains("replay")
                .doesNotContain("pause");
        assertThat(program.run("audit", "--since", "yesterday").exitCode()).isEqualTo(2);
    }

    @Test
    void a_pause_stays_in_the_audit_when_it_is_over_and_one_by_a_program_is_listed_while_it_stands() {
        publish("s1", "m1");
        program.run("relay", "pause", "orders", "--reason", "flood", "--by", "ada");
        program.run("relay", "pause", "orders", "--reason", "flood goes on", "--by", "ben");
        program.run("relay", "resume", "orders", "--reason", "over", "--by", "eve");
        program.run("relay", "resume", "orders", "--reason", "again", "--by", "eve");

        JsonNode all = program.run("audit", "--json").json();
        assertThat(words(all, "action")).containsExactly("resume", "pause", "pause");
        assertThat(words(all, "operator")).containsExactly("eve", "ben", "ada");
        assertThat(words(all, "reason")).containsExactly("over", "flood goes on", "flood");

        Destinations.of(database.dataSource(), schema).pause("orders", new AuditContext("job", "by a program"));
        assertThat(words(program.run("audit", "--action", "pause", "--json").json(), "reason"))
                .containsExactly("by a program", "flood goes on", "flood");
    }

    @Test
    @Tag("long")
    void who_only_looks_on_needs_the_grants_of_readonly_and_no_more() throws Exception {
        letters(1);
        String role = schema + "_eyes";
        database.execute("create role " + role);
        try {
            database.execute(Role.READONLY.grants(schema, role, Feature.all()));
            String url = database.server().jdbcUrl();
            String as = "database.main.url=" + url + (url.contains("?") ? "&" : "?") + "options=-c%20role=" + role;
            for (String verb : List.of(
                    "status",
                    "watch --count 1",
                    "monitor",
                    "audit",
                    "replay list",
                    "dlq show 1 --body",
                    "outbox list")) {
                Result result = program.run(Stream.concat(Stream.of(verb.split(" ")), Stream.of("--set", as))
                        .toArray(String[]::new));
                assertThat(result.err()).as(verb).isEmpty();
            }
            assertThat(program.run("replay", "start", "nothing", "--dry-run", "--set", as)
                            .exitCode())
                    .isEqualTo(3);
        } finally {
            database.execute("drop owned by " + role);
            database.execute("drop role " + role);
        }
    }

    private static List<String> words(JsonNode rows, String field) {
        return StreamSupport.stream(rows.spliterator(), false)
                .map(row -> row.get(field).asText())
                .toList();
    }

    private List<String> copies() {
        return dsl.fetch("select message_id from %s.outbox_message where broker_message_id is not null order by seq"
                        .formatted(schema))
                .getValues(0, String.class);
    }

    private void letters(int count) {
        dsl.execute("""
                with m as (
                  insert into %1$s.dead_letter_message (key, entity, sequence_number, enqueued_at, message_id, payload)
                  select gen_random_uuid(), 'orders', n, clock_timestamp(), 'm' || n, '' from generate_series(1, {0}) n
                  returning id)
                insert into %1$s.dead_letter_state (id, state) select id, 'open' from m
                """.formatted(schema), DSL.val(count));
    }

    private void publish(String session, String... ids) {
        var outbox = Outbox.builder().schema(schema).build();
        for (String id : ids) {
            dsl.transaction(tx -> outbox.append(
                    tx.dsl(),
                    OutboxMessage.to("orders").session(session).id(id).text("x").build()));
        }
        try (Relay relay = Relay.builder(database.dataSource())
                .schema(schema)
                .destination("orders")
                .retain("orders", Duration.ofDays(1))
                .publisher(new Taker())
                .build()) {
            assertThat(relay.publishCommitted()).isEqualTo(ids.length);
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
