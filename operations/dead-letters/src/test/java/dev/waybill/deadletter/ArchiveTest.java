package dev.waybill.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.message.MessageContent;
import dev.waybill.migrations.Role;
import dev.waybill.relay.TemporaryRole;
import dev.waybill.schema.SchemaName;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class ArchiveTest {
    private static final AuditContext WORD = new AuditContext("ada", "because");
    private static final Duration SIX_WEEKS = Duration.ofDays(42);

    private StoredLetters stored;
    private DeadLetterArchive archive;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        stored = new StoredLetters(database);
        archive = DeadLetterArchive.in(database.dataSource(), stored.schema);
    }

    @Test
    void what_is_archived_can_be_found_for_six_weeks_and_read() {
        long id = stored.add("orders", "BadException", stored.typed("m1"));

        assertThat(archive.archive(DeadLetterFilter.open(), SIX_WEEKS, WORD)).isEqualTo(1);

        var found = stored.letters.show(id).orElseThrow();
        assertThat(found.state()).isEqualTo(DeadLetter.State.ARCHIVED);
        assertThat(found.content().body()).isEmpty();
        assertThat(Duration.between(
                        found.lifecycle().changedAt(), found.lifecycle().keepUntil()))
                .isBetween(SIX_WEEKS.minusSeconds(5), SIX_WEEKS.plusSeconds(5));
        assertThat(stored.letters.count(DeadLetterFilter.everything()
                        .in(DeadLetter.State.ARCHIVED)
                        .property("int", 42)))
                .isEqualTo(1);
        assertThat(archive.content(id).orElseThrow().body()).isEqualTo("body of m1".getBytes(StandardCharsets.UTF_8));
        assertThat(archive.content(id).orElseThrow().properties()).isEqualTo(StoredLetters.everyType());
        assertThat(archive.expire(WORD)).isZero();
    }

    @Test
    void what_was_kept_for_its_time_is_forgotten() {
        long id = stored.add("m1", "body");
        archive.archive(DeadLetterFilter.open(), SIX_WEEKS, WORD);
        stored.execute("update $schema.dead_letter_state set keep_until = clock_timestamp() - interval '1 second'");

        assertThat(archive.expire(WORD)).isEqualTo(1);

        assertThat(stored.all()).isEmpty();
        assertThat(archive.content(id)).isEmpty();
        assertThat(stored.letters.history(id))
                .extracting(DeadLetter.AuditEntry::action)
                .containsExactly("archive", "expire");
    }

    @Test
    void only_what_was_closed_long_enough_ago_goes_by_routine() {
        stored.add("open", "x");
        long closed = stored.add("closed", "x");
        long fresh = stored.add("fresh", "x");
        stored.letters.discard(DeadLetterFilter.id(closed), WORD);
        stored.letters.discard(DeadLetterFilter.id(fresh), WORD);
        stored.execute(
                "update $schema.dead_letter_state set changed_at = clock_timestamp() - interval '8 days' where id = "
                        + closed);

        assertThat(archive.archiveClosed(Duration.ofDays(7), SIX_WEEKS, WORD)).isEqualTo(1);
        assertThat(stored.letters.show(closed).orElseThrow().state()).isEqualTo(DeadLetter.State.ARCHIVED);
    }

    @Test
    @Tag("long")
    void an_archived_dead_letter_can_be_opened_again() {
        long id = stored.add("m1", "body");
        archive.archive(DeadLetterFilter.open(), SIX_WEEKS, WORD);

        assertThat(archive.restore(DeadLetterFilter.id(id), WORD)).isEqualTo(1);

        var found = stored.letters.show(id).orElseThrow();
        assertThat(found.state()).isEqualTo(DeadLetter.State.OPEN);
        assertThat(found.content().body()).isEqualTo("body".getBytes(StandardCharsets.UTF_8));
        assertThat(archive.content(id)).isEmpty();
    }

    @Test
    void one_connection_is_enough_to_open_archived_dead_letters_again(TestDatabase database) {
        stored.add("m1", "1");
        stored.add("m2", "2");
        archive.archive(DeadLetterFilter.open(), SIX_WEEKS, WORD);
        try (HikariDataSource one = PostgresServer.pool(database.server().jdbcUrl(), 1)) {
            assertThat(DeadLetterArchive.in(one, stored.schema).restore(DeadLetterFilter.everything(), WORD))
                    .isEqualTo(2);
        }
    }

    @Test
    void what_has_lost_its_document_is_named_and_not_opened_without_its_body() {
        long id = stored.add("m1", "body");
        archive.archive(DeadLetterFilter.open(), SIX_WEEKS, WORD);
        stored.execute("delete from $schema.dead_letter_archive");

        assertThatThrownBy(() -> archive.restore(DeadLetterFilter.id(id), WORD))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("dead letter " + id);
        assertThat(stored.letters.show(id).orElseThrow().state()).isEqualTo(DeadLetter.State.ARCHIVED);
    }

    @Test
    void an_operator_can_do_all_this_without_the_owner(TestDatabase database) throws Exception {
        stored.add("m1", "1");
        stored.add("m2", "2");
        var lines = new StringBuilder();
        try (var role = new TemporaryRole(database, stored.schema, Role.OPERATOR)) {
            var operatorsExchange = DeadLetterExchange.in(role.pool(), stored.schema);
            var operatorsArchive = DeadLetterArchive.in(role.pool(), stored.schema);
            operatorsExchange.export(DeadLetterFilter.everything(), lines);
            assertThat(operatorsArchive.erase(DeadLetterFilter.everything().messageId("m2"), WORD))
                    .isEqualTo(1);

            // One is known, and has to be looked up; the other is new.
            assertThat(operatorsExchange.importFrom(reader(lines), WORD)).isEqualTo(1);
            assertThat(operatorsArchive.archive(DeadLetterFilter.open(), SIX_WEEKS, WORD))
                    .isEqualTo(2);
            assertThat(operatorsArchive.restore(DeadLetterFilter.everything().messageId("m1"), WORD))
                    .isEqualTo(1);
            assertThat(operatorsArchive.redact(DeadLetterFilter.everything(), WORD))
                    .isEqualTo(2);
            assertThat(operatorsArchive.erase(DeadLetterFilter.everything(), WORD))
                    .isEqualTo(2);
        }
        assertThat(stored.all()).isEmpty();
    }

    @Test
    void an_archive_of_ones_own_is_used_in_place_of_the_table(TestDatabase database) {
        var own = new Drawer();
        var archiveOfOwn = DeadLetterArchive.in(database.dataSource(), stored.schema, own);
        long id = stored.add("m1", "body");

        archiveOfOwn.archive(DeadLetterFilter.open(), Duration.ZERO, WORD);
        assertThat(own.documents).containsOnlyKeys(id);
        assertThat(archiveOfOwn.expire(WORD)).isEqualTo(1);
        assertThat(own.documents).isEmpty();
    }

    @Test
    void an_archive_that_fails_leaves_the_dead_letter_as_it_was(TestDatabase database) {
        var own = new Drawer();
        own.broken = true;
        long id = stored.add("m1", "body");

        assertThatThrownBy(() -> DeadLetterArchive.in(database.dataSource(), stored.schema, own)
                        .archive(DeadLetterFilter.open(), SIX_WEEKS, WORD))
                .hasMessageContaining("drawer");
        assertThat(stored.letters.show(id).orElseThrow().content().body()).isNotEmpty();
    }

    @Test
    void redaction_leaves_nothing_of_what_a_message_said_here_or_in_the_archive() throws IOException {
        var secret = MessageContent.of("m1", "s", "secret".getBytes(StandardCharsets.UTF_8))
                .withProperties(Map.of("name", "secret", "waybill-id", "m1"));
        long open = stored.add("orders", "r", secret);
        stored.letters.edit(open, now -> now.withBody("secret 2".getBytes(StandardCharsets.UTF_8)), WORD);
        long archived = stored.add("orders", "r", secret);
        archive.archive(DeadLetterFilter.id(archived), SIX_WEEKS, WORD);

        assertThat(archive.redact(DeadLetterFilter.everything().messageId("m1"), WORD))
                .isEqualTo(2);

        assertThat(dump()).doesNotContain("secret");
        assertThat(archive.content(archived).orElseThrow().body()).isEmpty();
        assertThat(stored.letters.show(open).orElseThrow().content().properties())
                .containsOnlyKeys("waybill-id");
        assertThat(stored.letters.original(open).orElseThrow().body()).isEmpty();
    }

    @Test
    void erasure_by_session_leaves_only_that_it_was_done() throws IOException {
        long open = stored.add("orders", "r", MessageContent.of("m1", "s", "secret".getBytes(StandardCharsets.UTF_8)));
        long archived =
                stored.add("orders", "r", MessageContent.of("m2", "s", "secret".getBytes(StandardCharsets.UTF_8)));
        stored.add("orders", "r", MessageContent.of("m3", "other", "stays".getBytes(StandardCharsets.UTF_8)));
        archive.archive(DeadLetterFilter.id(archived), SIX_WEEKS, WORD);

        assertThat(archive.erase(DeadLetterFilter.everything().session("s"), WORD))
                .isEqualTo(2);

        assertThat(stored.all())
                .singleElement()
                .returns("m3", letter -> letter.content().messageId());
        assertThat(archive.content(archived)).isEmpty();
        assertThat(dump()).doesNotContain("secret");
        assertThat(stored.letters.history(open))
                .extracting(DeadLetter.AuditEntry::action)
                .containsExactly("erase");
    }

    @Test
    void export_and_import_round_trip_byte_for_byte(TestDatabase database) throws Exception {
        byte[] large = new byte[256 * 1024];
        new Random(5).nextBytes(large);
        stored.add("orders", "BadException", stored.typed("typed"));
        stored.add("events/Subscriptions/audit", "r\u00e4ason \"x\"\n", MessageContent.of("large", "s", large));
        stored.add("orders", "r", MessageContent.of("empty", null, new byte[0]));
        var first = new StringBuilder();
        exchange(stored).export(DeadLetterFilter.everything(), first);

        var other = new StoredLetters(database, new SchemaName(stored.schema + "_app"));
        assertThat(exchange(other).importFrom(reader(first), WORD)).isEqualTo(3);
        assertThat(exchange(other).importFrom(reader(first), WORD)).isZero();
        var second = new StringBuilder();
        exchange(other).export(DeadLetterFilter.everything(), second);

        assertThat(withoutCollectionTime(second)).isEqualTo(withoutCollectionTime(first));
        for (int i = 0; i < 3; i++) {
            var before = stored.all().get(i);
            var after = other.all().get(i);
            assertThat(after.content().body()).isEqualTo(before.content().body());
            assertThat(after.content().headers()).isEqualTo(before.content().headers());
            assertThat(after.origin()).isEqualTo(before.origin());
            assertThat(after.death()).isEqualTo(before.death());
        }
    }

    @Test
    void lines_that_stand_twice_in_a_file_or_are_known_are_stored_once(TestDatabase database) throws Exception {
        stored.add("m1", "one");
        stored.add("m2", "two");
        var lines = new StringBuilder();
        exchange(stored)
                .export(
                        DeadLetterFilter.id(stored.letters
                                .list(DeadLetterFilter.everything(), 0, 1)
                                .get(0)
                                .id()),
                        lines);
        var other = new StoredLetters(database, new SchemaName(stored.schema + "_app"));
        assertThat(exchange(other).importFrom(reader(lines + lines.toString()), WORD))
                .isEqualTo(1);

        var all = new StringBuilder();
        exchange(stored).export(DeadLetterFilter.everything(), all);

        assertThat(exchange(other).importFrom(reader(all + all.toString()), WORD))
                .isEqualTo(1);
        assertThat(other.all())
                .extracting(letter -> letter.content().messageId())
                .containsExactly("m1", "m2");
    }

    @Test
    void an_edited_dead_letter_is_known_again_when_its_export_comes_back() throws Exception {
        long id = stored.add("m1", "{amount}");
        stored.letters.edit(id, content -> content.withBody("{\"amount\": 1}".getBytes(StandardCharsets.UTF_8)), WORD);
        var lines = new StringBuilder();
        exchange(stored).export(DeadLetterFilter.everything(), lines);

        assertThat(exchange(stored).importFrom(reader(lines), WORD)).isZero();

        assertThat(stored.all()).hasSize(1);
    }

    private static DeadLetterExchange exchange(StoredLetters of) {
        return DeadLetterExchange.in(of.database.dataSource(), of.schema);
    }

    private static BufferedReader reader(CharSequence text) {
        return new BufferedReader(new StringReader(text.toString()));
    }

    private static String withoutCollectionTime(CharSequence lines) {
        return lines.toString().replaceAll("\"collectedAt\":\"[^\"]*\"", "");
    }

    /** Everything that the tables of dead letters hold, with their bodies as text. */
    private String dump() {
        return Stream.of(
                        "dead_letter_message",
                        "dead_letter_state",
                        "dead_letter_version",
                        "dead_letter_archive",
                        "operator_action")
                .map(table -> stored.dsl
                        .fetch(
                                "select t.*, convert_from(decode(coalesce(substr(to_jsonb(t)->>'payload', 3), ''), 'hex'), 'UTF8')"
                                        + " from " + stored.schema.table(table) + " t")
                        .formatJSON())
                .collect(Collectors.joining());
    }

    /** An archive in a map. */
    private static final class Drawer implements ArchiveStore {
        private final Map<Long, String> documents = new HashMap<>();
        private boolean broken;

        @Override
        public void store(Connection tx, long id, String document) {
            if (broken) {
                throw new IllegalStateException("The drawer is stuck");
            }
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
