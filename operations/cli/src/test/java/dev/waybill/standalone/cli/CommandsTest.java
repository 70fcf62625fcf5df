package dev.waybill.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.Holds;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.relay.Destinations;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The command line: exit codes, JSON, errors. */
@ExtendWith(PostgresExtension.class)
@Timeout(240)
class CommandsTest {
    @TempDir
    private Path directory;

    private TestDatabase database;
    private SchemaName schema;
    private DSLContext dsl;
    private Program program;

    @BeforeEach
    void configure(TestDatabase database) {
        this.database = database;
        schema = new SchemaName(database.schema());
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        program = Program.with(directory, Program.database(database));
    }

    @Test
    @Tag("long")
    void tables_are_made_checked_and_their_version_is_told() {
        assertThat(program.run("status")).satisfies(result -> {
            assertThat(result.exitCode()).isEqualTo(1);
            assertThat(result.err()).contains("There are no Waybill tables in schema '" + schema + "'");
        });
        Result missing = program.run("migrate", "status", "--json");
        assertThat(missing.exitCode()).isEqualTo(10);
        assertThat(missing.json().get("installed")).isEmpty();
        assertThat(program.run("migrate", "validate")).satisfies(result -> {
            assertThat(result.exitCode()).isEqualTo(1);
            assertThat(result.err()).contains("there are none of outbox").contains("'waybill-relay migrate up outbox");
        });

        assertThat(program.run("migrate", "up", "--dry-run", "--json")
                        .json()
                        .get("applied")
                        .asInt())
                .isZero();
        Result up = program.run("migrate", "up", "--json");
        assertThat(up.exitCode()).isZero();
        assertThat(up.json().get("applied").asInt()).isPositive();
        assertThat(program.run("migrate", "validate").exitCode()).isZero();
        assertThat(program.run("migrate", "status").exitCode()).isZero();
        assertThat(program.run("migrate", "status", "dead-letters").out())
                .contains("'waybill-relay migrate up dead-letters'");
        assertThat(program.run("migrate", "up", "dead-letters", "claims").exitCode())
                .isZero();
        assertThat(program.run("migrate", "validate", "dead-letters").exitCode())
                .isZero();
        assertThat(program.run("migrate", "up", "dead-leters").err()).contains("There is no feature 'dead-leters'");

        dsl.execute("update %s.waybill_migration_outbox set checksum = 1 where version = '1'".formatted(schema));
        Result changed = program.run("migrate", "validate");
        assertThat(changed.exitCode()).isEqualTo(1);
        assertThat(changed.err()).contains("Migration checksum mismatch for migration version 1");

        assertThat(program.run("migrate", "print-sql").out())
                .contains("create schema " + schema)
                .contains("create table outbox_message")
                .contains("create view relay_alarm")
                .doesNotContain("create table dead_letter");
        assertThat(program.run(
                                "migrate",
                                "print-sql",
                                "dead-letters",
                                "--set",
                                "database.main.url=jdbc:postgresql://127.0.0.1:1/none")
                        .out())
                .contains("create table outbox_message", "create table dead_letter_message");
    }

    @Test
    @Tag("long")
    void bad_input_a_missing_thing_and_a_dead_database_have_codes_of_their_own() {
        Migrations.of(database.dataSource(), schema).apply(Feature.all());

        assertThat(program.runProcess("status", "--set", "relay.batch-row=1")).satisfies(result -> {
            assertThat(result.exitCode()).isEqualTo(2);
            assertThat(result.err())
                    .contains("did you mean 'relay.batch-rows'?")
                    .doesNotContain("\tat ");
        });
        assertThat(program.runProcess("statsu")).satisfies(result -> {
            assertThat(result.exitCode()).isEqualTo(2);
            assertThat(result.err()).contains("status");
        });
        assertThat(program.run(Map.of("WAYBILL_CONFIG", directory.toString()), "status"))
                .satisfies(result -> {
                    assertThat(result.exitCode()).isEqualTo(2);
                    assertThat(result.err()).contains("cannot be read");
                });
        assertThat(program.run(Map.of("WAYBILL_CONFIG", ""), "status").exitCode())
                .isEqualTo(2);
        assertThat(program.run("outbox", "release", "orders", "--session", "s", "--reason", "r"))
                .satisfies(result -> {
                    assertThat(result.exitCode()).isEqualTo(3);
                    assertThat(result.err()).contains("There is no hold of the session 's' of destination 'orders'");
                });
        assertThat(program.run("outbox", "release", "orders", "--session", "s")).satisfies(result -> {
            assertThat(result.exitCode()).isEqualTo(2);
            assertThat(result.err()).contains("--reason");
        });
        assertThat(program.runProcess("status", "--set", "database.main.url=jdbc:postgresql://127.0.0.1:1/none"))
                .satisfies(result -> {
                    assertThat(result.exitCode()).isEqualTo(5);
                    assertThat(result.err())
                            .contains("database 'main' at 127.0.0.1:1 cannot be reached")
                            .contains("refused")
                            .doesNotContain("\tat ");
                });
    }

