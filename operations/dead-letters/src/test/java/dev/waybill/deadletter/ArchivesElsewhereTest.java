package dev.waybill.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.deadletter.ErasureReport.Place;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.message.MessageContent;
import dev.waybill.migrations.Role;
import dev.waybill.relay.TemporaryRole;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jooq.TransactionListener;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Some documents are in an archive outside the database, and some callers know only the one inside. */
@ExtendWith(PostgresExtension.class)
class ArchivesElsewhereTest {
    private static final AuditContext WORD = new AuditContext("ada", "because");
    private static final Duration KEEP = Duration.ofDays(42);
    private static final DeadLetterFilter ALL = DeadLetterFilter.everything();

    private final Drawer drawer = new Drawer();
    private StoredLetters stored;
    private DeadLetterArchive inTable;
    private DeadLetterArchive inDrawer;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        stored = new StoredLetters(database);
        inTable = DeadLetterArchive.in(database.dataSource(), stored.schema);
        inDrawer = DeadLetterArchive.in(database.dataSource(), stored.schema, drawer);
    }

    @Test
    void an_erasure_with_an_archive_outside_the_database_removes_the_document_in_the_table_too() {
        archived(inTable, "m1", "alice");
        archived(inDrawer, "m2", "alice");

        ErasureReport report = erasure(drawer).erase(ErasureRequest.session("alice"), WORD);

        assertThat(report.removed()).containsEntry(Place.ARCHIVE, 2L).containsEntry(Place.DEAD_LETTERS, 2L);
        assertThat(report.remaining()).isEmpty();
        assertThat(documentsInTheTable()).isEmpty();
        assertThat(drawer.documents).isEmpty();
    }

    @Test
    void an_erasure_that_cannot_reach_a_document_says_so_and_keeps_the_way_to_it() {
        long there = archived(inDrawer, "m1", "alice");
        archived(inTable, "m2", "alice");
        Erasure tableOnly = Erasure.in(stored.database.dataSource(), stored.schema);

        ErasureReport preview = tableOnly.preview(ErasureRequest.session("alice"));
        ErasureReport report = tableOnly.erase(ErasureRequest.session("alice"), WORD);

        assertThat(preview).isEqualTo(report);
        assertThat(report.removed())
                .containsEntry(Place.DEAD_LETTERS, 1L)
                .containsEntry(Place.ARCHIVE, 1L)
                .containsEntry(Place.ARCHIVED_ELSEWHERE, 1L);
        assertThat(report.remaining()).containsOnly(Map.entry(Place.ARCHIVED_ELSEWHERE, 1L));
        assertThat(stored.texts("select m::text from $schema.dead_letter_message m"))
                .singleElement()
                .asString()
                .doesNotContain("secret");
        ErasureReport again = tableOnly.repeat(WORD);
        assertThat(again.removed()).isEmpty();
        assertThat(again.remaining()).containsOnly(Map.entry(Place.ARCHIVED_ELSEWHERE, 1L));

        assertThat(erasure(drawer).repeat(WORD).remaining()).isEmpty();
        assertThat(drawer.documents).doesNotContainKey(there);
        assertThat(stored.all()).isEmpty();
    }

    @Test
    void the_erasers_role_takes_out_what_the_tables_say_of_a_letter_that_is_archived_elsewhere() throws Exception {
        archived(inDrawer, "m1", "alice");
        try (var role = new TemporaryRole(stored.database, stored.schema, Role.ERASER)) {
            assertThat(Erasure.in(role.pool(), stored.schema)
                            .erase(ErasureRequest.message("m1"), WORD)
                            .remaining())
                    .containsOnly(Map.entry(Place.ARCHIVED_ELSEWHERE, 1L));
        }
    }

    @Test
    void a_preview_with_an_archive_outside_the_database_removes_nothing_there() {
        long id = archived(inDrawer, "m1", "alice");

        assertThat(erasure(drawer).preview(ErasureRequest.session("alice")).removed())
                .containsEntry(Place.ARCHIVE, 1L);

        assertThat(drawer.documents).containsOnlyKeys(id);
    }

    @Test
    void what_is_redacted_here_does_not_pass_for_redacted_there() {
        long there = archived(inDrawer, "m1", "alice");
        archived(inTable, "m2", "alice");

        assertThat(inTable.redact(ALL, WORD)).isEqualTo(2);

        assertThat(inTable.elsewhere(ALL)).isEqualTo(1);
        assertThat(documentsInTheTable()).singleElement().asString().contains("m2");
        assertThat(drawer.documents.get(there)).contains("secret");

        assertThat(inDrawer.elsewhere(ALL)).isZero();
        assertThat(inDrawer.redact(ALL, WORD)).isEqualTo(2);
        assertThat(drawer.documents.get(there)).doesNotContain("secret");
        assertThat(documentsInTheTable()).noneMatch(document -> document.contains("secret"));
    }

    @Test
    void letters_whose_documents_are_elsewhere_do_not_run_out_here() {
        long there = archived(inDrawer, "m1", "alice");
        archived(inTable, "m2", "alice");
        stored.execute("update $schema.dead_letter_state set keep_until = clock_timestamp() - interval '1 second'");

        assertThat(inTable.expire(WORD)).isEqualTo(1);
        assertThat(stored.all()).extracting(DeadLetter::id).containsExactly(there);

        assertThat(inDrawer.expire(WORD)).isEqualTo(1);
        assertThat(drawer.documents).isEmpty();
        assertThat(stored.letters.history(there))
                .extracting(DeadLetter.AuditEntry::action)
                .containsExactly("archive", "expire");
    }

    @Test
    void a_letter_whose_document_is_elsewhere_is_named_and_the_others_are_opened() {
        long there = archived(inDrawer, "m1", "alice");
        archived(inTable, "m2", "alice");

        assertThatThrownBy(() -> inTable.restore(ALL, WORD))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("dead letter " + there)
                .hasMessageContaining("1 other was opened");

        assertThat(stored.letters.count(DeadLetterFilter.open())).isEqualTo(1);
        assertThat(inDrawer.restore(ALL, WORD)).isEqualTo(1);
        assertThat(stored.all())
                .extracting(letter -> new String(letter.content().body(), StandardCharsets.UTF_8))
                .containsOnly("secret");
    }

    @Test
    void letters_archived_in_the_table_are_opened_after_an_application_has_moved_to_an_archive_of_its_own() {
        archived(inTable, "m1", "alice");

        assertThat(inDrawer.restore(ALL, WORD)).isEqualTo(1);

        assertThat(documentsInTheTable()).isEmpty();
        assertThat(stored.letters.count(DeadLetterFilter.open())).isEqualTo(1);
    }

    @Test
    void a_letter_that_is_ordered_to_be_erased_and_cannot_be_opened_here_keeps_the_way_to_its_document() {
        archived(inDrawer, "m1", "alice");
        stored.execute("insert into $schema.erasure_order (digest, kind, applies_until, operator, reason)"
                + " values ($schema.erasure_digest('message', 'm1'), 'message', 'infinity', 'ada', 'because')");

        assertThatThrownBy(() -> inTable.restore(ALL, WORD)).isInstanceOf(IllegalStateException.class);
        assertThat(stored.all()).hasSize(1);

        assertThat(inDrawer.restore(ALL, WORD)).isZero();
        assertThat(drawer.documents).isEmpty();
        assertThat(stored.all()).isEmpty();
    }

    @Test
    @Timeout(60)
    void a_letter_that_is_archived_while_an_erasure_waits_for_it_is_erased() throws Exception {
        long id = stored.add(
                "orders", "Bad", MessageContent.of("m1", "alice", "secret".getBytes(StandardCharsets.UTF_8)));
        var archived = new CountDownLatch(1);
        var commits = new CountDownLatch(1);
        var writer = CompletableFuture.runAsync(() -> stored.dsl.transaction(tx -> {
            DeadLetterArchive.in(tx.dsl(), stored.schema, null).archive(DeadLetterFilter.id(id), KEEP, WORD);
            archived.countDown();
            commits.await();
        }));
        archived.await();
        var eraser = CompletableFuture.supplyAsync(() ->
                Erasure.in(stored.database.dataSource(), stored.schema).erase(ErasureRequest.session("alice"), WORD));
        await().until(() -> !stored.texts("select pid::text from pg_locks where not granted")
                .isEmpty());
        commits.countDown();
        writer.get();

        assertThat(eraser.get().remaining()).isEmpty();
        assertThat(stored.all()).isEmpty();
        assertThat(documentsInTheTable()).isEmpty();
    }

    @Test
    void a_restore_that_dies_before_its_commit_leaves_the_document_outside_the_database() {
        long id = archived(inDrawer, "m1", "alice");
        var dying = DSL.using(stored.dsl.configuration().deriveAppending(TransactionListener.onCommitStart(context -> {
            throw new IllegalStateException("killed");
        })));

        assertThatThrownBy(
                        () -> DeadLetterArchive.in(dying, stored.schema, drawer).restore(ALL, WORD))
                .hasMessageContaining("killed");

        assertThat(drawer.documents).containsKey(id);
        assertThat(inDrawer.restore(ALL, WORD)).isEqualTo(1);
        assertThat(drawer.documents).isEmpty();
    }

    @Test
    void a_document_that_a_restore_could_not_remove_is_removed_by_redaction_and_erasure() {
        for (boolean redacted : List.of(true, false)) {
            long id = archived(inDrawer, "m1", "alice");
            drawer.broken = true;
            assertThatThrownBy(() -> inDrawer.restore(ALL, WORD)).hasStackTraceContaining("stuck");
            assertThat(stored.letters.show(id).orElseThrow().state()).isEqualTo(DeadLetter.State.OPEN);
            drawer.broken = false;

            if (redacted) {
                inDrawer.redact(ALL, List.of("property:name"), WORD);
                assertThat(drawer.documents).isEmpty();
                inDrawer.erase(ALL, WORD);
            } else {
                erasure(drawer).erase(ErasureRequest.session("alice"), WORD);
            }
            assertThat(drawer.documents).isEmpty();
            assertThat(stored.all()).isEmpty();
        }
    }

    @Test
    void what_dies_before_its_commit_is_done_by_the_same_call_again() {
        archived(inDrawer, "m1", "alice");
        var dying = DSL.using(stored.dsl.configuration().deriveAppending(TransactionListener.onCommitStart(context -> {
            throw new IllegalStateException("killed");
        })));
        var killed = DeadLetterArchive.in(dying, stored.schema, drawer);

        assertThatThrownBy(() -> killed.redact(ALL, WORD)).hasMessageContaining("killed");
        assertThat(inDrawer.redact(ALL, WORD)).isEqualTo(1);
        assertThat(drawer.documents.toString()).doesNotContain("secret");
        assertThatThrownBy(() -> killed.expire(ALL, WORD)).hasMessageContaining("killed");
        assertThat(inDrawer.expire(ALL, WORD)).isEqualTo(1);
        assertThat(stored.all()).isEmpty();
    }

    @Test
    void documents_that_take_a_minute_outside_the_database_are_not_cut_off_by_it() {
        stored.add("orders", "Bad", MessageContent.of("m1", "alice", new byte[1]));
        var limits = new ArrayList<String>();
        var slow = (ArchiveStore) Proxy.newProxyInstance(
                ArchivesElsewhereTest.class.getClassLoader(),
                new Class<?>[] {ArchiveStore.class},
                (self, method, arguments) -> {
                    var tx = (Connection) arguments[0];
                    if (!tx.getAutoCommit()) {
                        limits.add(method.getName() + " " + idleLimit(tx));
                    }
                    return method.invoke(drawer, arguments);
                });
        var archive = DeadLetterArchive.in(stored.database.dataSource(), stored.schema, slow);

        archive.archive(ALL, KEEP, WORD);
        archive.restore(ALL, WORD);
        archive.archive(ALL, KEEP, WORD);
        erasure(slow).erase(ErasureRequest.session("alice"), WORD);

        assertThat(limits).containsExactly("store 10min", "load 10min", "store 10min", "remove 10min");
        assertThat(stored.all()).isEmpty();
    }

    private static String idleLimit(Connection tx) {
        return DSL.using(tx)
                .fetchSingle("show idle_in_transaction_session_timeout")
                .get(0, String.class);
    }

    private Erasure erasure(ArchiveStore store) {
        return Erasure.in(stored.database.dataSource(), stored.schema, store);
    }

    private long archived(DeadLetterArchive archive, String message, String session) {
        var content = MessageContent.of(message, session, "secret".getBytes(StandardCharsets.UTF_8))
                .withProperties(Map.of("name", "secret"));
        long id = stored.add("orders", "Bad", content);
        archive.archive(DeadLetterFilter.id(id), KEEP, WORD);
        return id;
    }

    private List<String> documentsInTheTable() {
        return stored.texts("select document from $schema.dead_letter_archive order by id");
    }

    /** An archive in a map; its documents with their bodies as text. */
    private static final class Drawer implements ArchiveStore {
        private final Map<Long, String> documents = new HashMap<>();
        private boolean broken;

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
            if (broken) {
                throw new IllegalStateException("The drawer is stuck");
            }
            documents.keySet().removeAll(ids);
        }
    }
}
