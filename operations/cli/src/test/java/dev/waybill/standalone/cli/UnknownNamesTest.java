package dev.waybill.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import dev.waybill.standalone.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A name or number of which there is nothing is not answered as one of which there is nothing to do. */
@ExtendWith(PostgresExtension.class)
@Timeout(120)
class UnknownNamesTest {
    @TempDir
    private Path directory;

    private SchemaName schema;
    private DSLContext dsl;
    private Program program;
    private Program declared;

    @BeforeEach
    void configure(TestDatabase database) throws IOException {
        schema = Program.tables(database);
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        program = Program.with(
                directory,
                Program.database(database)
                        + "consumer: { billing: { entity: orders }, invoices: { entity: billings/all } }\n");
        declared = Program.with(
                Files.createTempDirectory(directory, "declared"),
                Program.database(database) + "destination: { orders: { retain: 2d } }\n");
        dsl.execute("insert into %s.outbox_destination values ('orders')".formatted(schema));
        dsl.execute("insert into %s.inbox_consumer (name) values ('ledger')".formatted(schema));
        dsl.execute("insert into %s.inbox_message (key, consumer, message_id) values (gen_random_uuid(), 'old', 'm')"
                .formatted(schema));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "outbox release-all odrers",
                "outbox skip-all odrers --first",
                "relay resume odrers",
                "relay pause odrers"
            })
    void a_destination_that_does_not_exist_is_not_found(String verb) {
        assertThat(changing(verb)).satisfies(result -> {
            assertThat(result.exitCode()).as(verb).isEqualTo(ExitCode.NOT_FOUND);
            assertThat(result.err()).contains("'odrers'", "did you mean 'orders'?");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "inbox held release-all legder",
                "inbox held skip-all legder",
                "inbox prune legder --older-than 1d"
            })
    void a_consumer_that_does_not_exist_is_not_found(String verb) {
        assertThat(changing(verb)).satisfies(result -> {
            assertThat(result.exitCode()).as(verb).isEqualTo(ExitCode.NOT_FOUND);
            assertThat(result.err()).contains("'legder'", "did you mean 'ledger'?");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "outbox release-all orders",
                "inbox held release-all ledger",
                "inbox held release-all billing",
                "inbox held release-all old",
                "inbox prune ledger --older-than 1d"
            })
    void a_name_that_exists_and_has_nothing_to_change_is_done(String verb) {
        assertThat(changing(verb)).satisfies(result -> {
            assertThat(result.exitCode()).as(verb + result.err()).isZero();
            assertThat(result.json().get("found").asInt()).isZero();
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"dlq discard", "dlq redrive", "dlq reopen", "dlq archive", "dlq quarantine", "dlq redact --yes"})
    void a_dead_letter_that_does_not_exist_is_not_found(String verb) {
        assertThat(changing(verb + " --id 98,99")).satisfies(result -> {
            assertThat(result.exitCode()).as(verb).isEqualTo(ExitCode.NOT_FOUND);
            assertThat(result.err()).contains("There is no dead letter 98, 99", "dlq list");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"dlq list", "dlq groups", "dlq export FILE"})
    void a_dead_letter_that_does_not_exist_is_no_empty_list(String verb) {
        Path file = directory.resolve("dead.jsonl");
        long id = letter();
        String[] words = (verb.replace("FILE", file.toString()) + " --id ").split(" ");

        assertThat(program.run(with(words, "98,99"))).satisfies(result -> {
            assertThat(result.exitCode()).as(verb).isEqualTo(ExitCode.NOT_FOUND);
            assertThat(result.err()).contains("There is no dead letter 98, 99");
        });
        assertThat(file).as("no file of nothing").doesNotExist();
        assertThat(program.run(with(words, id + ",99"))).satisfies(result -> {
            assertThat(result.exitCode()).as(verb).isEqualTo(ExitCode.WARNINGS);
            assertThat(result.err()).contains("There is no dead letter 99");
        });
    }

    private static String[] with(String[] words, String last) {
        return Stream.concat(Stream.of(words), Stream.of(last)).toArray(String[]::new);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dlq list",
                "dlq groups",
                "dlq export --entity events/Subscriptions/frauds dead.jsonl",
                "dlq discard",
                "dlq redrive",
                "dlq reopen",
                "dlq archive --dry-run",
                "dlq restore",
                "dlq quarantine",
                "dlq redact --yes"
            })
    void an_entity_that_nobody_knows_is_not_found(String verb) {
        collected("events/Subscriptions/fraud");
        String named = verb.contains("--entity") ? verb : verb + " --entity events/Subscriptions/frauds";

        Result result =
                verb.matches("dlq (list|groups|export).*") ? program.run(named.split(" ", -1)) : changing(named);

        assertThat(result.exitCode()).as(verb + result.err()).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(result.err())
                .contains("'events/Subscriptions/frauds'", "did you mean 'events/Subscriptions/fraud'?");
    }

    @Test
    void an_entity_that_is_known_and_has_no_dead_letters_has_none() {
        collected("events/Subscriptions/fraud");
        letter();
        dsl.execute("update %1$s.dead_letter_message set entity = 'old'".formatted(schema));
        dsl.execute(
                "insert into %s.outbox_destination (destination, entity, former_entities) values ('orders', 'orders-2', '{orders-1}') on conflict (destination) do update set entity = excluded.entity, former_entities = excluded.former_entities"
                        .formatted(schema));

        for (String entity :
                List.of("events/Subscriptions/fraud", "orders", "billings/Subscriptions/all", "orders-1", "orders-2")) {
            assertThat(changing("dlq discard --entity " + entity)).as(entity).satisfies(result -> {
                assertThat(result.exitCode()).as(result.err()).isZero();
                assertThat(result.json().get("found").asInt()).isZero();
            });
        }
        assertThat(changing("dlq discard --dry-run --entity old")
                        .json()
                        .get("found")
                        .asInt())
                .as("nobody collects from it, and it has left a letter")
                .isEqualTo(1);
    }

    @Test
    void of_several_dead_letters_the_one_that_does_not_exist_is_named_and_the_others_are_changed() {
        long id = letter();

        Result result = changing("dlq discard --yes --id 99," + id);

        assertThat(result.exitCode()).isEqualTo(ExitCode.WARNINGS);
        assertThat(result.err()).contains("There is no dead letter 99;");
        assertThat(result.json().get("discarded").asInt()).isEqualTo(1);
        assertThat(changing("dlq discard --id " + id).exitCode())
                .as("it exists, and has nothing to discard")
                .isZero();
    }

    @Test
    void a_migration_of_an_unknown_destination_and_a_redrive_to_an_unknown_consumer_are_not_found() {
        Result migration = declared.run("topology", "migrate", "odrers", "--reason", "r", "--yes");
        assertThat(migration.exitCode()).as(migration.err()).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(migration.err()).contains("'odrers' to be migrated; did you mean 'orders'?");

        letter();
        Result redrive = changing("dlq redrive --all --to-consumer legder");
        assertThat(redrive.exitCode()).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(redrive.err()).contains("'legder'; did you mean 'ledger'?");
    }

    @Test
    void a_time_that_is_still_to_come_is_not_answered_with_nothing_was_done() {
        for (String verb :
                List.of("audit", "dlq list", "dlq groups", "dlq export dead.jsonl", "dlq discard", "dlq redrive")) {
            Result result = program.run((verb + " --since 2999-01-01").split(" "));

            assertThat(result.exitCode()).as(verb).isEqualTo(ExitCode.BAD_INPUT);
            assertThat(result.err()).as(verb).contains("'2999-01-01' is on the wrong side of now");
        }
    }

    @Test
    void grants_are_those_of_the_configured_schema_and_features() {
        Result printed = declared.run("grants", "print", "operator", "--to", "ada");

        assertThat(printed.exitCode()).as(printed.err()).isZero();
        assertThat(printed.out())
                .contains("on " + schema + ".outbox_published", schema + ".inbox_hold")
                .doesNotContain("waybill.");
    }

    @Test
    void what_is_not_paused_is_not_resumed_without_a_word() {
        Result result = changing("relay resume orders");

        assertThat(result.exitCode()).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(result.err()).contains("'orders' is not paused");
        assertThat(result.json().get("wasPaused").asBoolean()).isFalse();
    }

    private Result changing(String verb) {
        return program.run(Stream.concat(Stream.of(verb.split(" ", -1)), Stream.of("--reason", "r", "--json"))
                .toArray(String[]::new));
    }

    private void collected(String entity) {
        dsl.execute(
                "insert into %s.dead_letter_entity (entity, destination, alive_until) values ('%s', 'events', now())"
                        .formatted(schema, entity));
    }

    private long letter() {
        return dsl.fetchSingle("""
                with m as (
                  insert into %1$s.dead_letter_message (key, entity, sequence_number, enqueued_at, message_id, payload)
                  values (gen_random_uuid(), 'orders', 1, clock_timestamp(), 'm1', '') returning id)
                insert into %1$s.dead_letter_state (id, state) select id, 'open' from m returning id
                """.formatted(schema)).get(0, Long.class);
    }
}