    @Test
    @Tag("long")
    void the_configuration_is_printed_with_origins_and_without_secrets() {
        Result result = program.runProcess(
                Map.of("WAYBILL_DATABASE_MAIN_PASSWORD", "hush-hush", "WAYBILL_HTTP_PORT", "9"),
                "config",
                "print",
                "--redacted",
                "--json");

        assertThat(result.exitCode()).isZero();
        assertThat(result.out() + result.err()).doesNotContain("hush-hush");
        assertThat(find(result.json(), "option", "http.port").get("origin").asText())
                .isEqualTo("environment WAYBILL_HTTP_PORT");
        assertThat(find(result.json(), "option", "database.main.password")
                        .get("value")
                        .asText())
                .isEqualTo("(secret)");
        assertThat(find(result.json(), "option", "database.main.schema")
                        .get("origin")
                        .asText())
                .isEqualTo("file waybill.yaml, line 4");
    }

    @Test
    void grants_version_and_completion_are_printed() {
        assertThat(program.run("grants", "print", "relay", "--to", "the_relay", "--schema", schema.value())
                        .out())
                .contains(".outbox_message to the_relay;");
        assertThat(program.run("version", "--json").json().get("java").asText()).isNotEmpty();
        assertThat(program.run("generate-completion").out()).contains("complete -F _complete_waybill-relay");
    }

    @Test
    void status_tells_from_the_database_alone_that_no_relay_is_working() {
        Migrations.of(database.dataSource(), schema).apply(Feature.all());
        append("s1", "m1", "m2");

        Result result = program.run("status", "--json");

        assertThat(result.exitCode()).as(result.err()).isEqualTo(20);
        JsonNode status = result.json();
        assertThat(status.get("working").asBoolean()).isFalse();
        assertThat(find(status.get("alarms"), "alarm", "no-relay")
                        .get("severity")
                        .asText())
                .isEqualTo("critical");
        assertThat(find(status.get("destinations"), "destination", "orders")
                        .get("pending")
                        .asInt())
                .isEqualTo(2);
        assertThat(program.run("status").out()).contains("DESTINATION").contains("no relay is alive");
    }

    @Test
    @Tag("long")
    void a_destination_is_paused_and_resumed_with_a_reason() {
        Migrations.of(database.dataSource(), schema).apply(Feature.all());
        assertThat(program.run("relay", "pause", "orders", "--reason", "flood")).satisfies(result -> {
            assertThat(result.exitCode()).isEqualTo(3);
            assertThat(result.err()).contains("'orders'");
        });
        append("s1", "m1");
        assertThat(program.run("relay", "pause", "oders", "--reason", "flood")).satisfies(result -> {
            assertThat(result.exitCode()).isEqualTo(3);
            assertThat(result.err()).contains("did you mean 'orders'?");
        });

        assertThat(program.run("relay", "pause", "orders", "--reason", "flood", "--dry-run")
                        .exitCode())
                .isZero();
        assertThat(Destinations.of(database.dataSource(), schema).paused()).isEmpty();
        assertThat(program.run("relay", "pause", "orders", "--reason", "flood", "--operator", "ada")
                        .exitCode())
                .isZero();
        assertThat(Destinations.of(database.dataSource(), schema).paused())
                .extracting(pause -> pause.reason() + " by " + pause.operator())
                .containsExactly("flood by ada");
        assertThat(find(program.run("status", "--json").json().get("alarms"), "alarm", "paused")
                        .get("detail")
                        .asText())
                .contains("flood");
        assertThat(program.run("relay", "resume", "orders", "--reason", "dry again")
                        .exitCode())
                .isZero();
        assertThat(program.run("relay", "resume", "orders", "--reason", "again").exitCode())
                .isEqualTo(3);
    }

