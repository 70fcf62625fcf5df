package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.hold.HeldMessage;
import dev.waybill.hold.HeldMessage.Origin;
import dev.waybill.message.MessageContent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A publisher may break its contract in any way; the destination must come back by itself. */
class DestinationSenderTest {
    private static final List<OutboxRow> ROWS = List.of(row(1), row(2), row(3));

    private final TestClock clock = new TestClock();
    private final Breaker breaker = new Breaker(clock, new SplittableRandom(1));
    private final Scripted publisher = new Scripted();
    private final DestinationSender sender =
            new DestinationSender("orders", HoldPolicy.HOLD_SESSION, publisher, breaker);

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of("throws an exception", thrown(() -> new IllegalStateException("planted"))),
                Arguments.of("lacks a class", thrown(() -> new NoClassDefFoundError("planted"))),
                Arguments.of("runs out of memory", thrown(() -> new OutOfMemoryError("planted"))),
                Arguments.of("throws what is checked", thrown(() -> new InterruptedException("planted"))),
                Arguments.of("returns null", answer(() -> null)),
                Arguments.of("returns a stage that cannot be used", answer(BrokenStage::new)),
                Arguments.of("fails later", answer(() -> CompletableFuture.failedFuture(new Error("planted")))),
                Arguments.of("is cancelled", answer(DestinationSenderTest::cancelled)),
                Arguments.of("completes with null", answer(DestinationSenderTest::nothing)),
                Arguments.of("accepts less than nothing", counted(-1, Outcome.ACCEPTED)),
                Arguments.of("accepts more than it was given", counted(4, Outcome.ACCEPTED)),
                Arguments.of("refuses a row that is not there", counted(3, Outcome.MESSAGE_REFUSED)),
                Arguments.of("has no outcome", answer(DestinationSenderTest::withoutOutcome)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("failures")
    void a_probe_ends_however_the_publisher_fails(String how, Answer failure) {
        publisher.next = () -> CompletableFuture.completedFuture(
                PublishResult.failed(0, new IllegalStateException("the broker is away")));
        for (int i = 0; i < 3; i++) {
            send();
        }
        assertThat(breaker.admits()).isFalse();
        for (int probe = 0; probe < 3; probe++) {
            clock.advanceMillis(10_000);
            publisher.next = failure;
            send();
        }

        clock.advanceMillis(10_000);
        publisher.next = () -> CompletableFuture.completedFuture(PublishResult.accepted(3));

        assertThat(send().accepted()).isEqualTo(3);
        assertThat(breaker.rest()).isZero();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("failures")
    void a_failure_of_the_publisher_counts_no_row_as_sent_and_blames_none(String how, Answer failure) {
        publisher.next = failure;

        PublishResult result = send();

        assertThat(result.accepted()).isZero();
        assertThat(result.outcome()).isEqualTo(Outcome.UNAVAILABLE);
        assertThat(result.failure()).isNotNull();
        send();
        send();
        assertThat(breaker.admits()).as("three in a row open the breaker").isFalse();
    }

    @Test
    void a_probe_that_is_never_answered_makes_room_for_another() {
        publisher.next = () -> {
            throw new IllegalStateException("planted");
        };
        for (int i = 0; i < 3; i++) {
            send();
        }
        clock.advanceMillis(10_000);
        publisher.next = CompletableFuture::new;
        var unanswered = sender.send(ROWS, () -> true, null);
        clock.advanceMillis(Breaker.LONGEST_PROBE.toMillis() - 1);
        assertThat(breaker.admits()).isFalse();

        clock.advanceMillis(1);
        publisher.next = () -> CompletableFuture.completedFuture(PublishResult.accepted(3));

        assertThat(send().accepted()).isEqualTo(3);
        assertThat(unanswered).isNotDone();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("failures")
    void getting_ready_ends_however_the_publisher_fails(String how, Answer failure) {
        publisher.next = failure;

        sender.prepare().join();

        assertThat(breaker.admits()).isTrue();
    }

    @Test
    @Timeout(30)
    void a_publisher_that_never_gets_ready_is_not_waited_for() {
        publisher.longestSend = Duration.ofMillis(20);
        publisher.next = CompletableFuture::new;

        sender.prepare().join();

        assertThat(breaker.admits()).isTrue();
    }

    @Test
    @Timeout(30)
    void a_shipment_that_is_never_answered_does_not_keep_its_lane() {
        publisher.longestSend = Duration.ofMillis(20);
        publisher.next = CompletableFuture::new;

        PublishResult result = send();

        assertThat(result.accepted()).isZero();
        assertThat(result.outcome()).isEqualTo(Outcome.UNAVAILABLE);
        assertThat(result.failure()).hasMessageContaining("has not answered for PT0.04S");
        assertThat(publisher.last().mayContinue().getAsBoolean())
                .as("it may go on after all")
                .isFalse();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("failures")
    void a_shipment_that_counts_as_failed_may_send_nothing_more(String how, Answer failure) {
        publisher.next = failure;

        send();

        assertThat(publisher.last().mayContinue().getAsBoolean()).isFalse();
    }

    @Test
    @Timeout(30)
    void a_publisher_that_blocks_while_it_gets_ready_keeps_its_caller_no_longer_than_a_send() {
        var released = new CountDownLatch(1);
        publisher.longestSend = Duration.ofMillis(20);
        publisher.next = () -> {
            released.await();
            return new CompletableFuture<>();
        };
        try {
            assertThat(sender.prepare()).succeedsWithin(Duration.ofSeconds(5));
        } finally {
            released.countDown();
        }
    }

    @Test
    @Timeout(30)
    void a_slow_shipment_that_gives_signs_of_life_is_waited_for() throws Exception {
        publisher.longestSend = Duration.ofSeconds(1);
        var answer = new CompletableFuture<PublishResult>();
        publisher.next = () -> answer;
        var sent = sender.send(ROWS, () -> true, null);

        var signs = new CountDownLatch(25);
        var pace = Executors.newSingleThreadScheduledExecutor();
        try {
            var unused = pace.scheduleAtFixedRate(
                    () -> {
                        assertThat(publisher.last().mayContinue().getAsBoolean())
                                .isTrue();
                        signs.countDown();
                    },
                    0,
                    100,
                    TimeUnit.MILLISECONDS);
            signs.await();
        } finally {
            pace.shutdownNow();
        }
        answer.complete(PublishResult.accepted(3));

        assertThat(sent.join().accepted()).isEqualTo(3);
    }

    @Test
    void the_failure_that_is_told_is_the_publishers_own() {
        publisher.next = () -> CompletableFuture.completedFuture(1).thenApply(x -> {
            throw new IllegalStateException("planted");
        });

        assertThat(send().failure()).isInstanceOf(IllegalStateException.class).hasMessage("planted");
    }

    @ParameterizedTest
    @EnumSource(names = {"UNAVAILABLE", "THROTTLED", "DESTINATION_REFUSED", "MESSAGE_REFUSED"})
    void a_failure_that_the_publisher_gives_no_reason_for_has_one(Outcome outcome) {
        publisher.next = counted(1, outcome);

        PublishResult result = send();

        assertThat(result.accepted()).isEqualTo(1);
        assertThat(result.outcome()).isEqualTo(outcome);
        assertThat(result.failure()).hasMessage("The publisher gave no reason");
    }

    @Test
    void a_destination_that_is_spared_without_a_reason_says_so() {
        publisher.next = counted(0, Outcome.THROTTLED);

        send();

        assertThat(breaker.trouble())
                .isNotNull()
                .satisfies(trouble -> assertThat(trouble.failure()).hasMessage("The publisher gave no reason"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void a_shipment_that_ends_short_without_being_told_to_stop_has_failed(int accepted) {
        publisher.next = counted(accepted, Outcome.ACCEPTED);

        PublishResult result = send();

        assertThat(result.accepted()).isEqualTo(accepted);
        assertThat(result.outcome()).isEqualTo(Outcome.UNAVAILABLE);
        assertThat(result.failure()).hasMessageContaining("accepted " + accepted + " of 3 messages");
    }

    @Test
    void a_shipment_that_was_told_to_stop_may_end_short_even_if_it_could_go_on_again() {
        var mayContinue = new AtomicBoolean();
        publisher.next = () -> {
            assertThat(publisher.last().mayContinue().getAsBoolean()).isFalse();
            mayContinue.set(true);
            return CompletableFuture.completedFuture(PublishResult.accepted(1));
        };

        assertThat(sender.send(ROWS, mayContinue::get, null).join()).isEqualTo(PublishResult.accepted(1));
    }

    private PublishResult send() {
        return sender.send(ROWS, () -> true, null).join();
    }

    private static Answer thrown(Supplier<Throwable> failure) {
        return () -> {
            throw failure.get();
        };
    }

    private static Answer answer(Answer answer) {
        return answer;
    }

    private static Answer counted(int accepted, Outcome outcome) {
        return () -> CompletableFuture.completedFuture(new PublishResult(accepted, outcome, null));
    }

    private static CompletableFuture<PublishResult> cancelled() {
        var future = new CompletableFuture<PublishResult>();
        future.cancel(true);
        return future;
    }

    @SuppressWarnings("NullAway")
    private static CompletableFuture<PublishResult> withoutOutcome() {
        return CompletableFuture.completedFuture(new PublishResult(3, null, null));
    }

    @SuppressWarnings("NullAway")
    private static CompletableFuture<PublishResult> nothing() {
        return CompletableFuture.completedFuture(null);
    }

    private static OutboxRow row(long seq) {
        return new OutboxRow(new HeldMessage(
                seq, new Origin(seq, Instant.EPOCH, 0), MessageContent.of("m" + seq, "s", new byte[] {1})));
    }

    /** The answer of a publisher to a shipment. */
    @FunctionalInterface
    interface Answer {
        @Nullable CompletionStage<PublishResult> give() throws Throwable;
    }

    /** Breaks its contract as the test says. */
    private static final class Scripted implements Publisher {
        private Answer next = CompletableFuture::new;
        private Duration longestSend = Duration.ofSeconds(30);
        private @Nullable Shipment last;

        Shipment last() {
            return Objects.requireNonNull(last);
        }

        @Override
        public Duration longestSend() {
            return longestSend;
        }

        @Override
        @SuppressWarnings("NullAway")
        public CompletionStage<PublishResult> publish(Shipment shipment) {
            last = shipment;
            return give();
        }

        @Override
        @SuppressWarnings("NullAway")
        public CompletionStage<?> prepare(String destination) {
            return give();
        }

        private @Nullable CompletionStage<PublishResult> give() {
            try {
                return next.give();
            } catch (Throwable e) {
                throw Scripted.<RuntimeException>unchecked(e);
            }
        }

        @Override
        public void close() {}

        // Throws a checked exception undeclared, as Kotlin, Scala and Reactor do.
        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
        private static <T extends Throwable> T unchecked(Throwable failure) throws T {
            throw (T) failure;
        }
    }

    /** A stage that nobody can wait for. */
    private static final class BrokenStage extends CompletableFuture<PublishResult> {
        @Override
        public <U> CompletableFuture<U> handle(
                BiFunction<? super PublishResult, @Nullable Throwable, ? extends U> then) {
            throw new UnsupportedOperationException("planted");
        }

        @Override
        public CompletableFuture<PublishResult> whenComplete(
                BiConsumer<? super PublishResult, ? super @Nullable Throwable> then) {
            throw new UnsupportedOperationException("planted");
        }

        @Override
        public CompletableFuture<PublishResult> toCompletableFuture() {
            throw new UnsupportedOperationException("planted");
        }
    }
}
