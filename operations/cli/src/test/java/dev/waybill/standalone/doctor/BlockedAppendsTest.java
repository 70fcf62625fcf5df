package dev.waybill.standalone.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Three appends of a session hang, because a transaction that has appended to it does not end. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class BlockedAppendsTest {
    @TempDir
    private Path directory;

    private final List<CompletableFuture<?>> writers = new ArrayList<>();
    private TestDatabase database;
    private SchemaName schema;
    private Connection first;

    @BeforeEach
    void append(TestDatabase database) throws Exception {
        this.database = database;
        schema = Program.tables(database);
        first = database.dataSource().getConnection();
        first.setAutoCommit(false);
        append(first, "first");
    }

    @AfterEach
    void end() throws Exception {
        first.rollback();
        first.close();
        for (CompletableFuture<?> writer : writers) {
            writer.get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void an_idle_transaction_is_named_at_once_with_its_state_and_how_many_wait() throws Exception {
        hang();

        assertThat(findings(Duration.ZERO)).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Finding.Severity.ERROR);
            assertThat(finding.evidence()).contains("3 appends wait", "idle in transaction", "its transaction began");
            assertThat(finding.fix()).startsWith("select pg_terminate_backend(");
        });
        assertThat(findings(Duration.ofMinutes(1))).isEmpty();
    }

    @Test
    void a_prepared_transaction_is_named_and_its_manager_is_asked_before_it_ends() throws Exception {
        String id = "it's " + schema;
        String quoted = "'" + id.replace("'", "''") + "'";
        execute("prepare transaction " + quoted);
        try {
            hang();

            assertThat(findings(Duration.ZERO)).singleElement().satisfies(finding -> {
                assertThat(finding.evidence()).contains("3 appends wait", "prepared transaction " + quoted);
                assertThat(finding.fix())
                        .startsWith("ask its transaction manager for the outcome, then: commit prepared " + quoted);
            });
        } finally {
            database.execute("rollback prepared " + quoted);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"lock table %s.outbox_message", "alter sequence %s.outbox_seq cycle"})
    void a_lock_on_the_whole_outbox_or_its_sequence_blocks_appends_as_well(String statement) throws Exception {
        first.rollback();
        execute(statement.formatted(schema));
        hang();

        assertThat(findings(Duration.ZERO))
                .singleElement()
                .satisfies(finding -> assertThat(finding.evidence()).contains("3 appends wait"));
    }

    @Test
    void a_lock_on_the_scheduled_messages_blocks_appends_of_others() throws Exception {
        first.rollback();
        execute("lock table " + schema + ".outbox_scheduled");
        writers.add(CompletableFuture.runAsync(
                () -> DSL.using(database.dataSource(), SQLDialect.POSTGRES)
                        .execute(
                                "insert into " + schema + ".outbox_scheduled (destination, message_id, due_at, payload)"
                                        + " values ('orders', 'later', now(), '')"),
                writer -> new Thread(writer, "test-writer").start()));
        await().until(() -> waiting() == 1);

        assertThat(findings(Duration.ZERO))
                .singleElement()
                .satisfies(finding -> assertThat(finding.evidence()).contains("1 append waits"));
    }

    @Test
    void appends_that_wait_for_nobody_are_no_finding() {
        assertThat(findings(Duration.ZERO)).isEmpty();
    }

    @Test
    void a_trace_that_finds_nothing_says_that_the_message_may_not_be_committed_yet() {
        Program program = Program.with(
                directory,
                "database:\n  main:\n    url: '" + database.server().jdbcUrl() + "'\n    schema: " + schema + "\n");

        for (Result result : List.of(program.run("trace", "first"), program.run("trace", "--session", "w-7"))) {
            assertThat(result.exitCode()).isEqualTo(3);
            assertThat(result.err()).contains("not committed yet");
        }
    }

    private List<Finding> findings(Duration longer) {
        var findings = new Findings();
        new AppendsExamination(DSL.using(database.dataSource(), SQLDialect.POSTGRES), schema, findings, "database main")
                .run(longer);
        return findings.sorted();
    }

    private void hang() {
        for (String id : List.of("m1", "m2", "m3")) {
            writers.add(CompletableFuture.runAsync(
                    () -> {
                        try (Connection connection = database.dataSource().getConnection()) {
                            append(connection, id);
                        } catch (SQLException e) {
                            throw new IllegalStateException(e);
                        }
                    },
                    writer -> new Thread(writer, "test-writer").start()));
        }
        await().until(() -> waiting() == 3);
    }

    private int waiting() {
        return DSL.using(database.dataSource(), SQLDialect.POSTGRES)
                .fetchSingle("select count(*)::int from pg_locks where not granted and waitstart is not null and"
                        + " database = (select oid from pg_database where datname = current_database())")
                .get(0, Integer.class);
    }

    private void append(Connection connection, String id) throws SQLException {
        try (var statement =
                connection.prepareStatement("select " + schema + ".outbox_append('orders', 'w-7', ?, '\\x01')")) {
            statement.setString(1, id);
            statement.execute();
        }
    }

    private void execute(String sql) throws SQLException {
        try (var statement = first.createStatement()) {
            statement.execute(sql);
        }
    }
}