    @Test
    void a_held_session_is_listed_shown_edited_skipped_and_released_by_commands() throws Exception {
        Migrations.of(database.dataSource(), schema).apply(Feature.all());
        hold("s1", "m1", "m2");

        JsonNode held = program.run("outbox", "list", "--json").json();
        assertThat(find(held, "session", "s1").get("messages").asInt()).isEqualTo(2);
        JsonNode shown = program.run("outbox", "show", "orders", "--session", "s1", "--json")
                .json();
        assertThat(shown.get("messages")).hasSize(2);
        assertThat(shown.toString()).doesNotContain("body of m1");
        String first = shown.get("messages").get(0).get("place").asText();
        String second = shown.get("messages").get(1).get("place").asText();

        Path body = Files.writeString(directory.resolve("body"), "mended");
        assertThat(program.run(
                                "outbox",
                                "edit",
                                "orders",
                                "--session",
                                "s1",
                                "--place",
                                first,
                                "--body-file",
                                body.toString(),
                                "--property",
                                "fixed=yes",
                                "--reason",
                                "typo")
                        .exitCode())
                .isZero();
        Result unconfirmed =
                program.run("outbox", "skip", "orders", "--session", "s1", "--place", second, "--reason", "obsolete");
        assertThat(unconfirmed.exitCode()).isEqualTo(6);
        assertThat(unconfirmed.err())
                .contains("Message m2 of session 's1' of destination 'orders'")
                .contains("--yes");
        assertThat(program.run(
                                "outbox",
                                "skip",
                                "orders",
                                "--session",
                                "s1",
                                "--place",
                                second,
                                "--reason",
                                "obsolete",
                                "--yes")
                        .exitCode())
                .isZero();
        assertThat(program.run("outbox", "retry", "orders", "--session", "s1", "--after", "10m", "--reason", "later")
                        .exitCode())
                .isZero();
        assertThat(program.run(
                                "outbox",
                                "release",
                                "orders",
                                "--session",
                                "s1",
                                "--reason",
                                "mended",
                                "--operator",
                                "ada")
                        .exitCode())
                .isZero();

        var holds = Holds.ofOutbox(database.dataSource(), schema);
        HoldKey key = HoldKey.session(HoldSide.OUTBOX, "orders", "s1");
        assertThat(holds.messages(key, 10)).singleElement().satisfies(message -> {
            assertThat(message.content().body()).asString().isEqualTo("mended");
            assertThat(message.content().properties()).containsEntry("fixed", "yes");
        });
        assertThat(holds.history(key))
                .extracting(entry -> entry.action())
                .containsExactly("edit", "skip", "retry", "release");
        assertThat(program.run("outbox", "show", "orders", "--session", "s1").out())
                .contains("ada")
                .contains("mended");
    }

    @Test
    void the_bodies_of_held_messages_are_shown_only_if_asked_and_up_to_the_limit() {
        Migrations.of(database.dataSource(), schema).apply(Feature.all());
        hold("s1", "m1", "m2");
        var claim = UUID.randomUUID();
        dsl.execute(
                "insert into %s.outbox_claim_body values ({0}, convert_to('a large one', 'UTF8'))".formatted(schema),
                DSL.val(claim));
        dsl.execute(
                "update %s.outbox_held_message set payload = '', headers = {0} where message_id = 'm2'"
                        .formatted(schema),
                DSL.val("{\"waybill-claim\": \"" + claim + "\"}"));

        String[] show = {"outbox", "show", "orders", "--session", "s1"};
        assertThat(program.run(show).out()).doesNotContain("body of m1");
        String[] bodies = Stream.concat(Stream.of(show), Stream.of("--body")).toArray(String[]::new);
        assertThat(program.run(bodies).out())
                .containsPattern("place [0-9]+, m1\nbody: 10 bytes of text\nbody of m1\n")
                .containsPattern("place [0-9]+, m2\nbody: 11 bytes of text\na large one\n");
        String[] cut = Stream.concat(Stream.of(bodies), Stream.of("--body-limit", "4", "--json"))
                .toArray(String[]::new);
        assertThat(program.run(cut).json().at("/messages/0/body/text").asText()).isEqualTo("body");
        assertThat(program.run(cut).json().at("/messages/0/body/cut").asBoolean())
                .isTrue();
    }

