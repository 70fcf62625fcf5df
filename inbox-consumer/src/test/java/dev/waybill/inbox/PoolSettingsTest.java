package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.lock.SessionLock;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings that others choose for reasons of their own: parameters of the URL, time-outs of the role, the pool's mode. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class PoolSettingsTest {
    private static final RetryPolicy BRIEFLY =
            new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMillis(100));

    private InboxFixture inbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        inbox = new InboxFixture(database);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "autosave=always",
                "autosave=conservative",
                "preferQueryMode=simple",
                "preferQueryMode=extendedForPrepared",
                "preferQueryMode=extendedCacheEverything",
                "defaultRowFetchSize=1",
                "prepareThreshold=0",
                "prepareThreshold=1",
                "binaryTransfer=false",
                "stringtype=unspecified",
                "options=-c%20plan_cache_mode=force_generic_plan"
            })
    @Tag("long")
    void whatever_the_url_says_every_effect_happens_once_in_order(String parameter, TestDatabase database) {
        try (var pool = pool(database, parameter, settings -> {})) {
            for (int batch : new int[] {1, 4}) {
                inbox.dsl.execute(
                        "truncate " + inbox.schema.table("effect") + ", " + inbox.schema.table("inbox_message"));
                var failed = new AtomicBoolean();
                var receiver = session("a", "b", "c", "d", "e", "a");

                inbox.on(pool)
                        .turn(receiver, (tx, message) -> handle(tx, message, failed), settings -> {
                            settings.batch = batch;
                            settings.retries = BRIEFLY;
                        })
                        .run();

                assertThat(inbox.effects()).containsExactly("a", "b", "c", "e");
                assertThat(receiver.log()).contains("complete a", "complete b", "complete c", "defer d", "complete e");
            }
        }
    }

    @Test
    void an_answer_or_a_state_that_would_be_stored_as_another_is_refused(TestDatabase database) {
        String settings = "preferQueryMode=simple&options=-c%20standard_conforming_strings=off";
        byte[] bytes = {'a', 'b'};
        try (var pool = pool(database, settings, unchanged -> {})) {
            var there = DSL.using(pool, SQLDialect.POSTGRES);
            var keys = IdempotencyKeys.of(inbox.schema, "debits");
            var states = SessionState.in(inbox.schema);
            assertThatThrownBy(() -> there.transaction(
                            tx -> keys.once(tx.dsl(), "k", bytes, () -> new Response(200, null, bytes))))
                    .hasStackTraceContaining("standard_conforming_strings");
            assertThatThrownBy(() -> there.transaction(tx -> states.store(tx.dsl(), "test", "s", 0, bytes)))
                    .hasStackTraceContaining("standard_conforming_strings");
        }
        assertThat(inbox.count("inbox_response")).isZero();
    }

    private Verdict handle(DSLContext tx, InboundMessage message, AtomicBoolean failed) throws IOException {
        inbox.effect(tx, message);
        if (message.id().equals("c") && !failed.getAndSet(true)) {
            throw new IOException("once");
        }
        return message.id().equals("d") ? Verdict.defer("k") : Verdict.done();
    }

    @Test
    void an_answer_of_the_driver_that_says_nothing_of_the_id_is_not_taken_for_a_duplicate(TestDatabase database) {
        try (var pool = pool(database, "prepareThreshold=-1", settings -> {})) {
            var receiver = session("m1", "m2");

            var turn = inbox.on(pool).turn(receiver, inbox::effect, settings -> settings.retries = BRIEFLY);
            turn.run();

            var completed = receiver.log().stream()
                    .filter(entry -> entry.startsWith("complete "))
                    .map(entry -> entry.substring("complete ".length()))
                    .toList();
            assertThat(inbox.effects()).containsExactlyElementsOf(completed);
            assertThat(!completed.isEmpty() || !turn.parts().gate().isOpen()).isTrue();
        }
    }

    @Test
    void a_statement_time_out_that_ends_the_wait_for_a_session_stops_no_other_session(TestDatabase database) {
        try (var pool =
                pool(database, "", settings -> settings.setConnectionInitSql("set statement_timeout = '500ms'"))) {
            var receiver = session("m1");
            var turn = inbox.on(pool).turn(receiver, inbox::effect, settings -> settings.retries = BRIEFLY);

            inbox.dsl.transaction(other -> {
                lockSession(other.dsl());
                turn.run();
            });

            assertThat(receiver.log()).containsExactly("close");
            assertThat(turn.parts().gate().isOpen()).isTrue();
            assertThat(inbox.count("inbox_session")).isZero();
        }
    }

    private void lockSession(DSLContext tx) {
        var lock = new SessionLock(inbox.schema, "test", Duration.ofSeconds(1), Duration.ofSeconds(1));
        tx.execute("select pg_advisory_xact_lock(" + SessionLock.CLASS + ", " + lock.key("s") + ")");
    }

    @Test
    void old_resumptions_go_on_a_pool_without_auto_commit(TestDatabase database) throws Exception {
        inbox.dsl.execute("insert into " + inbox.schema.table("inbox_resumption")
                + " (key, consumer, resumed_at) values (gen_random_uuid(), 'nobody', now() - interval '40 days')");
        try (var pool = pool(database, "", settings -> settings.setAutoCommit(false))) {
            inbox.on(pool).turn(session(), inbox::effect).parts().forgotten().run();
        }

        assertThat(inbox.count("inbox_resumption")).isZero();
    }

    private static HikariDataSource pool(TestDatabase database, String parameter, Consumer<HikariDataSource> settings) {
        String url = database.server().jdbcUrl();
        var pool = new HikariDataSource();
        pool.setJdbcUrl(parameter.isEmpty() ? url : url + (url.contains("?") ? "&" : "?") + parameter);
        pool.setMaximumPoolSize(3);
        settings.accept(pool);
        return pool;
    }

    private static ScriptedReceiver session(String... ids) {
        var messages = new InboundMessage[ids.length];
        for (int i = 0; i < ids.length; i++) {
            messages[i] = new FakeMessage(ids[i], 1, i + 1);
        }
        return ScriptedReceiver.ofSession(messages);
    }
}
