package dev.waybill.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.deadletter.ErasureReport.Place;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.message.MessageContent;
import dev.waybill.migrations.Role;
import dev.waybill.relay.TemporaryRole;
import dev.waybill.schema.AutoCommitConnections;
import dev.waybill.schema.IdleLimit;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The effect of orders on transactions that meet them, and on each other. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class ErasureOrdersTest {
    private static final AuditContext WORD = new AuditContext("ada", "article 17");

    private StoredLetters stored;
    private Erasure erasure;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        stored = new StoredLetters(database);
        stored.served("orders");
        erasure = Erasure.in(database.dataSource(), stored.schema);
    }

    @Test
    void a_later_order_that_leaves_live_messages_leaves_them_whatever_an_earlier_one_asked_for() {
        erasure.erase(ErasureRequest.session("alice").withLive(), WORD);
        aDayPasses();
        pending("m2", "alice");

        assertThat(erasure.preview(ErasureRequest.session("alice")).remaining()).containsEntry(Place.PENDING, 1L);
        assertThat(erasure.erase(ErasureRequest.session("alice"), WORD).remaining())
                .containsEntry(Place.PENDING, 1L);
        assertThat(erasure.repeat(WORD).remaining()).containsEntry(Place.PENDING, 1L);

        assertThat(erasure.erase(ErasureRequest.session("alice").withLive(), WORD)
                        .removed())
                .containsEntry(Place.PENDING, 1L);
    }

    @Test
    void an_order_of_a_message_asks_for_live_copies_as_long_as_any_has_asked() {
        erasure.erase(ErasureRequest.message("m2").withLive(), WORD);
        erasure.erase(ErasureRequest.message("m2"), WORD);
        pending("m2", "alice");

        assertThat(erasure.repeat(WORD).removed()).containsEntry(Place.PENDING, 1L);
    }

    @Test
    void an_older_order_that_is_imported_asks_for_no_message_that_came_since() throws Exception {
        erasure.erase(ErasureRequest.session("alice").withLive(), WORD);
        aDayPasses();
        var older = new StringWriter();
        erasure.export(older);
        erasure.erase(ErasureRequest.session("alice"), WORD);
        var newer = new StringWriter();
        erasure.export(newer);
        pending("m2", "alice");

        imported(older);
        assertThat(erasure.repeat(WORD).remaining()).containsEntry(Place.PENDING, 1L);

        stored.execute("truncate $schema.erasure_order");
        imported(older);
        imported(newer);
        assertThat(erasure.repeat(WORD).remaining()).containsEntry(Place.PENDING, 1L);
    }

    @Test
    void a_session_that_came_back_since_keeps_its_state_when_orders_are_repeated() {
        state("as it was");
        assertThat(erasure.erase(ErasureRequest.session("alice"), WORD).removed())
                .containsEntry(Place.SESSION_STATE, 1L);
        aDayPasses();
        state("of a new customer");

        assertThat(erasure.repeat(WORD).removed()).doesNotContainKey(Place.SESSION_STATE);

        assertThat(stored.texts("select convert_from(state, 'UTF8') from $schema.inbox_state"))
                .containsExactly("of a new customer");
    }

    private void state(String text) {
        stored.execute(
                "insert into $schema.inbox_state (consumer, session_id, version, state) values ('ledger', 'alice', 1, '"
                        + text + "')");
    }

    @Test
    void what_a_step_of_a_redrive_erases_lets_go_of_its_body_outside() throws Exception {
        claimed("m1", "alice");
        try (var role = new TemporaryRole(stored.database, stored.schema, Role.OPERATOR)) {
            Redrives operators = Redrives.in(role.pool(), stored.schema);
            long run = operators.begin(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD);
            orderOnly("alice");
            assertThat(operators.finish(run).redriven()).isZero();
        }

        assertThat(stored.texts("select state from $schema.outbox_claim")).containsExactly("removing");
    }

    @Test
    void what_is_erased_in_place_of_restored_lets_go_of_its_body_outside() throws Exception {
        claimed("m1", "alice");
        try (var role = new TemporaryRole(stored.database, stored.schema, Role.OPERATOR)) {
            var archive = DeadLetterArchive.in(role.pool(), stored.schema);
            archive.archive(DeadLetterFilter.open(), Duration.ofDays(1), WORD);
            orderOnly("alice");
            archive.restore(DeadLetterFilter.everything(), WORD);
        }

        assertThat(stored.texts("select state from $schema.outbox_claim")).containsExactly("removing");
    }

    @Test
    void what_is_not_collected_because_it_is_erased_lets_go_of_its_body_outside() throws Exception {
        orderOnly("alice");
        try (var role = new TemporaryRole(stored.database, stored.schema, Role.RELAY)) {
            new StoredLetters(stored.schema.in(DSL.using(role.pool(), SQLDialect.POSTGRES)), stored)
                    .add("orders", "Bad", naming(claim("m1"), "m1", "alice"));
        }

        assertThat(stored.all()).isEmpty();
        assertThat(stored.texts("select state from $schema.outbox_claim")).containsExactly("removing");
    }

    @Test
    void an_order_that_comes_while_a_collector_waits_is_obeyed_on_a_pool_with_repeatable_reads() throws Exception {
        try (var pool = repeatableReads()) {
            var dsl = DSL.using(pool, SQLDialect.POSTGRES);
            CompletableFuture<Void> collector;
            try (var eraser = stored.database.dataSource().getConnection()) {
                eraser.setAutoCommit(false);
                var tx = DSL.using(eraser, SQLDialect.POSTGRES);
                tx.fetch("select " + stored.schema.table("erasure_barrier") + "()");
                collector = CompletableFuture.runAsync(
                        () -> new StoredLetters(dsl, stored).add("orders", "Bad", content("m1", "alice")));
                awaitSomebodyAtTheGate();
                orderOnly("alice");
                eraser.commit();
            }
            collector.join();
        }

        assertThat(stored.all()).isEmpty();
    }

    @Test
    @Tag("long")
    void a_step_that_waits_at_the_gate_obeys_the_order_on_a_pool_with_repeatable_reads() throws Exception {
        stored.add("orders", "Bad", content("m1", "alice"));
        try (var pool = repeatableReads()) {
            Redrives slow = Redrives.in(pool, stored.schema);
            long run = slow.begin(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD);
            CompletableFuture<RedriveRun.Step> step;
            try (var eraser = stored.database.dataSource().getConnection()) {
                eraser.setAutoCommit(false);
                var tx = DSL.using(eraser, SQLDialect.POSTGRES);
                tx.fetch("select " + stored.schema.table("erasure_barrier") + "()");
                step = CompletableFuture.supplyAsync(() -> slow.step(run));
                awaitSomebodyAtTheGate();
                orderOnly("alice");
                eraser.commit();
            }
            assertThat(step.join().redriven()).isZero();
        }

        assertThat(stored.texts("select message_id from $schema.outbox_message"))
                .isEmpty();
        assertThat(stored.all()).isEmpty();
    }

    private HikariDataSource repeatableReads() {
        var pool = new HikariDataSource();
        pool.setJdbcUrl(stored.database.server().jdbcUrl());
        pool.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
        pool.setMaximumPoolSize(2);
        return pool;
    }

    private void awaitSomebodyAtTheGate() {
        await().until(() -> !stored.texts("select pid::text from pg_locks where locktype = 'advisory' and not granted")
                .isEmpty());
    }

    private void imported(StringWriter lines) {
        assertThat(erasure.importFrom(new BufferedReader(new StringReader(lines.toString()))))
                .isEqualTo(1);
    }

    @Test
    void orders_that_come_slowly_are_imported_all_the_same() throws Exception {
        erasure.erase(ErasureRequest.session("alice"), WORD);
        var orders = new StringWriter();
        erasure.export(orders);
        var slow = new BufferedReader(new StringReader(orders + "\n")) {
            @Override
            public int read() throws IOException {
                LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
                return super.read();
            }
        };
        DSLContext hasty =
                IdleLimit.of(Duration.ofMillis(50), AutoCommitConnections.using(stored.database.dataSource()));

        assertThat(Erasure.in(hasty, stored.schema, null).importFrom(slow)).isEqualTo(1);
    }

    private void aDayPasses() {
        stored.execute("update $schema.erasure_order set applies_until = applies_until - interval '1 day'");
    }

    private void pending(String message, String session) {
        stored.execute("insert into $schema.outbox_message (destination, session_id, message_id, payload) values"
                + " ('orders', '" + session + "', '" + message + "', 'x')");
    }

    // As if the process had ended right behind its commit.
    private void orderOnly(String session) {
        stored.execute("insert into $schema.erasure_order (digest, kind, applies_until, operator, reason) values"
                + " ($schema.erasure_digest('session', '" + session
                + "'), 'session', 'infinity', 'ada', 'because')");
    }

    private void claimed(String message, String session) {
        stored.add("orders", "Bad", naming(claim(message), message, session));
    }

    private UUID claim(String message) {
        UUID claim = UUID.randomUUID();
        stored.execute(
                "insert into $schema.outbox_claim (digest, claim, destination, message_id, bytes, state) values (gen_random_uuid(), '"
                        + claim + "', 'orders', '" + message + "', 1, 'published')");
        return claim;
    }

    private static MessageContent naming(UUID claim, String message, String session) {
        return content(message, session)
                .withProperties(Map.of("waybill-claim", claim.toString()))
                .withBody(new byte[0]);
    }

    private static MessageContent content(String message, String session) {
        return MessageContent.of(message, session, "secret".getBytes(StandardCharsets.UTF_8));
    }
}
