package dev.waybill.standalone.cli.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waybill.deadletter.ArchiveStore;
import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterArchive;
import dev.waybill.deadletter.DeadLetterExchange;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Role;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import dev.waybill.standalone.cli.command.ExitCode;
import java.io.BufferedReader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Changes of dead letters by commands: which are asked about, by whom they can be made, and what they leave. */
@ExtendWith(PostgresExtension.class)
@Timeout(180)
class DlqEditCommandsTest {
    private static final AuditContext WORD = new AuditContext("ada", "because");

    @TempDir
    private Path directory;

    private TestDatabase database;
    private SchemaName schema;
    private DSLContext dsl;
    private DeadLetters letters;
    private Program program;

    @BeforeEach
    void store_three_dead_letters(TestDatabase database) {
        this.database = database;
        schema = Program.tables(database);
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        letters = DeadLetters.in(database.dataSource(), schema);
        program = Program.with(directory, Program.database(database));
        reset();
    }

    private void reset() {
        dsl.execute("truncate " + schema.table("dead_letter_message") + " cascade");
        dsl.execute("truncate " + schema.table("dead_letter_state") + ", " + schema.table("dead_letter_archive"));
        dsl.execute("insert into " + schema.table("outbox_destination")
                + " (destination) values ('orders') on conflict do nothing");
        for (int i = 0; i < 3; i++) {
            add("m" + i, "alice");
        }
    }

    @Test
    @Tag("long")
    void nothing_is_changed_in_all_letters_without_all_and_a_confirmation() {
        for (String verb :
                List.of("redrive", "discard", "archive", "restore", "reopen", "quarantine", "redact", "expire")) {
            List<String> before = everything();
            assertThat(dlq(verb, "--reason", "r"))
                    .as(verb)
                    .returns(2, Result::exitCode)
                    .satisfies(result -> assertThat(result.err()).contains("--all"));
            assertThat(dlq(verb, "--yes", "--reason", "r")).as(verb).returns(2, Result::exitCode);
            give(verb);
            List<String> given = everything();
            assertThat(dlq(verb, "--all", "--reason", "r")).as(verb).satisfies(result -> {
                assertThat(result.exitCode()).isEqualTo(6);
                assertThat(result.err()).contains("3 dead letters are ");
            });
            assertThat(everything()).as(verb).isEqualTo(given);
            assertThat(dlq(verb, "--all", "--reason", "r", "--yes")).as(verb).returns(0, Result::exitCode);
            assertThat(everything()).as(verb).isNotEqualTo(given).isNotEqualTo(before);
            reset();
        }
    }

    @Test
    @Tag("long")
    void a_dry_run_needs_no_reason_and_everything_else_does() {
        for (String verb :
                List.of("redrive", "discard", "archive", "restore", "reopen", "quarantine", "redact", "expire")) {
            give(verb);
            List<String> before = everything();
            assertThat(dlq(verb, "--all", "--dry-run", "--json")).as(verb).satisfies(result -> {
                assertThat(result.exitCode()).isZero();
                assertThat(result.json()
                                .path("found")
                                .asInt(result.json().path("messages").asInt()))
                        .isEqualTo(3);
            });
            assertThat(dlq(verb, "--all", "--yes")).as(verb).satisfies(result -> {
                assertThat(result.exitCode()).isEqualTo(2);
                assertThat(result.err()).contains("--reason");
            });
            assertThat(dlq(verb, "--all", "--yes", "--reason", " ")).as(verb).returns(2, Result::exitCode);
            assertThat(everything()).as(verb).isEqualTo(before);
            reset();
        }
    }

    @Test
    void archived_letters_are_opened_again_and_the_audit_says_by_whom() {
        archive(42);

        Result restored = dlq("restore", "--message", "m1", "--by", "grace", "--reason", "asked for", "--json");

        assertThat(restored.exitCode()).isZero();
        assertThat(restored.json().get("restored").asInt()).isEqualTo(1);
        JsonNode history =
                program.run("dlq", "show", idOf("m1"), "--json").json().get("history");
        assertThat(history.get(history.size() - 1).get("action").asText()).isEqualTo("restore");
        assertThat(history.get(history.size() - 1).get("operator").asText()).isEqualTo("grace");
        assertThat(history.get(history.size() - 1).get("reason").asText()).isEqualTo("asked for");
        assertThat(count(DeadLetter.State.OPEN)).isEqualTo(1);
        assertThat(count(DeadLetter.State.ARCHIVED)).isEqualTo(2);
        assertThat(bodyOf("m1")).isEqualTo("{\"email\":\"secret\"}");
    }

