package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Consumers whose source fails while they are closed. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class ConsumerCloseTest {
    private InboxFixture inbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        inbox = InboxFixture.migrated(database);
    }

    @Test
    void a_source_whose_close_throws_leaves_neither_thread_nor_sign_of_life() {
        var source = new Failing(null, new IllegalStateException("the link is gone"));
        InboxConsumer consumer = consumer(source).start();

        assertThatThrownBy(consumer::close).hasMessage("the link is gone");

        assertEnded(consumer);
    }

    @Test
    void a_source_that_cannot_be_told_to_stop_is_drained_and_closed_all_the_same() {
        var source = new Failing(new NoClassDefFoundError("a/Lost"), null);
        InboxConsumer consumer = consumer(source).start();

        assertThatThrownBy(consumer::close).isInstanceOf(NoClassDefFoundError.class);

        assertThat(source.closed).isTrue();
        assertEnded(consumer);
    }

    private void assertEnded(InboxConsumer consumer) {
        assertThat(inbox.count("inbox_instance")).isZero();
        await().untilAsserted(() -> assertThat(consumer.health().loops()).noneMatch(ConsumerHealth.Loop::alive));
    }

    private InboxConsumer consumer(MessageSource source) {
        return InboxConsumer.builder(inbox.dataSource)
                .schema(inbox.schema)
                .name("test")
                .source(source)
                .handler(InboxFixture.DONE)
                .concurrency(1)
                .tuning(tuning -> tuning.drain(Duration.ofSeconds(10)))
                .build();
    }

    /** An entity without messages whose end throws. */
    private static final class Failing implements MessageSource {
        private final CountDownLatch stopped = new CountDownLatch(1);
        private final @Nullable Error atStop;
        private final @Nullable RuntimeException atClose;
        private volatile boolean closed;

        Failing(@Nullable Error atStop, @Nullable RuntimeException atClose) {
            this.atStop = atStop;
            this.atClose = atClose;
        }

        @Override
        public EntityDescription facts() {
            return EntityDescription.of("q", true);
        }

        @Override
        public Optional<Receiver> acceptNext() throws InterruptedException {
            stopped.await();
            return Optional.empty();
        }

        @Override
        public Optional<Receiver> accept(String session, Duration atMost) {
            return Optional.empty();
        }

        @Override
        public void stopAccepting() {
            stopped.countDown();
            if (atStop != null) {
                throw atStop;
            }
        }

        @Override
        public void close() {
            closed = true;
            if (atClose != null) {
                throw atClose;
            }
        }
    }
}
