package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/** The lines in the log about a lane that is sent one message at a time. */
@ExtendWith(PostgresExtension.class)
class CautiousLogTest {
    private static final int ROWS_AT_ONCE = 10;

    private final Logger logger = (Logger) LoggerFactory.getLogger(OneByOneTurn.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final RecordingPublisher broker = new RecordingPublisher();

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stop_listening() {
        logger.detachAppender(lines);
    }

    @Test
    @Tag("long")
    void a_lane_that_is_sent_one_by_one_for_many_pages_is_told_of_once(TestDatabase database) {
        var outbox = new OutboxFixture(database);
        outbox.append(
                "s", IntStream.range(0, 8 * ROWS_AT_ONCE).mapToObj(i -> "m" + i).toArray(String[]::new));
        broker.behave(shipment -> {
            throw new IllegalStateException("the process ends");
        });
        for (int i = 0; i < CrashSuspect.GRAVE; i++) {
            outbox.expireLeases();
            assertThatThrownBy(
                            () -> outbox.relay(broker, ROWS_AT_ONCE).started().run())
                    .hasStackTraceContaining("the process ends");
        }
        broker.takeEverything();
        lines.list.clear();

        outbox.expireLeases();
        var relay = outbox.relay(broker, ROWS_AT_ONCE).started();
        while (relay.run().moved()) {}

        assertThat(broker.arrived()).hasSize(8 * ROWS_AT_ONCE);
        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .singleElement()
                .asString()
                .contains("has lost its owner 3 times where it stands; its messages are sent one by one");
    }
}
