package dev.waybill.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.deadletter.DeadLetter.BodyKind;
import dev.waybill.deadletter.monitor.AlertSink;
import dev.waybill.deadletter.monitor.DeadLetterMonitor;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nothing that a turn throws ends the thread that took it, and everything it throws is told. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class SupervisionTest {
    enum Harm {
        EXCEPTION,
        ERROR,
        INTERRUPT,
        INTERRUPT_FLAG;

        void befall() throws Exception {
            switch (this) {
                case EXCEPTION -> throw new IllegalStateException("a bad night");
                case ERROR -> throw new NoClassDefFoundError("a/Lost");
                case INTERRUPT -> throw new InterruptedException("of a pool that was shut down");
                case INTERRUPT_FLAG -> Thread.currentThread().interrupt();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("long")
    void a_monitor_goes_on_looking_whatever_a_sink_threw(Harm harm, TestDatabase database) throws Exception {
        var stored = new StoredLetters(database);
        stored.add("m1", "body");
        var looks = new CountDownLatch(3);
        AlertSink bad = new AlertSink() {
            @Override
            public void raise(AlertSink.Alert alert) {}

            @Override
            public void observed(String entity, String reason, long depth, Duration oldest) {
                looks.countDown();
                SupervisionTest.<RuntimeException>unchecked(harm);
            }
        };
        var monitor = DeadLetterMonitor.of(
                database.dataSource(), stored.schema, DeadLetterMonitor.Thresholds.DEFAULT, List.of(bad), List.of());

        try (var thread = monitor.start(Duration.ofMillis(1))) {
            assertThat(thread).isNotNull();
            looks.await();
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("long")
    void a_collector_goes_on_and_says_what_it_met(Harm harm, TestDatabase database) {
        var stored = new StoredLetters(database);
        var queue = new HarmfulQueue(harm);
        try (var collector = DeadLetterCollector.start(database.dataSource(), stored.schema, List.of(queue))) {
            await().until(() -> queue.receives.get() > 4);

            var health = collector.health().threads().get(0);
            assertThat(health.entity()).isEqualTo(queue.entity());
            assertThat(health.alive()).isTrue();
            if (harm != Harm.INTERRUPT_FLAG) {
                assertThat(health.failures()).isEqualTo(1);
            }
            await().until(() -> collector.health().isWell());
        }
    }

    @Test
    void an_error_of_a_collector_stands_in_its_row_and_in_its_health(TestDatabase database) {
        var stored = new StoredLetters(database);
        var queue = new HarmfulQueue(Harm.ERROR);
        queue.always = true;
        try (var collector = DeadLetterCollector.start(database.dataSource(), stored.schema, List.of(queue))) {
            await().untilAsserted(() -> {
                assertThat(collector.health().isWell()).isFalse();
                assertThat(collector.health().threads().get(0).failure()).contains("NoClassDefFoundError");
                assertThat(stored.letters.collectors())
                        .extracting(CollectorStatus::failure)
                        .extracting(cause -> cause == null ? null : cause.reason())
                        .containsExactly("NoClassDefFoundError");
            });
        }
    }

    @Test
    void completions_that_always_fail_stand_in_the_row_and_in_the_health(TestDatabase database) {
        var stored = new StoredLetters(database);
        var queue = new BusyQueue();
        queue.completing = false;
        try (var collector = DeadLetterCollector.start(database.dataSource(), stored.schema, List.of(queue))) {
            await().untilAsserted(() -> {
                assertThat(collector.health().threads().get(0).failure()).contains("no such lock");
                assertThat(stored.letters.collectors().get(0).failure()).isNotNull();
            });

            queue.completing = true;
            await().until(() -> collector.health().isWell());
        }
    }

    @Test
    void a_failure_that_is_over_is_told_no_more_although_the_queue_is_never_empty(TestDatabase database) {
        var stored = new StoredLetters(database);
        var queue = new BusyQueue();
        try (var collector = DeadLetterCollector.start(database.dataSource(), stored.schema, List.of(queue))) {
            await().until(() -> queue.receives.get() > 3);
            queue.failing = true;
            await().until(() -> stored.letters.collectors().get(0).failure() != null);

            queue.failing = false;

            await().until(() -> stored.letters.collectors().get(0).failure() == null);
            await().until(() -> collector.health().isWell());
        }
    }

    @Test
    void a_closed_collector_has_no_thread_left(TestDatabase database) {
        var stored = new StoredLetters(database);
        var collector = DeadLetterCollector.start(
                database.dataSource(), stored.schema, List.of(new HarmfulQueue(Harm.INTERRUPT_FLAG)));
        assertThat(collector.health().threads()).allMatch(CollectorHealth.OfThread::alive);

        collector.close();

        assertThat(collector.health().threads()).noneMatch(CollectorHealth.OfThread::alive);
        assertThat(collector.health().isWell()).isFalse();
    }

    @SuppressWarnings("unchecked")
    private static <T extends Exception> void unchecked(Harm harm) throws T {
        try {
            harm.befall();
        } catch (Exception e) {
            throw (T) e;
        }
    }

    /** Another letter comes each time. */
    private static final class BusyQueue implements DeadLetterQueue {
        private final AtomicInteger receives = new AtomicInteger();
        private volatile boolean failing;
        private volatile boolean completing = true;

        @Override
        public DeadLetterEntity entity() {
            return DeadLetterEntity.queue("orders");
        }

        @Override
        public List<ReceivedDeadLetter> receive(int most, Duration atMost) {
            if (failing) {
                throw new IllegalStateException("no such queue");
            }
            int number = receives.incrementAndGet();
            var origin = new ReceivedDeadLetter.Origin(entity(), number, Instant.EPOCH, "m" + number, 1, null);
            return List.of(new ReceivedDeadLetter(
                    this,
                    origin,
                    new ReceivedDeadLetter.Death("Bad", "", null),
                    StoredLetters.content("m" + number, "body"),
                    BodyKind.DATA));
        }

        @Override
        public CompletionStage<@Nullable Void> complete(ReceivedDeadLetter arrival) {
            return completing
                    ? CompletableFuture.completedFuture(null)
                    : CompletableFuture.failedFuture(new IllegalStateException("no such lock"));
        }

        @Override
        public DeadLetterQueue.Depth peek(int most) {
            return new DeadLetterQueue.Depth(0, null);
        }

        @Override
        public void renew() {}

        @Override
        public void close() {}
    }

    /** Nothing ever lies in it, and its third receive ends badly. */
    private static final class HarmfulQueue implements DeadLetterQueue {
        private final AtomicInteger receives = new AtomicInteger();
        private final Harm harm;
        private volatile boolean always;

        HarmfulQueue(Harm harm) {
            this.harm = harm;
        }

        @Override
        public DeadLetterEntity entity() {
            return DeadLetterEntity.queue("orders");
        }

        @Override
        public List<ReceivedDeadLetter> receive(int most, Duration atMost) throws InterruptedException {
            if (receives.incrementAndGet() == 3 || always) {
                SupervisionTest.<InterruptedException>unchecked(harm);
            }
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
        public void close() {}
    }
}
