package dev.waybill.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Collectors that an interrupted thread closes, as the threads of an executor are by its {@code shutdownNow()}. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class InterruptedCloseTest {
    @Test
    void an_interrupted_close_lets_the_receive_under_way_end_before_it_closes_the_queue(TestDatabase database)
            throws Exception {
        var queue = new BusyQueue();
        var stored = new StoredLetters(database);
        var collector = DeadLetterCollector.start(database.dataSource(), stored.schema, List.of(queue));
        queue.begun.await();

        var interruptedAfter = new CompletableFuture<Boolean>();
        var closing = new Thread(() -> {
            Thread.currentThread().interrupt();
            collector.close();
            interruptedAfter.complete(Thread.interrupted());
        });
        closing.start();
        await().until(() ->
                Set.of(Thread.State.TIMED_WAITING, Thread.State.TERMINATED).contains(closing.getState()));
        queue.end.countDown();

        assertThat(interruptedAfter.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(queue.closedWhileBusy).isCompletedWithValue(false);
        assertThat(queue.closedUnderInterrupt).isCompletedWithValue(false);
        assertThat(collector.health().threads()).noneMatch(CollectorHealth.OfThread::alive);
    }

    /** Its receive lasts until the test lets it end. */
    private static final class BusyQueue implements DeadLetterQueue {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch end = new CountDownLatch(1);
        private final CompletableFuture<Boolean> closedWhileBusy = new CompletableFuture<>();
        private final CompletableFuture<Boolean> closedUnderInterrupt = new CompletableFuture<>();

        @Override
        public DeadLetterEntity entity() {
            return DeadLetterEntity.queue("orders");
        }

        @Override
        public List<ReceivedDeadLetter> receive(int most, Duration atMost) throws InterruptedException {
            begun.countDown();
            end.await();
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
            closedUnderInterrupt.complete(Thread.currentThread().isInterrupted());
            closedWhileBusy.complete(end.getCount() > 0);
        }
    }
}