    @Test
    @Tag("long")
    void closed_and_quarantined_letters_are_opened_again_and_others_are_not() {
        state("m0", "discarded");
        state("m1", "redriven");
        state("m2", "quarantined");
        long archived = add("m3", "alice");
        DeadLetterArchive.in(database.dataSource(), schema)
                .archive(DeadLetterFilter.id(archived), Duration.ofDays(1), WORD);

        assertThat(dlq("reopen", "--session", "alice", "--state", "quarantined", "--reason", "r", "--json")
                        .json()
                        .get("reopened")
                        .asInt())
                .isEqualTo(1);
        assertThat(dlq("reopen", "--session", "alice", "--reason", "r", "--json")
                        .json()
                        .get("reopened")
                        .asInt())
                .isEqualTo(2);
        assertThat(count(DeadLetter.State.OPEN)).isEqualTo(3);
        assertThat(dlq("reopen", "--id", Long.toString(archived), "--state", "archived", "--reason", "r"))
                .returns(2, Result::exitCode)
                .satisfies(result -> assertThat(result.err()).contains("discarded, redriven, quarantined"));
        assertThat(letters.history(Long.parseLong(idOf("m2")))).last().returns("release", entry -> entry.action());
    }

    @Test
    @Tag("long")
    void letters_are_expired_when_their_time_is_over_or_by_their_age_in_the_archive() {
        archive(42);
        dsl.execute("update " + schema.table("dead_letter_state") + " set keep_until = clock_timestamp()"
                + " where id = " + idOf("m0", "archived"));
        dsl.execute("update " + schema.table("dead_letter_state")
                + " set changed_at = clock_timestamp() - interval '100 days' where id = " + idOf("m1", "archived"));

        assertThat(dlq("expire", "--session", "alice", "--reason", "r").exitCode())
                .isEqualTo(6);
        assertThat(dlq("expire", "--session", "alice", "--reason", "r", "--yes", "--json")
                        .json()
                        .get("expired")
                        .asInt())
                .isEqualTo(1);
        assertThat(dlq("expire", "--older-than", "90d", "--reason", "r", "--yes", "--json")
                        .json()
                        .get("expired")
                        .asInt())
                .isEqualTo(1);
        assertThat(dlq("expire", "--older-than", "0", "--reason", "r", "--yes").exitCode())
                .isEqualTo(2);
        assertThat(letters.count(DeadLetterFilter.everything())).isEqualTo(1);
        assertThat(dsl.fetch("select action from " + schema.table("operator_action") + " where action = 'expire'"))
                .hasSize(2);
    }

    @Test
    void fields_are_redacted_by_name_and_path() {
        add("text", "alice", "no JSON");

        Result result = dlq(
                "redact",
                "--session",
                "alice",
                "--field",
                "property:name",
                "--field",
                "body:/email",
                "--reason",
                "article 17",
                "--yes",
                "--json");

        assertThat(result.exitCode()).isEqualTo(10);
        assertThat(result.json().get("redacted").asInt()).isEqualTo(3);
        assertThat(result.json().get("refused")).hasSize(1);
        assertThat(bodyOf("m0")).isEqualTo("{\"email\":null}");
        assertThat(dlq("redact", "--all", "--field", "session", "--reason", "r", "--yes"))
                .returns(2, Result::exitCode)
                .satisfies(odd -> assertThat(odd.err()).contains("property:NAME"));
        assertThat(dlq("redact", "--message", "m1", "--reason", "all of it", "--yes")
                        .exitCode())
                .isZero();
        assertThat(bodyOf("m1")).isEmpty();
    }

    @Test
    @Tag("long")
    void the_operators_role_is_enough_and_a_role_that_is_not_is_told_which_one_is() throws Exception {
        try (var operator = new Grantee(Role.OPERATOR)) {
            give("quarantine");
            for (List<String> deed : List.of(
                    List.of("quarantine", "--message", "m0"),
                    List.of("redact", "--message", "m0", "--field", "property:name"),
                    List.of("discard", "--message", "m1"),
                    List.of("reopen", "--session", "alice"),
                    List.of("archive", "--message", "m0"),
                    List.of("restore", "--message", "m0"),
                    List.of("archive", "--message", "m0", "--keep", "0"),
                    List.of("expire", "--message", "m0"),
                    List.of("redrive", "--message", "m1"))) {
                assertThat(operator.dlq(deed)).as(deed.toString()).returns(0, Result::exitCode);
            }
            assertThat(operator.run("erase", "--message", "m2", "--reason", "r", "--yes"))
                    .satisfies(refused -> {
                        assertThat(refused.exitCode()).isEqualTo(1);
                        assertThat(refused.err()).contains("permission denied", "grants print eraser --to");
                    });
        }
        try (var reader = new Grantee(Role.READONLY)) {
            assertThat(reader.run("dlq", "list").exitCode()).isZero();
            for (String verb : List.of("discard", "reopen", "archive", "restore", "expire", "redact", "redrive")) {
                give(verb);
                assertThat(reader.dlq(List.of(verb, "--all"))).as(verb).satisfies(refused -> {
                    assertThat(refused.exitCode()).isEqualTo(1);
                    assertThat(refused.err()).contains("permission denied", "grants print operator --to");
                });
                reset();
            }
        }
    }