    @Test
    @Tag("long")
    void a_hold_is_named_by_the_id_that_its_list_shows() {
        Migrations.of(database.dataSource(), schema).apply(Feature.all());
        hold("s1", "m1", "m2");
        String id =
                program.run("outbox", "list", "--json").json().get(0).get("id").asText();
        assertThat(program.run("outbox", "list").out()).startsWith("ID ");

        assertThat(program.run("outbox", "show", id, "--json")
                        .json()
                        .at("/hold/session")
                        .asText())
                .isEqualTo("s1");
        String place = program.run("outbox", "show", id, "--json")
                .json()
                .at("/messages/0/place")
                .asText();
        for (String[] verb : new String[][] {
            {"edit", id, "--place", place, "--property", "fixed=yes", "--reason", "r"},
            {"skip", id, "--place", place, "--reason", "r", "--yes"},
            {"retry", id, "--reason", "r"},
            {"release", id, "--reason", "r"}
        }) {
            String[] arguments =
                    Stream.concat(Stream.of("outbox"), Arrays.stream(verb)).toArray(String[]::new);
            assertThat(program.run(arguments).exitCode()).as(verb[0]).isZero();
        }

        assertThat(program.run("inbox", "held", "show", id).exitCode()).isEqualTo(3);
        assertThat(program.run("outbox", "show", "999").err()).contains("There is no hold 999 of the outbox");
        assertThat(program.run("outbox", "show", "orders")).satisfies(result -> {
            assertThat(result.exitCode()).isEqualTo(2);
            assertThat(result.err()).contains("give the id that list shows");
        });
    }

    @Test
    @Tag("long")
    void many_held_sessions_are_released_and_skipped_by_commands_on_either_side() {
        Migrations.of(database.dataSource(), schema).apply(Feature.all());
        hold("s1", "m1", "m2");
        hold("s2", "m3", "m4");
        hold("s3", "m5");
        dsl.execute("""
                with h as (
                  insert into %1$s.inbox_hold (consumer, session_id, state, reason)
                  select 'ledger', session_id, state, reason from %1$s.outbox_hold where session_id = 's3' returning id)
                insert into %1$s.inbox_held_message (hold_id, origin_position, origin_time, session_id, message_id, payload)
                select h.id, m.origin_position, m.origin_time, m.session_id, m.message_id, m.payload
                from h, %1$s.outbox_held_message m where m.session_id = 's3'
                """.formatted(schema));
        dsl.execute("delete from %s.outbox_hold where session_id = 's3'".formatted(schema));

        assertThat(program.run("outbox", "release-all", "--reason", "r").exitCode())
                .isEqualTo(2);
        JsonNode dry = program.run("outbox", "skip-all", "--all", "--reason", "r", "--dry-run", "--json")
                .json();
        assertThat(dry.get("found").asInt()).isEqualTo(2);
        assertThat(dry.get("foundMessages").asInt()).isEqualTo(4);
        assertThat(dry.get("holds").asInt()).isZero();
        Result unconfirmed = program.run("outbox", "skip-all", "orders", "--first", "--reason", "r");
        assertThat(unconfirmed.exitCode()).isEqualTo(6);
        assertThat(unconfirmed.err()).contains("2 messages of 2 holds");
        Result skipped = program.run(
                "outbox", "skip-all", "orders", "--session", "s1", "--first", "--reason", "r", "--yes", "--json");
        assertThat(skipped.json().get("messages").asInt()).isEqualTo(1);
        Result released = program.run("outbox", "release-all", "--because", "TooLarge", "--reason", "r", "--json");
        assertThat(released.json().get("holds").asInt()).isEqualTo(1);

        JsonNode inbox = program.run("inbox", "held", "list", "--json").json();
        assertThat(find(inbox, "session", "s3").get("state").asText()).isEqualTo("parked");
        Result handled = program.run("inbox", "held", "skip-all", "ledger", "--reason", "r", "--yes", "--json");
        assertThat(handled.json().get("messages").asInt()).isEqualTo(1);
        assertThat(dsl.fetch(
                                "select destination, state, count(*) from %1$s.outbox_hold h join %1$s.outbox_held_message m on hold_id = h.id"
                                                .formatted(schema)
                                        + " group by destination, state")
                        .map(row -> row.get(0) + " " + row.get(1) + " " + row.get(2)))
                .containsExactly("orders retrying 3");
        assertThat(dsl.fetchCount(DSL.table(schema.table("inbox_message")))).isEqualTo(1);
    }

