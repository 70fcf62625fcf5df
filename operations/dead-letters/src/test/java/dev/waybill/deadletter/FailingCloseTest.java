package dev.waybill.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Collectors one of whose queues cannot be closed. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class FailingCloseTest {
    @Test
    void a_queue_whose_close_throws_keeps_none_of_the_others_open_and_is_told(TestDatabase database) {
        var stored = new StoredLetters(database);
        var first = new EmptyQueue("first", new IllegalStateException("the first link is gone"));
        var second = new EmptyQueue("second", new NoClassDefFoundError("a/Lost"));
        var third = new EmptyQueue("third", null);
        var collector = DeadLetterCollector.start(database.dataSource(), stored.schema, List.of(first, second, third));

        assertThatThrownBy(collector::close)
                .hasMessage("the first link is gone")
                .satisfies(thrown ->
                        assertThat(thrown.getSuppressed()).singleElement().isInstanceOf(NoClassDefFoundError.class));

        assertThat(List.of(first, second, third)).allMatch(queue -> queue.closed);
        assertThat(collector.health().threads()).noneMatch(CollectorHealth.OfThread::alive);
    }

    private static final class EmptyQueue implements DeadLetterQueue {
        private final String name;
        private final @Nullable Throwable atClose;
        private volatile boolean closed;

        EmptyQueue(String name, @Nullable Throwable atClose) {
            this.name = name;
            this.atClose = atClose;
        }

        @Override
        public DeadLetterEntity entity() {
            return DeadLetterEntity.queue(name);
        }

        @Override
        public List<ReceivedDeadLetter> receive(int most, Duration atMost) {
            return List.of();
        }

        @Override
        public CompletionStage<@Nullable Void> complete(ReceivedDeadLetter arrival) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public DeadLetterQueue.Depth peek(int most) {
            return new DeadLetterQueue.Depth(0, null);
        }

        @Override
        public void renew() {}

        @Override
        public void close() {
            closed = true;
            if (atClose instanceof Error error) {
                throw error;
            }
            if (atClose instanceof RuntimeException exception) {
                throw exception;
            }
        }
    }
}
