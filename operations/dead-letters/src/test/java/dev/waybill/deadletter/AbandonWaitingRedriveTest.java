package dev.waybill.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.deadletter.RedriveRun.State;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.message.MessageContent;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A re-drive whose step waits for an application's transaction. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class AbandonWaitingRedriveTest {
    private static final AuditContext WORD = new AuditContext("ada", "because");

    @Test
    void a_redrive_that_waits_for_a_session_is_abandoned_at_once(TestDatabase database) throws Exception {
        var stored = new StoredLetters(database);
        stored.served("orders");
        stored.add("orders", "Bad", MessageContent.of("m", "s", new byte[] {1}));
        Redrives redrives = Redrives.in(database.dataSource(), stored.schema);
        long run = redrives.begin(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD);
        try (Connection slow = database.dataSource().getConnection()) {
            slow.setAutoCommit(false);
            Outbox.builder()
                    .schema(stored.schema)
                    .build()
                    .append(
                            slow,
                            OutboxMessage.to("orders")
                                    .session("s")
                                    .id("slow")
                                    .text("x")
                                    .build());
            var stepping = CompletableFuture.supplyAsync(() -> redrives.step(run));
            await().pollInterval(Duration.ofMillis(5))
                    .until(() -> !stored.texts("select pid::text from pg_locks where not granted"
                                    + " and locktype = 'advisory' and classid = 1463900482")
                            .isEmpty());

            assertThat(CompletableFuture.supplyAsync(() -> redrives.abandon(run, WORD))
                            .get(10, TimeUnit.SECONDS))
                    .isTrue();

            slow.rollback();
            assertThat(stepping.get(30, TimeUnit.SECONDS))
                    .isEqualTo(new RedriveRun.Step(0, State.ABANDONED, Duration.ZERO));
        }
        assertThat(stored.letters.count(DeadLetterFilter.open())).isEqualTo(1);
    }
}