    @Test
    void ids_are_pruned_by_age_only_after_somebody_said_yes_and_never_one_of_an_open_dead_letter() {
        Migrations.of(database.dataSource(), schema).apply(Feature.all());
        dsl.execute("""
                insert into %s.inbox_message (key, consumer, message_id, handled_at)
                select gen_random_uuid(), 'ledger', 'm' || n, clock_timestamp() - n * interval '1 day'
                from generate_series(0, 29) n
                """.formatted(schema));
        dsl.execute("""
                with m as (
                  insert into %1$s.dead_letter_message (key, entity, sequence_number, enqueued_at, message_id, payload)
                  values (gen_random_uuid(), 'orders', 1, clock_timestamp(), 'm25', '')
                  returning id)
                insert into %1$s.dead_letter_state (id, state) select id, 'open' from m
                """.formatted(schema));

        assertThat(find(program.run("inbox", "check", "--json").json(), "consumer", "ledger")
                        .get("ids")
                        .asInt())
                .isEqualTo(30);
        Result dry = program.run(
                "inbox", "prune", "ledger", "--older-than", "20d", "--reason", "space", "--dry-run", "--json");
        assertThat(dry.json().get("found").asInt()).isEqualTo(9);
        assertThat(program.run("inbox", "prune", "ledger", "--older-than", "20d", "--reason", "space")
                        .exitCode())
                .isEqualTo(6);
        Result done =
                program.run("inbox", "prune", "ledger", "--older-than", "20d", "--reason", "space", "--yes", "--json");
        assertThat(done.json().get("removed").asInt()).isEqualTo(9);
        assertThat(dsl.fetchCount(DSL.table(schema.table("inbox_message")))).isEqualTo(21);
    }

    private void append(String session, String... ids) {
        var outbox = Outbox.builder().schema(schema).build();
        for (String id : ids) {
            dsl.transaction(tx -> outbox.append(
                    tx.dsl(),
                    OutboxMessage.to("orders")
                            .session(session)
                            .id(id)
                            .text("body of " + id)
                            .build()));
        }
    }

    private void hold(String session, String... ids) {
        dsl.execute(
                "insert into %s.outbox_hold (destination, session_id, state, reason) values ('orders', {0}, 'parked', 'TooLarge')"
                        .formatted(schema),
                DSL.val(session));
        for (String id : ids) {
            dsl.execute("""
                    insert into %1$s.outbox_held_message (hold_id, origin_position, origin_time, session_id, message_id, payload)
                    select id, hashtext({0}), now(), session_id, {0}, convert_to('body of ' || {0}, 'UTF8') from %1$s.outbox_hold
                    where session_id = {1}
                    """.formatted(schema), DSL.val(id), DSL.val(session));
        }
    }

    private static JsonNode find(JsonNode rows, String field, String value) {
        for (JsonNode row : rows) {
            if (row.get(field).asText().equals(value)) {
                return row;
            }
        }
        throw new AssertionError("No " + field + " " + value + " in " + rows);
    }
}
