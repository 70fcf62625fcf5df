package dev.waybill.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Lists that have grown: by number, and by what their rows refer to. */
@ExtendWith(PostgresExtension.class)
@Timeout(120)
class LongListsTest {
    private TestDatabase database;
    private SchemaName schema;
    private Program program;

    @BeforeEach
    void create_the_tables(TestDatabase empty, @TempDir Path directory) throws Exception {
        database = empty;
        schema = new SchemaName(database.schema());
        database.createTables(Migrations.sql(schema, Feature.all()));
        program = Program.with(directory, Program.database(database));
    }

    @Test
    @Tag("long")
    void a_hundred_thousand_holds_are_told_of_within_a_small_heap() throws Exception {
        holds("outbox", "orders", 100_000);

        Result listed = program.runProcess("outbox", "list", "--json", "--most", "10000");

        assertThat(listed.exitCode()).as(listed.err()).isZero();
        assertThat(listed.json()).hasSize(10_000);
        assertThat(listed.err()).contains("There are 90000 more than these 10000; --after ");
    }

    @Test
    @Tag("long")
    void a_list_of_dead_letters_reads_none_of_their_bodies() throws Exception {
        deadLetters(48, "decode(repeat('00', 8 * 1024 * 1024), 'hex')");

        Result listed = program.runProcess("dlq", "list");

        assertThat(listed.exitCode()).as(listed.err()).isZero();
        assertThat(listed.out().lines()).hasSize(49);
        assertThat(listed.out()).contains(" 8388608 ");
    }

    @Test
    @Tag("long")
    void every_list_shows_a_part_and_says_how_many_more_there_are() throws Exception {
        holds("outbox", "orders", 53);
        holds("inbox", "ledger", 53);
        deadLetters(53, "''");
        database.execute("""
                insert into %1$s.operator_action (subject_kind, scope, subject, action, operator, reason)
                select 'outbox-hold', 'orders', 'k', 'release', 'ana', 'r' from generate_series(1, 53) n;
                insert into %1$s.outbox_replay (id, destination, created_from, created_until, position, last_seq, state, reason)
                select gen_random_uuid(), 'orders', now(), now(), 1, 1, 'done', 'r' from generate_series(1, 53) n;
                insert into %1$s.erasure_order (digest, kind, applies_until, operator, reason)
                select gen_random_uuid(), 'message', now(), 'ana', 'r' from generate_series(1, 53) n
                """.formatted(schema));

        for (List<String> verb : List.of(
                List.of("outbox", "list"),
                List.of("inbox", "held", "list"),
                List.of("dlq", "list"),
                List.of("dlq", "groups", "--by", "session"),
                List.of("audit", "--action", "release"),
                List.of("replay", "list"),
                List.of("erasures", "list"))) {
            Result people = program.run(verb.toArray(String[]::new));
            assertThat(people.out()).as(verb + people.err()).contains("There are 3 more than these 50");
            assertThat(people.out().lines()).as(verb.toString()).hasSize(52);
            Result programs = program.run(with(verb, "--json"));
            assertThat(programs.json()).as(verb.toString()).hasSize(50);
            assertThat(programs.err()).as(verb.toString()).contains("There are 3 more than these 50");
            Result all = program.run(with(verb, "--json", "--most", "53"));
            assertThat(all.json()).as(verb.toString()).hasSize(53);
            assertThat(all.err()).as(verb.toString()).isEmpty();
        }
    }

    @Test
    void a_list_that_goes_on_behind_its_last_row_shows_each_row_once() throws Exception {
        holds("outbox", "orders", 7);
        holds("inbox", "ledger", 2);
        deadLetters(7, "''");

        for (String list : List.of("outbox", "dlq")) {
            Set<Long> seen = new HashSet<>();
            String after = "0";
            for (JsonNode page = page(list, after); !page.isEmpty(); page = page(list, after)) {
                page.forEach(row -> assertThat(seen.add(row.get("id").asLong())).isTrue());
                after = page.get(page.size() - 1).get("id").asText();
            }
            assertThat(seen).as(list).hasSize(7);
        }
    }

    private JsonNode page(String list, String after) {
        return program.run(list, "list", "--json", "--most", "3", "--after", after)
                .json();
    }

    private static String[] with(List<String> verb, String... more) {
        var words = new ArrayList<>(verb);
        words.addAll(List.of(more));
        return words.toArray(String[]::new);
    }

    private void holds(String side, String scope, int count) throws Exception {
        database.execute("""
                insert into %1$s.%2$s_hold (%3$s, session_id, state, reason)
                select '%4$s', 's' || n, 'parked', 'r' from generate_series(1, %5$d) n
                """.formatted(schema, side, side.equals("outbox") ? "destination" : "consumer", scope, count));
    }

    private void deadLetters(int count, String body) throws Exception {
        database.execute("""
                with m as (
                  insert into %1$s.dead_letter_message
                    (key, entity, sequence_number, enqueued_at, message_id, session_id, payload)
                  select gen_random_uuid(), 'orders', n, clock_timestamp(), 'm' || n, 's' || n, %2$s
                  from generate_series(1, %3$d) n
                  returning id)
                insert into %1$s.dead_letter_state (id, state) select id, 'open' from m
                """.formatted(schema, body, count));
    }
}
