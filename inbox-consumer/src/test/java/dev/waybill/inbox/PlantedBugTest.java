package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The mistakes that the consumer is built to avoid, made on purpose: the same checks that pass without them must fail. */
@ExtendWith(PostgresExtension.class)
class PlantedBugTest {
    private static final RetryPolicy NOT_IN_PLACE =
            new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ZERO);

    InboxFixture inbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        inbox = new InboxFixture(database);
    }

    @Test
    void with_nothing_wrong_every_effect_happens_once_and_in_order() {
        assertThat(effectsAfterACrash(new Broker(false), new Effects(false))).containsExactly("m1", "m2");

        inbox.dsl.execute("truncate " + inbox.schema.table("effect") + ", " + inbox.schema.table("inbox_message"));
        assertThat(effectsAfterACrash(new Broker(false), new Effects(false), settings -> {}))
                .containsExactly("m1", "m2");
    }

    @Test
    void completing_before_the_commit_loses_what_a_crash_rolls_back() {
        assertThat(effectsAfterACrash(new Broker(true), new Effects(false))).containsExactly("m2");
    }

    @Test
    void recording_outside_the_transaction_of_the_effects_applies_twice_what_a_crash_rolls_back() {
        assertThat(effectsAfterACrash(new Broker(false), new Effects(true))).containsExactly("m1", "m1", "m2");
    }

    @Test
    void abandoning_inside_a_session_lets_the_next_message_overtake() {
        Handler failsOnce = failsOnce();
        var right = new Broker(false);
        run(right, failsOnce, settings -> {});
        assertThat(inbox.effects()).containsExactly("m1", "m2");

        inbox.dsl.execute("truncate " + inbox.schema.table("effect") + ", " + inbox.schema.table("inbox_message"));
        // To the consumer it is an entity without sessions, whose messages it may give back.
        inbox.entity(EntityDescription.of("q", false));
        run(new Broker(false), failsOnce(), settings -> settings.retries = NOT_IN_PLACE);

        assertThat(inbox.effects()).containsExactly("m2", "m1");
    }

    @Test
    void an_id_that_a_dead_letter_leaves_behind_loses_its_redrive() {
        assertThat(effectsAfterARedrive(ConsumerListener.SILENT)).containsExactly("m1");

        inbox.dsl.execute("truncate " + inbox.schema.table("effect") + ", " + inbox.schema.table("inbox_message"));
        var records = new ConsumerListener() {
            @Override
            public void settled(InboundMessage message, Outcome outcome) {
                if (outcome == Outcome.DEAD_LETTERED) {
                    inbox.dsl.transaction(tx -> Inbox.in(inbox.schema).firstTime(tx.dsl(), "test", message.id()));
                }
            }
        };
        assertThat(effectsAfterARedrive(records)).isEmpty();
    }

    private static Handler failsOnceThen(Handler handler) {
        var tries = new AtomicInteger();
        return (tx, message) -> {
            if (tries.getAndIncrement() == 0) {
                throw new IOException("once");
            }
            return handler.handle(tx, message);
        };
    }

    private Handler failsOnce() {
        return failsOnceThen(inbox::effect);
    }

    private List<String> effectsAfterARedrive(ConsumerListener listener) {
        Handler refuses = (tx, message) -> Verdict.deadLetter("No", "not yet");
        inbox.turn(ScriptedReceiver.ofSession(FakeMessage.of("m1")), refuses, settings -> settings.listener = listener)
                .run();
        inbox.turn(ScriptedReceiver.ofSession(FakeMessage.of("m1")), inbox::effect)
                .run();
        return inbox.effects();
    }

    private List<String> effectsAfterACrash(Broker broker, Effects effects) {
        return effectsAfterACrash(broker, effects, settings -> settings.readAhead = 0);
    }

    /** The first process dies at the end of its first handler; a second one takes over. */
    private List<String> effectsAfterACrash(Broker broker, Effects effects, Consumer<ConsumerOptions> change) {
        run(
                broker,
                (tx, message) -> {
                    effects.apply(tx, message);
                    // Messages under way end with the process, and nothing is settled any more.
                    broker.lost.run();
                    return Verdict.done();
                },
                change);
        broker.lockEnds();
        run(
                broker,
                (tx, message) -> {
                    effects.apply(tx, message);
                    return Verdict.done();
                },
                change);
        return inbox.effects();
    }

    private void run(Broker broker, Handler handler, Consumer<ConsumerOptions> change) {
        inbox.turn(broker, handler, change).run();
    }

    private final class Effects {
        private final boolean outside;

        Effects(boolean outside) {
            this.outside = outside;
        }

        void apply(DSLContext tx, InboundMessage message) {
            inbox.effect(outside ? inbox.dsl : tx, message);
        }
    }

    /** A session of two messages that keeps what is not settled; one kind completes what it hands out. */
    private static final class Broker implements Receiver {
        private final Deque<InboundMessage> messages = new ArrayDeque<>();
        private final boolean completesEarly;
        private Runnable lost = () -> {};
        private final Deque<InboundMessage> inHand = new ArrayDeque<>();

        Broker(boolean completesEarly) {
            this.completesEarly = completesEarly;
            messages.add(FakeMessage.of("m1"));
            messages.add(FakeMessage.of("m2"));
        }

        void lockEnds() {
            while (!inHand.isEmpty()) {
                messages.addFirst(inHand.removeLast());
            }
        }

        @Override
        public Optional<String> session() {
            return Optional.of("s");
        }

        @Override
        public Optional<InboundMessage> receive(Duration atMost) {
            @Nullable InboundMessage next = messages.poll();
            if (next != null && !completesEarly) {
                inHand.add(next);
            }
            return Optional.ofNullable(next);
        }

        @Override
        public List<InboundMessage> receive(int most, Duration atMost) {
            return receive(atMost).map(List::of).orElse(List.of());
        }

        @Override
        public void stopReceiving() {}

        @Override
        public Optional<InboundMessage> receiveDeferred(long sequenceNumber) {
            return Optional.empty();
        }

        @Override
        public CompletionStage<@Nullable Void> complete(InboundMessage message) {
            inHand.remove(message);
            return CompletableFuture.completedFuture(null);
        }

        // By the time it is back, the next one is on its way (azure-sdk-for-java issue 30027).
        @Override
        public void abandon(InboundMessage message) {
            messages.addLast(message);
            inHand.remove(message);
        }

        @Override
        public void defer(InboundMessage message) {
            inHand.remove(message);
        }

        @Override
        public void deadLetter(InboundMessage message, String reason, String description) {
            inHand.remove(message);
        }

        @Override
        public CompletionStage<@Nullable Void> renewLock(@Nullable InboundMessage message) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void whenLost(Runnable listener) {
            lost = listener;
        }

        @Override
        public void close() {}
    }
}