    @Test
    @Tag("long")
    void an_erasure_says_which_archives_it_has_reached_and_which_not() {
        DeadLetterArchive.in(database.dataSource(), schema, new Drawer())
                .archive(DeadLetterFilter.open().messageId("m0"), Duration.ofDays(1), WORD);

        Result dry = program.run("erase", "--session", "alice", "--dry-run", "--json");
        assertThat(dry.exitCode()).isEqualTo(10);
        assertThat(dry.json().get("left").get("archived-elsewhere").asInt()).isEqualTo(1);
        Result erased = program.run("erase", "--session", "alice", "--reason", "article 17", "--yes");

        assertThat(erased.exitCode()).isEqualTo(10);
        assertThat(erased.out())
                .contains("Archive reached: the table " + schema.table("dead_letter_archive"))
                .contains("Archives not reached: any outside this database")
                .contains("documents there: 1");
        JsonNode archives = program.run("erasures", "repeat", "--reason", "r", "--yes", "--json")
                .json()
                .get("archives");
        assertThat(archives.get("reached").get(0).asText()).isEqualTo(schema.table("dead_letter_archive"));
        assertThat(archives.get("documentsOutOfReach").asInt()).isEqualTo(1);
        assertThat(program.run("erase", "--message", "m9", "--reason", "r", "--yes", "--json")
                        .exitCode())
                .isZero();
    }

    @Test
    @Tag("long")
    void letters_archived_elsewhere_are_left_and_told_of() {
        DeadLetterArchive.in(database.dataSource(), schema, new Drawer())
                .archive(DeadLetterFilter.open().messageId("m0"), Duration.ZERO, WORD);

        for (List<String> deed : List.of(
                List.of("expire", "--session", "alice"),
                List.of("redact", "--state", "archived", "--session", "alice"))) {
            var words = new ArrayList<>(deed);
            words.addAll(List.of("--reason", "r", "--yes", "--json"));
            assertThat(dlq(words.toArray(String[]::new))).as(deed.toString()).satisfies(result -> {
                assertThat(result.exitCode()).isEqualTo(10);
                assertThat(result.json().get("elsewhere").asInt()).isEqualTo(1);
            });
        }
        assertThat(dlq("restore", "--all", "--reason", "r", "--yes")).satisfies(result -> {
            assertThat(result.exitCode()).isEqualTo(1);
            assertThat(result.err()).contains("no document of dead letter " + idOf("m0", "archived"));
        });
        assertThat(count(DeadLetter.State.ARCHIVED)).isEqualTo(1);
    }

    @Test
    @Tag("long")
    void arguments_that_cannot_be_meant_are_refused_and_change_nothing() {
        List<String> before = everything();
        for (List<String> odd : List.of(
                List.of("discard", "--since", "999999999999d"),
                List.of("discard", "--since", "P9999999999D"),
                List.of("discard", "--since", "-1h"),
                List.of("discard", "--session", ""),
                List.of("archive", "--all", "--keep", "99999999999d"),
                List.of("archive", "--all", "--keep", "forever"),
                List.of("expire", "--older-than", "999999d"),
                List.of("discard", "--id", "1,,2"),
                List.of("discard", "--id", "99999999999999999999"),
                List.of("discard", "--all", "--state", "archived"),
                List.of("restore", "--all", "--state", "open"),
                List.of("redrive", "--all", "--state", "discarded"),
                List.of("redact", "--all", "--field", ""),
                List.of("redact", "--all", "--field", "body:email"))) {
            var words = new ArrayList<>(odd);
            words.addAll(List.of("--reason", "typed in a hurry", "--yes"));
            assertThat(dlq(words.toArray(String[]::new)))
                    .as(String.join(" ", odd))
                    .returns(2, Result::exitCode);
        }
        assertThat(everything()).isEqualTo(before);
        for (List<String> hostile :
                List.of(List.of("discard", "--message", "m_"), List.of("discard", "--contains", "\\"))) {
            var words = new ArrayList<>(hostile);
            words.addAll(List.of("--reason", "r", "--yes", "--json"));
            assertThat(dlq(words.toArray(String[]::new)).json().get("found").asInt())
                    .as(hostile.toString())
                    .isZero();
        }
        for (String hostile : List.of("orders' or '1'='1", "%")) {
            assertThat(dlq("discard", "--entity", hostile, "--reason", "r", "--yes"))
                    .as(hostile)
                    .returns(ExitCode.NOT_FOUND, Result::exitCode);
        }
        assertThat(everything()).isEqualTo(before);
    }

