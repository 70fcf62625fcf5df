package dev.waybill.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.deadletter.ErasureReport.Place;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.Holds;
import dev.waybill.inbox.Inbox;
import dev.waybill.message.MessageContent;
import dev.waybill.migrations.Role;
import dev.waybill.relay.TemporaryRole;
import dev.waybill.schema.DeadlockRetry;
import java.io.BufferedReader;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** An erased message is gone from every table, and stays gone. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class ErasureTest {
    private static final AuditContext WORD = new AuditContext("ada", "article 17");

    private StoredLetters stored;
    private Erasure erasure;
    private DeadLetterArchive archive;
    private Redrives redrives;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        stored = new StoredLetters(database);
        stored.served("orders");
        stored.consumer("ledger");
        erasure = Erasure.in(database.dataSource(), stored.schema);
        archive = DeadLetterArchive.in(database.dataSource(), stored.schema);
        redrives = Redrives.in(database.dataSource(), stored.schema);
    }

    @Test
    void a_session_is_gone_from_every_place_and_nobody_else_is_touched() {
        copiesOf("m1", "alice");
        copiesOf("m2", "bob");
        publishAll();

        ErasureReport report = erasure.erase(ErasureRequest.session("alice").withLive(), WORD);

        assertThat(report.removed())
                .containsEntry(Place.DEAD_LETTERS, 2L)
                .containsEntry(Place.DEAD_LETTER_VERSIONS, 1L)
                .containsEntry(Place.ARCHIVE, 1L)
                .containsEntry(Place.HOLD_AUDIT, 1L)
                .containsEntry(Place.CLAIMS, 1L)
                .containsEntry(Place.RESPONSES, 1L)
                .containsEntry(Place.SESSION_STATE, 1L)
                .containsEntry(Place.PUBLISHED, 1L)
                .containsEntry(Place.SCHEDULED, 1L)
                .containsEntry(Place.HELD_IN_INBOX, 1L)
                .doesNotContainKey(Place.PENDING);
        assertThat(report.remaining()).isEmpty();
        assertThat(everything("secret of m1")).isEmpty();
        assertThat(everything("secret of m2")).hasSize(10);
        assertThat(erasure.erase(ErasureRequest.session("alice").withLive(), WORD)
                        .total())
                .isZero();
    }

    @Test
    void a_message_whose_claim_is_no_uuid_is_erased_all_the_same() {
        for (String table : List.of("outbox_message", "outbox_scheduled")) {
            stored.execute("insert into $schema." + table + " (destination, session_id, message_id, headers, payload"
                    + (table.equals("outbox_scheduled") ? ", due_at" : "")
                    + ") select 'orders', 'alice', 'm1', jsonb_build_object('waybill-claim', repeat('a', 36)), 'x'"
                    + (table.equals("outbox_scheduled") ? ", '2100-01-01'" : ""));
        }

        ErasureReport report = erasure.erase(ErasureRequest.session("alice").withLive(), WORD);

        assertThat(report.removed()).containsEntry(Place.PENDING, 1L).containsEntry(Place.SCHEDULED, 1L);
        assertThat(report.remaining()).isEmpty();
    }

    @Test
    void a_message_is_gone_from_every_place_and_what_is_on_its_way_is_left_and_named() {
        copiesOf("m1", "alice");
        publishAll();
        outbox("m1", "alice");

        ErasureReport report = erasure.erase(ErasureRequest.message("m1"), WORD);

        assertThat(report.remaining())
                .containsOnly(
                        Map.entry(Place.PENDING, 1L),
                        Map.entry(Place.SCHEDULED, 1L),
                        Map.entry(Place.HELD_IN_INBOX, 1L));
        assertThat(report.removed())
                .containsEntry(Place.DEAD_LETTERS, 2L)
                .containsEntry(Place.PUBLISHED, 1L)
                .doesNotContainKeys(Place.SESSION_STATE, Place.CLAIMS);
        // Its body is needed still by the message that waits.
        assertThat(everything("secret of m1")).hasSize(5);

        assertThat(erasure.erase(ErasureRequest.message("m1").withLive(), WORD).removed())
                .containsEntry(Place.PENDING, 1L)
                .containsEntry(Place.CLAIMS, 1L);
        assertThat(everything("secret of m1")).containsExactly("inbox_state");
    }

    @Test
    void a_preview_names_what_would_be_removed_and_removes_nothing() {
        copiesOf("m1", "alice");
        publishAll();
        List<String> before = everything("secret");

        ErasureReport preview = erasure.preview(ErasureRequest.session("alice"));

        assertThat(preview.removed()).containsEntry(Place.DEAD_LETTERS, 2L).containsEntry(Place.PUBLISHED, 1L);
        assertThat(preview.remaining()).containsEntry(Place.HELD_IN_INBOX, 1L);
        assertThat(everything("secret")).isEqualTo(before);
        assertThat(erasure.orders()).isEmpty();
        assertThat(stored.texts("select document from $schema.dead_letter_archive"))
                .hasSize(1);
    }

    @Test
    void the_order_says_nothing_and_the_inbox_keeps_its_keys() {
        copiesOf("m1", "alice");

        erasure.erase(ErasureRequest.session("alice").withLive(), WORD);

        assertThat(stored.texts("select o::text from $schema.erasure_order o"))
                .singleElement()
                .asString()
                .doesNotContain("alice");
        assertThat(erasure.orders()).extracting(Erasure.Order::instruction).containsExactly(WORD);
        // The held message counts as handled, by the inbox's own key.
        assertThat(firstTime("ledger", "m1")).isFalse();
    }

    @Test
    void nothing_that_is_erased_is_collected_or_imported_again() throws Exception {
        stored.add("orders", "Bad", secret("m1", "alice"));
        var lines = new StringWriter();
        var exchange = DeadLetterExchange.in(stored.database.dataSource(), stored.schema);
        exchange.export(DeadLetterFilter.everything(), lines);
        erasure.erase(ErasureRequest.session("alice"), WORD);

        stored.add("orders", "Bad", secret("m1", "alice"));
        stored.add("orders", "Bad", secret("m2", "bob"));
        int imported = exchange.importFrom(new BufferedReader(new StringReader(lines.toString())), WORD);

        assertThat(imported).isZero();
        assertThat(stored.all())
                .extracting(letter -> letter.content().messageId())
                .containsExactly("m2");
    }

    @Test
    void what_comes_after_the_order_is_new_for_a_session_and_not_for_a_message() {
        erasure.erase(ErasureRequest.session("alice"), WORD);
        erasure.erase(ErasureRequest.message("m9"), WORD);
        var later = new StoredLetters.Place(1, Instant.parse("2999-01-01T00:00:00Z"));

        stored.add("orders", "Bad", later, secret("m1", "alice"));
        stored.add("orders", "Bad", later, secret("m9", "carol"));

        assertThat(stored.all())
                .extracting(letter -> letter.content().messageId())
                .containsExactly("m1");
    }

    @Test
    void what_is_on_its_way_back_when_the_order_comes_is_erased_in_place_of_redriven() throws Exception {
        stored.add("orders", "Bad", secret("m1", "alice"));
        stored.add("orders", "Bad", secret("m2", "bob"));
        long run = redrives.begin(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD);
        orderOnly("message", "m1");

        RedriveRun done = redrives.finish(run);

        assertThat(done.redriven()).isEqualTo(1);
        assertThat(stored.texts("select message_id from $schema.outbox_message"))
                .containsExactly("m2");
        assertThat(everything("secret of m1")).isEmpty();
    }

    @Test
    void what_is_restored_from_the_archive_when_the_order_comes_is_erased() {
        long id = stored.add("orders", "Bad", secret("m1", "alice"));
        archive.archive(DeadLetterFilter.open(), Duration.ofDays(1), WORD);
        orderOnly("session", "alice");

        archive.restore(DeadLetterFilter.everything(), WORD);

        assertThat(stored.all()).isEmpty();
        assertThat(archive.content(id)).isEmpty();
    }

    @Test
    void what_is_moved_into_a_hold_when_the_order_comes_is_not_held_and_no_audit_tells_of_it() {
        hold("m1", "alice");
        orderOnly("message", "m1");
        var holds = Holds.ofInbox(stored.database.dataSource(), stored.schema, (tx, key, message) -> {});
        var key = HoldKey.session(HoldSide.INBOX, "ledger", "alice");
        holds.skip(key, holds.messages(key, 0, 1).get(0).place(), WORD);
        assertThat(everything("secret of m1")).isEmpty();

        stored.execute("update $schema.erasure_order set live = true");
        hold("m1", "alice");

        assertThat(everything("secret of m1")).isEmpty();
        assertThat(stored.texts("select key from $schema.inbox_hold")).isEmpty();
    }

    @Test
    void who_could_not_see_the_order_is_waited_for() throws Exception {
        var stores = new CountDownLatch(1);
        var commits = new CountDownLatch(1);
        var writer = CompletableFuture.runAsync(() -> stored.dsl.transaction(tx -> {
            new StoredLetters(tx.dsl(), stored).add("orders", "Bad", secret("m1", "alice"));
            stores.countDown();
            commits.await();
        }));
        stores.await();

        var eraser = CompletableFuture.supplyAsync(() -> erasure.erase(ErasureRequest.message("m1"), WORD));
        await().until(() -> !stored.texts("select pid::text from pg_locks where locktype = 'advisory' and not granted")
                .isEmpty());
        commits.countDown();
        writer.get();

        assertThat(eraser.get().removed()).containsEntry(Place.DEAD_LETTERS, 1L);
        assertThat(stored.all()).isEmpty();
    }

    @Test
    void writers_that_never_rest_bring_nothing_back() throws Exception {
        var rounds = new AtomicInteger();
        var stopping = new AtomicBoolean();
        var writers = Stream.<Runnable>of(
                        () -> stored.add("orders", "Bad", secret("m1", "alice")),
                        () -> hold("m1", "alice"),
                        () -> redriveAll(),
                        () -> archive.archive(DeadLetterFilter.open(), Duration.ofDays(1), WORD),
                        () -> archive.restore(DeadLetterFilter.everything(), WORD))
                .map(deed -> CompletableFuture.runAsync(() -> {
                    while (!stopping.get()) {
                        DeadlockRetry.of(() -> {
                            deed.run();
                            return true;
                        });
                        rounds.incrementAndGet();
                    }
                }))
                .toList();
        await().until(() -> rounds.get() > 50);

        erasure.erase(ErasureRequest.session("alice").withLive(), WORD);

        int then = rounds.get();
        await().until(() -> rounds.get() > then + 20);
        stopping.set(true);
        writers.forEach(CompletableFuture::join);
        assertThat(everything("secret of m1")).isEmpty();
    }

    private void redriveAll() {
        try {
            stored.letters.reopen(DeadLetterFilter.everything(), WORD);
            redrives.redrive(DeadLetterFilter.open().entity("orders"), RedriveRequest.toConsumer("ledger"), WORD);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void orders_that_were_kept_apart_are_repeated_after_a_backup_was_restored() throws Exception {
        erasure.erase(ErasureRequest.message("m1"), WORD);
        erasure.erase(ErasureRequest.session("alice").withLive(), WORD);
        var lines = new StringWriter();
        assertThat(erasure.export(lines)).isEqualTo(2);
        stored.execute("truncate $schema.erasure_order");
        copiesOf("m1", "alice");
        stored.add("orders", "Bad", secret("m2", "bob"));

        assertThat(erasure.importFrom(new BufferedReader(new StringReader(lines.toString()))))
                .isEqualTo(2);
        ErasureReport report = erasure.repeat(WORD);

        assertThat(report.removed()).containsEntry(Place.DEAD_LETTERS, 2L).containsEntry(Place.HELD_IN_INBOX, 1L);
        assertThat(everything("secret of m1")).isEmpty();
        assertThat(everything("secret of m2")).hasSize(1);
        assertThatThrownBy(() -> erasure.importFrom(new BufferedReader(new StringReader("{\"digest\":\"x\"}"))))
                .hasMessageContaining("line 1 is no order");
    }

    @Test
    void an_order_that_is_lifted_lets_what_it_named_come_again() {
        erasure.erase(ErasureRequest.message("m1"), WORD);

        assertThat(erasure.lift(ErasureRequest.message("m1"), WORD)).isTrue();
        assertThat(erasure.lift(ErasureRequest.message("m1"), WORD)).isFalse();
        stored.add("orders", "Bad", secret("m1", "alice"));

        assertThat(stored.all()).hasSize(1);
    }

    @Test
    void the_erasers_role_is_enough_and_the_operators_is_not() throws Exception {
        copiesOf("m1", "alice");
        publishAll();
        try (var role = new TemporaryRole(stored.database, stored.schema, Role.ERASER)) {
            var erasersOwn = Erasure.in(role.pool(), stored.schema);
            assertThat(erasersOwn.preview(ErasureRequest.session("alice")).total())
                    .isPositive();
            erasersOwn.erase(ErasureRequest.session("alice").withLive(), WORD);
            assertThat(everything("secret of m1")).isEmpty();
            assertThat(erasersOwn.repeat(WORD).total()).isZero();
        }
        try (var role = new TemporaryRole(stored.database, stored.schema, Role.OPERATOR)) {
            assertThatThrownBy(() -> Erasure.in(role.pool(), stored.schema).erase(ErasureRequest.message("m1"), WORD))
                    .hasStackTraceContaining("permission denied");
        }
    }

    // One in each place, all with the text "secret of" and the message's id.
    private void copiesOf(String message, String session) {
        long edited = stored.add("orders", "Bad", secret(message, session));
        stored.letters.edit(edited, m -> m.withBody(bytes("again secret of " + message)), WORD);
        long archived = stored.add("others", "Bad", secret(message, session));
        archive.archive(DeadLetterFilter.id(archived), Duration.ofDays(1), WORD);
        outbox(message, session);
        stored.execute("insert into $schema.outbox_scheduled (due_at, destination, session_id, message_id, payload)"
                + " values (clock_timestamp() + interval '1 day', 'orders', '" + session + "', '" + message
                + "', 'secret of " + message + "')");
        stored.execute("insert into $schema.inbox_state (consumer, session_id, version, state) values ('ledger', '"
                + session + "', 1, 'secret of " + message + "')");
        assertThat(firstTime("POST /orders", message)).isTrue();
        stored.execute("insert into $schema.inbox_response (key, status, body) select key, 200, 'secret of " + message
                + "' from $schema.inbox_message where message_id = '" + message + "'");
        hold(message, session);
        stored.execute(
                "insert into $schema.operator_action (subject_kind, scope, subject, action, operator, reason, before)"
                        + " select 'inbox-hold', 'ledger', 'k', 'edit', 'ada', 'because', to_jsonb(m) || '{\"was\": \"secret of "
                        + message
                        + "\"}' from $schema.inbox_held_message m where message_id = '" + message + "'");
    }

    private boolean firstTime(String consumer, String id) {
        return stored.dsl.transactionResult(tx -> Inbox.in(stored.schema).firstTime(tx.dsl(), consumer, id));
    }

    private void outbox(String message, String session) {
        UUID claim = UUID.nameUUIDFromBytes(bytes(message));
        stored.execute(
                "insert into $schema.outbox_message (destination, session_id, message_id, headers, payload) values"
                        + " ('orders', '" + session + "', '" + message + "', '{\"waybill-claim\": \"" + claim
                        + "\"}', 'secret of "
                        + message + "')");
        stored.execute(
                "insert into $schema.outbox_claim (digest, claim, destination, message_id, bytes) values (gen_random_uuid(), '"
                        + claim + "', 'orders', '" + message + "', 1) on conflict do nothing");
        stored.execute("insert into $schema.outbox_claim_body (claim, body) values ('" + claim + "', 'secret of "
                + message + "') on conflict do nothing");
    }

    private void hold(String message, String session) {
        var table = dev.waybill.hold.HoldTable.in(stored.schema, HoldSide.INBOX);
        stored.dsl.transaction(tx -> {
            long hold = table.join(tx.dsl(), HoldKey.session(HoldSide.INBOX, "ledger", session));
            var origin = new dev.waybill.hold.HeldMessage.Origin(1, Instant.parse("2026-01-01T00:00:00Z"), 1);
            boolean unused = table.add(tx.dsl(), hold, origin, secret(message, session));
        });
    }

    private void publishAll() {
        stored.execute("""
                with gone as (delete from $schema.outbox_message returning *)
                insert into $schema.outbox_published (
                  seq, destination, session_id, message_id, broker_message_id, subject, content_type, headers, payload, created_at)
                select seq, destination, session_id, message_id, broker_message_id, subject, content_type, headers, payload,
                  created_at
                from gone
                """);
    }

    // As if the process had ended right behind its commit.
    private void orderOnly(String kind, String id) {
        stored.execute("insert into $schema.erasure_order (digest, kind, applies_until, operator, reason) values"
                + " ($schema.erasure_digest('" + kind + "', '" + id + "'), '" + kind
                + "', 'infinity', 'ada', 'because')");
    }

    /** The names of tables with rows that say this, once for each row. */
    private List<String> everything(String text) {
        String hex = java.util.HexFormat.of().formatHex(bytes(text));
        String base64 = java.util.Base64.getEncoder().withoutPadding().encodeToString(bytes(text));
        return stored
                .texts(
                        "select relname::text from pg_class where relnamespace = '$schema'::regnamespace and relkind = 'r'"
                                + " order by 1")
                .stream()
                .flatMap(table -> stored.texts("select t::text from $schema." + table + " t").stream()
                        .filter(row -> row.contains(text) || row.contains(hex) || row.contains(base64))
                        .map(row -> table))
                .toList();
    }

    private static MessageContent secret(String message, String session) {
        return MessageContent.of(message, session, bytes("secret of " + message));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
