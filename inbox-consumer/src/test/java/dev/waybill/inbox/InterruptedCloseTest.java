package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Consumers that an interrupted thread closes, as the threads of an executor are by its {@code shutdownNow()}. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class InterruptedCloseTest {
    private final Busy source = new Busy();
    private InboxFixture inbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        inbox = InboxFixture.migrated(database);
    }

    @Test
    void an_interrupted_close_waits_for_what_is_under_way_and_says_that_the_consumer_leaves() throws Exception {
        InboxConsumer consumer = consumer().start();
        source.begun.await();

        var interruptedAfter = new CompletableFuture<Boolean>();
        var closing = new Thread(() -> {
            Thread.currentThread().interrupt();
            consumer.close();
            interruptedAfter.complete(Thread.interrupted());
        });
        closing.start();
        await().until(() ->
                Set.of(Thread.State.TIMED_WAITING, Thread.State.TERMINATED).contains(closing.getState()));
        source.end.countDown();

        assertThat(interruptedAfter.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(source.closedWhileBusy).isCompletedWithValue(false);
        assertThat(source.closedUnderInterrupt).isCompletedWithValue(false);
        assertThat(inbox.count("inbox_instance")).isZero();
    }

    private InboxConsumer consumer() {
        return InboxConsumer.builder(inbox.dataSource)
                .schema(inbox.schema)
                .name("test")
                .source(source)
                .handler(InboxFixture.DONE)
                .concurrency(1)
                .build();
    }

    /** An entity whose one receiver is at work until the test lets it end. */
    private static final class Busy implements MessageSource {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch end = new CountDownLatch(1);
        private final CompletableFuture<Boolean> closedWhileBusy = new CompletableFuture<>();
        private final CompletableFuture<Boolean> closedUnderInterrupt = new CompletableFuture<>();

        @Override
        public EntityDescription facts() {
            return EntityDescription.of("q", true);
        }

        @Override
        public Optional<Receiver> acceptNext() throws InterruptedException {
            begun.countDown();
            end.await();
            return Optional.empty();
        }

        @Override
        public Optional<Receiver> accept(String session, Duration atMost) {
            return Optional.empty();
        }

        @Override
        public void stopAccepting() {}

        @Override
        public void close() {
            closedUnderInterrupt.complete(Thread.currentThread().isInterrupted());
            closedWhileBusy.complete(end.getCount() > 0);
        }
    }
}
