package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(PostgresExtension.class)
@Timeout(60)
class AdoptionCheckTest {
    private final SharedCheck comparison = new SharedCheck(new TestClock());
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final AtomicInteger compared = new AtomicInteger();
    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
    }

    @Test
    void each_loop_meets_a_cursor_of_another_destination_that_does_not_fit() {
        checkOf("orders", outbox.dsl).require();
        recordBeyondTheSequence("stock");

        assertThatThrownBy(checkOf("orders", outbox.dsl)::require).isInstanceOf(HistoryChangedException.class);
        assertThatThrownBy(checkOf("other", outbox.dsl)::require)
                .as("what any loop has met")
                .isInstanceOf(HistoryChangedException.class)
                .hasMessageContaining("up to 100");
    }

    /** It has begun, and may still find what does not fit, or fail. */
    @Test
    void no_loop_relies_on_a_comparison_that_is_under_way() throws Exception {
        var first = CompletableFuture.runAsync(() -> checkOf("stock", slow()).require());
        asked.await();
        recordBeyondTheSequence("stock");
        var second =
                CompletableFuture.runAsync(() -> checkOf("orders", outbox.dsl).require());
        goOn.countDown();

        assertThatThrownBy(first::join).hasCauseInstanceOf(HistoryChangedException.class);
        assertThatThrownBy(second::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(HistoryChangedException.class);
    }

    /** As of a loop that is still connected to the primary that was replaced. */
    @ParameterizedTest
    @CsvSource({"true, 2", "false, 3"})
    void loops_share_a_comparison_on_the_same_server_alone(boolean same, int comparisons) throws Exception {
        var first = CompletableFuture.runAsync(() -> checkOf("stock", slow()).require());
        asked.await();
        var second = ask(counted(outbox.dsl));
        var third = ask(counted(OutboxFixture.rewriting(
                outbox.dsl,
                sql -> same ? sql : sql.replace("pg_postmaster_start_time()", "timestamptz '2000-01-01'"))));
        await().until(() -> comparison.waiting() == 2);

        goOn.countDown();

        CompletableFuture.allOf(first, second, third).join();
        assertThat(compared.get() + 1).isEqualTo(comparisons);
    }

    private CompletableFuture<Void> ask(DSLContext dsl) {
        var passed = new CompletableFuture<Void>();
        var thread = new Thread(() -> {
            checkOf("orders", dsl).require();
            passed.complete(null);
        });
        thread.setDaemon(true);
        thread.start();
        return passed;
    }

    private DSLContext counted(DSLContext dsl) {
        return WatchedConnections.of(dsl, new WatchedConnections.Watch() {
            @Override
            public void before(String sql) {
                if (sql.contains("outbox_cursor where true")) {
                    compared.incrementAndGet();
                }
            }
        });
    }

    private DSLContext slow() {
        return WatchedConnections.of(outbox.dsl, new WatchedConnections.Watch() {
            @Override
            public void before(String sql) {
                asked.countDown();
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        });
    }

    private AdoptionCheck checkOf(String destination, DSLContext dsl) {
        return new AdoptionCheck(new OutboxHistory(dsl, outbox.schema), destination, comparison);
    }

    private void recordBeyondTheSequence(String destination) {
        outbox.execute("insert into $schema.outbox_lane (destination, bucket, epoch) values ('%s', 0, 1)"
                .formatted(destination));
        outbox.execute("""
                insert into $schema.outbox_progress (destination, bucket, epoch, position, snapshot, next_xid)
                values ('%s', 0, 1, 100, pg_current_snapshot(), pg_snapshot_xmax(pg_current_snapshot()))
                """.formatted(destination));
    }
}