    /** Brings the letters into the state that a verb is about. */
    private void give(String verb) {
        switch (verb) {
            case "restore" -> archive(42);
            case "expire" -> archive(0);
            case "reopen" -> dsl.execute("update " + schema.table("dead_letter_state") + " set state = 'discarded'");
            case "quarantine" ->
                dsl.execute("update " + schema.table("dead_letter_state") + " set state = 'quarantined'");
            default -> {}
        }
    }

    private void archive(int days) {
        DeadLetterArchive.in(database.dataSource(), schema)
                .archive(DeadLetterFilter.everything(), Duration.ofDays(days), WORD);
    }

    private void state(String message, String state) {
        dsl.execute("update " + schema.table("dead_letter_state") + " set state = '" + state + "' where id = "
                + idOf(message));
    }

    private Result dlq(String... words) {
        var all = new ArrayList<>(List.of("dlq"));
        all.addAll(List.of(words));
        return program.run(all.toArray(String[]::new));
    }

    private long add(String message, String session) {
        return add(message, session, "{\"email\":\"secret\"}");
    }

    private long add(String message, String session, String body) {
        String line = """
                {"entity":"orders","sequenceNumber":1,"enqueuedAt":"2026-01-01T00:00:00Z","id":"%s","session":"%s",\
                "properties":{"name":"secret"},"body":"%s"}
                """.formatted(
                        message, session, Base64.getEncoder().encodeToString(body.getBytes(StandardCharsets.UTF_8)));
        DeadLetterExchange.in(database.dataSource(), schema)
                .importFrom(new BufferedReader(new StringReader(line)), WORD);
        return Long.parseLong(dsl.fetchSingle("select max(id) from " + schema.table("dead_letter"))
                .get(0, String.class));
    }

    private String idOf(String message) {
        return dsl.fetch("select id from " + schema.table("dead_letter") + " where message_id = {0}", DSL.val(message))
                .get(0)
                .get(0, String.class);
    }

    private String idOf(String message, String state) {
        return program.run("dlq", "list", "--message", message, "--state", state, "--json")
                .json()
                .get(0)
                .get("id")
                .asText();
    }

    private String bodyOf(String message) {
        return new String(
                letters.show(Long.parseLong(idOf(message)))
                        .orElseThrow()
                        .content()
                        .body(),
                StandardCharsets.UTF_8);
    }

    private long count(DeadLetter.State state) {
        return letters.count(DeadLetterFilter.everything().in(state));
    }

    private List<String> everything() {
        return dsl.fetch("select d::text from " + schema.table("dead_letter") + " d order by id")
                .getValues(0, String.class);
    }

    /** Somebody with the grants of a role and no others. */
    private final class Grantee implements AutoCloseable {
        private final String name;
        private final Program own;

        Grantee(Role role) throws SQLException {
            name = schema + "_" + role.name().toLowerCase(Locale.ROOT);
            database.execute("create role " + name);
            database.execute(role.grants(schema, name, Feature.all()));
            String url = database.server().jdbcUrl();
            String separator = url.contains("?") ? "&" : "?";
            own = Program.with(directory, """
                    database:
                      main:
                        url: "%s%soptions=-c%%20role%%3D%s"
                        schema: %s
                    """.formatted(url, separator, name, schema));
        }

        Result run(String... words) {
            return own.run(words);
        }

        Result dlq(List<String> words) {
            var all = new ArrayList<>(List.of("dlq"));
            all.addAll(words);
            all.addAll(List.of("--reason", "r", "--yes"));
            return run(all.toArray(String[]::new));
        }

        @Override
        public void close() throws SQLException {
            Program.with(directory, Program.database(database));
            database.execute("drop owned by " + name);
            database.execute("drop role " + name);
        }
    }

    /** An archive outside the database. */
    private static final class Drawer implements ArchiveStore {
        private final Map<Long, String> documents = new HashMap<>();

        @Override
        public void store(Connection tx, long id, String document) {
            documents.put(id, document);
        }

        @Override
        public Optional<String> load(Connection tx, long id) {
            return Optional.ofNullable(documents.get(id));
        }

        @Override
        public void remove(Connection tx, Collection<Long> ids) {
            documents.keySet().removeAll(ids);
        }
    }
}
