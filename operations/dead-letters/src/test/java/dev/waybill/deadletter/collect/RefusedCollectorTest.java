package dev.waybill.deadletter.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.waybill.deadletter.CollectorSettings;
import dev.waybill.deadletter.DeadLetterQueue;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultHandle;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/** A dead-letter queue whose links the broker refuses: one line, a growing back-off, and a failure that does not come and go. */
@ExtendWith(PostgresExtension.class)
@Timeout(90)
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
