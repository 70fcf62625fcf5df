package dev.waybill.deadletter.collect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.deadletter.DeadLetter.BodyKind;
import dev.waybill.deadletter.DeadLetterEntity;
import dev.waybill.deadletter.DeadLetterQueue;
import dev.waybill.deadletter.ReceivedDeadLetter;
import dev.waybill.deadletter.ReceivedDeadLetter.Death;
import dev.waybill.deadletter.ReceivedDeadLetter.Origin;
import dev.waybill.deadletter.StoredLetters;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Completions of a broker that answers when the test says so. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class CompletionsTest {
    private static final DeadLetterEntity ORDERS = DeadLetterEntity.ofPath("orders", false);

    private final SlowQueue queue = new SlowQueue();
    private final Completions completions = new Completions(queue, 2);

    @Test
    void storing_goes_on_while_completions_wait_for_the_broker() throws InterruptedException {
        completions.begin(arrivals(1, 4));

        assertThat(queue.underWay.keySet()).containsExactly(1L, 2L);

        queue.answer(1);
        assertThat(queue.underWay.keySet()).containsExactly(2L, 3L);
    }

    @Test
    void more_than_twice_the_limit_are_never_held() throws Exception {
        completions.begin(arrivals(1, 4));

        CompletableFuture<Void> fifth = CompletableFuture.runAsync(() -> begin(arrivals(5, 5)));
        assertThat(fifth).isNotDone();

        queue.answer(1);
        fifth.get();
        assertThat(queue.underWay.keySet()).containsExactly(2L, 3L);
    }

    @Test
    void a_queue_that_throws_leaves_room_for_the_next() throws InterruptedException {
        queue.broken = true;
        completions.begin(arrivals(1, 20));

        assertThat(completions.failing()).hasMessage("no link");
        queue.broken = false;
        completions.begin(arrivals(21, 22));
        assertThat(queue.underWay.keySet()).containsExactly(21L, 22L);
    }

    @Test
    void nothing_is_left_once_all_have_been_answered() throws InterruptedException {
        completions.begin(arrivals(1, 4));

        assertThat(completions.await(Duration.ZERO)).isFalse();
        LongStream.rangeClosed(1, 4).forEach(queue::answer);
        assertThat(completions.await(Duration.ZERO)).isTrue();
    }

    private void begin(List<ReceivedDeadLetter> arrivals) {
        try {
            completions.begin(arrivals);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static List<ReceivedDeadLetter> arrivals(long first, long last) {
        return LongStream.rangeClosed(first, last)
                .mapToObj(CompletionsTest::arrival)
                .toList();
    }

    private static ReceivedDeadLetter arrival(long number) {
        var origin = new Origin(ORDERS, number, Instant.EPOCH, "m" + number, 1, null);
        return new ReceivedDeadLetter(
                number, origin, new Death("", "", null), StoredLetters.content("m" + number, ""), BodyKind.DATA);
    }

    private static final class SlowQueue implements DeadLetterQueue {
        private final Map<Long, CompletableFuture<@Nullable Void>> underWay = new ConcurrentSkipListMap<>();
        private volatile boolean broken;

        private void answer(long number) {
            Objects.requireNonNull(underWay.remove(number)).complete(null);
        }

        @Override
        public CompletionStage<@Nullable Void> complete(ReceivedDeadLetter arrival) {
            if (broken) {
                throw new IllegalStateException("no link");
            }
            return underWay.computeIfAbsent(arrival.origin().sequenceNumber(), number -> new CompletableFuture<>());
        }

        @Override
        public DeadLetterEntity entity() {
            return ORDERS;
        }

        @Override
        public List<ReceivedDeadLetter> receive(int most, Duration atMost) {
            return List.of();
        }

        @Override
        public DeadLetterQueue.Depth peek(int most) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void renew() {}

        @Override
        public void close() {}
    }
}
