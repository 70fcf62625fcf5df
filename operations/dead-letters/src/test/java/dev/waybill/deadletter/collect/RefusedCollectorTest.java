package dev.waybill.deadletter.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.waybill.deadletter.CollectorSettings;
import dev.waybill.deadletter.DeadLetterEntity;
import dev.waybill.deadletter.DeadLetterQueue;
import dev.waybill.deadletter.ReceivedDeadLetter;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultHandle;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/** A dead-letter queue whose links the broker refuses: one line, a growing back-off, and a failure that does not come and go. */
@ExtendWith(PostgresExtension.class)
@Timeout(150)
class RefusedCollectorTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.waybill");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private DeadLetterFixture it;

    @BeforeEach
    void start(TestDatabase database) {
        it = new DeadLetterFixture(
                database,
                broker -> broker.queue("onto").queue("forwarding", queue -> queue.forwardDeadLettersTo("onto")));
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(log);
        it.close();
    }

    @Test
    void a_back_off_longer_than_the_proof_of_a_link_is_no_recovery() throws Exception {
        var clock = new AtomicLong();
        var turn = new CollectorTurn(it.dsl, it.schema, new SlowlyRefused(), CollectorSettings.DEFAULT, clock::get);
        for (int i = 0; i < 6; i++) {
            turn.run(Duration.ZERO);
            clock.addAndGet((i % 2 == 0 ? Duration.ofMillis(200) : Duration.ofSeconds(11)).toNanos());
        }

        assertThat(List.copyOf(log.list))
                .extracting(ILoggingEvent::getFormattedMessage)
                .singleElement()
                .asString()
                .contains("could not be collected");
    }

    /** The broker answers an attach later than one turn waits. */
    private static final class SlowlyRefused implements DeadLetterQueue {
        private int receives;

        @Override
        public DeadLetterEntity entity() {
            return DeadLetterEntity.queue("orders");
        }

        @Override
        public List<ReceivedDeadLetter> receive(int most, Duration atMost) {
            if (receives++ % 2 == 0) {
                return List.of();
            }
            throw new IllegalStateException("The messaging entity could not be found");
        }

        @Override
        public CompletionStage<@Nullable Void> complete(ReceivedDeadLetter letter) {
            throw new IllegalStateException("No letter came");
        }

        @Override
        public Depth peek(int most) {
            return new Depth(0, null);
        }

        @Override
        public void renew() {}

        @Override
        public void close() {}
    }

    @Test
    void a_broker_that_is_killed_is_a_failure_until_it_answers_again() {
        var collector = new CollectorThread(it.dsl, it.schema, it.deadLettersOf("onto"), CollectorSettings.DEFAULT);
        collector.start();
        try {
            await().until(() -> it.bus.connectionCount() > 0);
            it.bus.suspend();
            await().atMost(Duration.ofSeconds(45)).until(this::isFailing);

            await().during(Duration.ofSeconds(15))
                    .atMost(Duration.ofSeconds(20))
                    .until(this::isFailing);
            assertThat(lines()).noneMatch(line -> line.contains("are collected again"));

            it.bus.resume();
            await().atMost(Duration.ofSeconds(60)).until(() -> !isFailing());
            assertThat(lines()).anyMatch(line -> line.contains("are collected again"));
        } finally {
            collector.stop();
            collector.end(Duration.ofSeconds(5));
        }
    }

    private boolean isFailing() {
        return it.dsl.fetchExists(
                DSL.table(it.schema.table("dead_letter_entity")), DSL.condition("failing_since is not null"));
    }

    private List<String> lines() {
        return List.copyOf(log.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Test
    void a_dead_letter_queue_that_refuses_its_collector_is_told_once_and_fails_until_it_is_mended() throws Exception {
        for (String entity : List.of("forwarding", "unknown")) {
            FaultHandle attaches = it.bus
                    .faults()
                    .at(FaultPoint.ATTACH)
                    .operation("receive")
                    .when(event -> event.entity().contains(entity))
                    .then(FaultAction.observe());
            DeadLetterQueue queue = it.deadLettersOf(entity);
            var collector = new CollectorThread(it.dsl, it.schema, queue, CollectorSettings.DEFAULT);
            collector.start();
            try {
                await().until(() -> collector.health().failure() != null);
                await().during(Duration.ofSeconds(6))
                        .atMost(Duration.ofSeconds(10))
                        .untilAsserted(
                                () -> assertThat(collector.health().failure()).isNotNull());

                assertThat(attaches.hits()).isBetween(2, 10);
                assertThat(List.copyOf(log.list))
                        .extracting(ILoggingEvent::getFormattedMessage)
                        .filteredOn(line -> line.contains(entity))
                        .singleElement()
                        .asString()
                        .contains("could not be collected");
            } finally {
                collector.stop();
                collector.end(Duration.ofSeconds(5));
                attaches.cancel();
            }
        }
    }
}
