package dev.waybill.deadletter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A driver that writes bodies into the statement's text, and a server that takes their backslashes for escapes. */
@ExtendWith(PostgresExtension.class)
class MisreadBodiesTest {
    private static final String BOTH = "&preferQueryMode=simple&options=-c%20standard_conforming_strings=off";
    private static final AuditContext WORD = new AuditContext("ada", "a test");

    @Test
    void a_collector_is_refused(TestDatabase database) {
        var stored = new StoredLetters(database);
        try (var pool = PostgresServer.pool(database.server().jdbcUrl() + BOTH, 1)) {
            assertThatThrownBy(() -> DeadLetterCollector.start(pool, stored.schema, List.of()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("standard_conforming_strings");
        }
    }

    @Test
    void an_edited_body_that_would_be_stored_as_another_is_refused(TestDatabase database) {
        var stored = new StoredLetters(database);
        long id = stored.add("m1", "hello");
        try (var pool = PostgresServer.pool(database.server().jdbcUrl() + BOTH, 2)) {
            var there = DeadLetters.in(pool, stored.schema);
            assertThatThrownBy(() -> there.edit(id, now -> now.withBody("hallo".getBytes(UTF_8)), WORD))
                    .hasStackTraceContaining("standard_conforming_strings");
        }
        assertThat(stored.letters.show(id).orElseThrow().content().body()).isEqualTo("hello".getBytes(UTF_8));
    }

    @Test
    void an_archived_body_is_not_restored_as_another(TestDatabase database) {
        var stored = new StoredLetters(database);
        long id = stored.add("m1", "hello");
        var archive = DeadLetterArchive.in(database.dataSource(), stored.schema);
        archive.archive(DeadLetterFilter.open(), Duration.ofDays(1), WORD);
        try (var pool = PostgresServer.pool(database.server().jdbcUrl() + BOTH, 2)) {
            var there = DeadLetterArchive.in(pool, stored.schema);
            assertThatThrownBy(() -> there.restore(DeadLetterFilter.id(id), WORD))
                    .hasStackTraceContaining("standard_conforming_strings");
        }

        assertThat(archive.restore(DeadLetterFilter.id(id), WORD)).isEqualTo(1);
        assertThat(stored.letters.show(id).orElseThrow().content().body()).isEqualTo("hello".getBytes(UTF_8));
    }

    @Test
    void a_redaction_that_would_store_something_else_is_refused(TestDatabase database) {
        var stored = new StoredLetters(database);
        long id = stored.add("m1", "hello");
        try (var pool = PostgresServer.pool(database.server().jdbcUrl() + BOTH, 2)) {
            var there = DeadLetterArchive.in(pool, stored.schema);
            assertThatThrownBy(() -> there.redact(DeadLetterFilter.id(id), WORD))
                    .hasStackTraceContaining("standard_conforming_strings");
        }

        assertThat(stored.letters.show(id).orElseThrow().content().body()).isEqualTo("hello".getBytes(UTF_8));
    }
}
