package dev.waybill.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.connect.Database;
import dev.waybill.inbox.heartbeat.ConsumerHeartbeat;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class IdempotencyKeysTest {
    private static final String OWNER = "POST /debits";
    private static final Retention TWO_DAYS =
            new Retention(Duration.ofDays(2), Duration.ofDays(1), Duration.ZERO, Duration.ofDays(1));

    private InboxFixture inbox;
    private IdempotencyKeys keys;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        inbox = new InboxFixture(database);
        keys = IdempotencyKeys.of(inbox.schema, OWNER).keepFor(Duration.ofDays(7));
    }

    @Test
    void a_request_that_comes_again_has_one_effect_and_the_first_answer() {
        assertThat(debit("k1", "{\"cents\":5}", "first")).isEqualTo("first");
        assertThat(debit("k1", "{\"cents\":5}", "second")).isEqualTo("first");

        assertThat(inbox.effects()).containsExactly("first");
    }

    @Test
    void the_key_of_one_request_with_another_one_is_refused_and_nothing_is_done() {
        debit("k1", "{\"cents\":5}", "first");

        assertThatThrownBy(() -> debit("k1", "{\"cents\":500}", "second"))
                .isInstanceOf(IdempotencyKeyReusedException.class)
                .hasMessageContaining("'k1' of 'POST /debits'");

        assertThat(inbox.effects()).containsExactly("first");
        assertThat(debit("k2", "{\"cents\":500}", "other")).isEqualTo("other");
    }

    /** All requests without a key would be one, and get the first one's answer. */
    @Test
    void a_key_that_is_blank_is_refused() {
        for (String blank : new String[] {"", " "}) {
            assertThatThrownBy(() -> debit(blank, "{}", "first")).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() ->
                            inbox.dsl.transaction(tx -> Inbox.in(inbox.schema).firstTime(tx.dsl(), "ledger", blank)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(inbox.effects()).isEmpty();
    }

    @Test
    void keys_that_utf_8_cannot_tell_apart_are_different_keys() {
        assertThat(debit("k\uD800", "{}", "first")).isEqualTo("first");
        assertThat(debit("k\uD801", "{}", "second")).isEqualTo("second");
        assertThat(debit("k?", "{}", "third")).isEqualTo("third");
        assertThat(debit("k\uD800", "{}", "again")).isEqualTo("first");
    }

    @Test
    void an_answer_whose_request_is_not_known_is_given_to_every_request() {
        inbox.dsl.transaction(
                tx -> Inbox.in(inbox.schema).once(tx.dsl(), OWNER, "k1", () -> answer("from before the upgrade")));

        assertThat(debit("k1", "{}", "second")).isEqualTo("from before the upgrade");
    }

    @Test
    void two_requests_at_once_with_one_key_have_one_effect_and_one_answer() throws Exception {
        CompletableFuture<String> second;
        try (Connection first = inbox.dataSource.getConnection()) {
            first.setAutoCommit(false);
            keys.once(first, "k1", "{}".getBytes(UTF_8), () -> answer("first"));
            second = CompletableFuture.supplyAsync(() -> debit("k1", "{}", "second"));
            inbox.awaitLockWait();
            first.commit();
        }

        assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo("first");
        assertThat(inbox.effects()).isEmpty();
    }

    @Test
    void keys_are_pruned_with_their_answers_although_no_consumer_of_that_name_is_at_work() {
        debit("old", "{}", "a");
        makeOlder(8);
        debit("young", "{}", "b");

        assertThat(keys.prune(inbox.dataSource, true)).isEqualTo(1);
        assertThat(inbox.count("inbox_response")).isEqualTo(2);
        assertThat(keys.prune(inbox.dataSource, false)).isEqualTo(1);

        assertThat(inbox.recorded()).containsExactly("young");
        assertThat(inbox.count("inbox_response")).isEqualTo(1);
        assertThat(debit("old", "{\"another\":1}", "c")).isEqualTo("c");
    }

    @Test
    void an_operator_prunes_keys_as_other_ids() {
        debit("old", "{}", "a");
        makeOlder(400);

        assertThat(InboxMaintenance.in(inbox.dataSource, inbox.schema).prune(OWNER, TWO_DAYS, false))
                .isEqualTo(1);

        assertThat(inbox.count("inbox_response")).isZero();
    }

    @Test
    void ids_of_a_consumer_are_not_pruned_as_keys() throws SQLException {
        debit("old", "{}", "a");
        makeOlder(400);
        var consumer = new ConsumerHeartbeat(
                new Database(inbox.dataSource), inbox.schema, OWNER, "orders", Duration.ofMinutes(10));
        consumer.beat();
        consumer.leave();

        assertThatThrownBy(() -> keys.prune(inbox.dataSource, false))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is a consumer");
        assertThatThrownBy(() ->
                        InboxMaintenance.in(inbox.dataSource, inbox.schema).prune(OWNER, TWO_DAYS, false))
                .hasMessageContaining("not been at work");
        assertThat(inbox.recorded()).containsExactly("old");
    }

    @Test
    void an_owner_without_keys_has_nothing_to_prune_and_no_time_is_no_time_to_keep_keys() {
        assertThat(keys.prune(inbox.dataSource, false)).isZero();
        assertThatThrownBy(() -> keys.keepFor(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_connection_in_auto_commit_is_refused() {
        assertThatThrownBy(() -> keys.once(inbox.dsl, "k1", new byte[0], () -> answer("a")))
                .hasMessageContaining("auto-commit");
    }

    private String debit(String key, String request, String answer) {
        Response response = inbox.dsl.transactionResult(tx -> keys.once(tx.dsl(), key, request.getBytes(UTF_8), () -> {
            tx.dsl().execute("insert into " + inbox.schema.table("effect") + " (id) values ({0})", DSL.val(answer));
            return answer(answer);
        }));
        return new String(response.body(), UTF_8);
    }

    private static Response answer(String body) {
        return new Response(200, "text/plain", body.getBytes(UTF_8));
    }

    private void makeOlder(int days) {
        inbox.dsl.execute("update " + inbox.schema.table("inbox_message") + " set handled_at = now() - interval '"
                + days + " days'");
    }
}
