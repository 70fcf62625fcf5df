package dev.waybill.inbox.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.ConsumerListener;
import dev.waybill.inbox.FailureKind;
import dev.waybill.inbox.FakeMessage;
import dev.waybill.inbox.Inbox;
import dev.waybill.inbox.InboxFixture;
import dev.waybill.inbox.connect.Database;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** When what a consumer records is said to have happened, and what one event does to the others. */
@ExtendWith(PostgresExtension.class)
class MessageEventsOrderTest {
    private InboxFixture inbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        inbox = new InboxFixture(database);
    }

    @Test
    void a_failure_is_told_before_the_handling_that_followed_it_although_the_pool_kept_the_writer_waiting()
            throws Exception {
        var asked = new CountDownLatch(1);
        var free = new CountDownLatch(1);
        MessageEvents own = events(busy(inbox.dataSource, asked, free));
        own.failed(FakeMessage.of("m1"), new IllegalStateException("no"), FailureKind.UNKNOWN);
        var writer = new Thread(own::flush);
        writer.start();
        asked.await();
        inbox.dsl.transaction(tx -> Inbox.in(inbox.schema).firstTime(tx.dsl(), "test", "m1"));
        // A gap that is longer than the way of a statement from here to the server on a busy machine.
        Thread.sleep(500);
        free.countDown();
        writer.join();

        assertThat(inbox.dsl.fetchValue("select e.at < m.handled_at from " + inbox.schema.table("message_event")
                        + " e, " + inbox.schema.table("inbox_message") + " m"))
                .isEqualTo(true);
    }

    @Test
    void an_event_that_the_database_refuses_takes_no_other_with_it() {
        MessageEvents own = events(inbox.dataSource);
        own.failed(FakeMessage.of("m1"), new IllegalStateException("no"), FailureKind.UNKNOWN);
        own.failed(
                new FakeMessage("m2", 1, 2).locked(Instant.MIN, Instant.MAX),
                new IllegalStateException("no"),
                FailureKind.UNKNOWN);
        own.failed(new FakeMessage("m3", 1, 3), new IllegalStateException("no"), FailureKind.UNKNOWN);
        own.flush();

        assertThat(inbox.dsl
                        .fetch("select message_id from " + inbox.schema.table("message_event") + " order by id")
                        .getValues(0, String.class))
                .contains("m1", "m3");
    }

    @Test
    void a_second_in_which_every_event_is_refused_ends_soon_and_the_next_one_is_recorded() {
        var connections = new AtomicInteger();
        MessageEvents own = events(counting(inbox.dataSource, connections));
        for (int i = 0; i < MessageEvents.MOST; i++) {
            own.failed(
                    new FakeMessage("m" + i, 1, i).locked(Instant.MIN, Instant.MAX),
                    new IllegalStateException("no"),
                    FailureKind.UNKNOWN);
        }
        own.flush();
        assertThat(connections).hasValueLessThan(80);
        own.failed(FakeMessage.of("next"), new IllegalStateException("no"), FailureKind.UNKNOWN);
        own.flush();

        assertThat(inbox.dsl
                        .fetch("select message_id from " + inbox.schema.table("message_event"))
                        .getValues(0, String.class))
                .containsExactly("next");
    }

    private static DataSource counting(DataSource pool, AtomicInteger connections) {
        return (DataSource) Proxy.newProxyInstance(
                MessageEventsOrderTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> {
                    connections.incrementAndGet();
                    return method.invoke(pool, arguments);
                });
    }

    private MessageEvents events(DataSource pool) {
        return MessageEvents.before(
                ConsumerListener.SILENT,
                new EventInsert(new Database(pool), inbox.schema, "test", "orders"),
                System::nanoTime);
    }

    private static DataSource busy(DataSource pool, CountDownLatch asked, CountDownLatch free) {
        return (DataSource) Proxy.newProxyInstance(
                MessageEventsOrderTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> {
                    asked.countDown();
                    free.await();
                    return method.invoke(pool, arguments);
                });
    }
}
