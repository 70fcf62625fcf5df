package dev.waybill.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.message.MessageContent;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A re-drive to sessions that several writers append to without a pause, so that none of them is ever free. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class RedriveBusySessionsTest {
    private static final int WRITERS = 2;

    private final AtomicInteger number = new AtomicInteger();
    private final AtomicBoolean over = new AtomicBoolean();
    private final List<CompletableFuture<?>> writers = new ArrayList<>();
    private TestDatabase database;
    private Outbox outbox;
    private Redrives redrives;
    private long run;

    @BeforeEach
    void begin_a_run_for_two_sessions(TestDatabase database) throws Exception {
        this.database = database;
        var stored = new StoredLetters(database);
        stored.served("orders");
        for (String session : List.of("s0", "s1")) {
            stored.add("orders", "Bad", MessageContent.of("of-" + session, session, new byte[] {1}));
        }
        outbox = Outbox.builder().schema(stored.schema).build();
        redrives = Redrives.in(database.dataSource(), stored.schema);
        run = redrives.begin(DeadLetterFilter.open(), RedriveRequest.toSource(), new AuditContext("ada", "because"));
    }

    @AfterEach
    void end_the_writers() throws Exception {
        over.set(true);
        for (var writer : writers) {
            writer.get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void a_run_gets_on_although_somebody_always_waits_for_each_of_its_sessions() throws Exception {
        keepBusy("s0");
        keepBusy("s1");

        assertThat(soon(() -> redrives.finish(run)).progress().redriven()).isEqualTo(2);
    }

    @Test
    void a_run_gets_on_beside_one_long_transaction_and_one_busy_session() throws Exception {
        try (Connection slow = database.dataSource().getConnection()) {
            slow.setAutoCommit(false);
            outbox.append(slow, message("s1"));
            keepBusy("s0");

            assertThat(soon(() -> redrives.step(run)).redriven()).isEqualTo(1);
            slow.rollback();
        }
    }

    private static <T> T soon(Callable<T> work) throws Exception {
        return inThread(work).get(20, TimeUnit.SECONDS);
    }

    private static <T> CompletableFuture<T> inThread(Callable<T> work) {
        var result = new CompletableFuture<T>();
        var thread = new Thread(() -> {
            try {
                result.complete(work.call());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    // One has the session's lock, the other waits for it.
    private void keepBusy(String session) {
        for (int i = 0; i < WRITERS; i++) {
            writers.add(inThread(() -> {
                append(session);
                return null;
            }));
        }
    }

    private void append(String session) throws SQLException, InterruptedException {
        try (Connection writer = database.dataSource().getConnection()) {
            writer.setAutoCommit(false);
            while (!over.get()) {
                outbox.append(writer, message(session));
                Thread.sleep(20);
                writer.commit();
            }
        }
    }

    private OutboxMessage message(String session) {
        return OutboxMessage.to("orders")
                .session(session)
                .id("w" + number.incrementAndGet())
                .text("x")
                .build();
    }
}
