package dev.waybill.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import java.nio.file.Path;
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

    @BeforeEach
    void configure(TestDatabase database) {
        schema = new SchemaName(database.schema());
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        program = Program.with(directory, Program.database(database) + "consumer: { billing: { entity: orders } }\n");
        Migrations.of(database.dataSource(), schema).apply();
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

    private long letter() {
        return dsl.fetchSingle("""
                with m as (
                  insert into %1$s.dead_letter_message (key, entity, sequence_number, enqueued_at, message_id, payload)
                  values (gen_random_uuid(), 'orders', 1, clock_timestamp(), 'm1', '') returning id)
                insert into %1$s.dead_letter_state (id, state) select id, 'open' from m returning id
                """.formatted(schema)).get(0, Long.class);
    }
}
