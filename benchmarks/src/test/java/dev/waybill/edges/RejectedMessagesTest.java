package dev.waybill.edges;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.test.TestConsumer;
import dev.waybill.test.TestWaybill;
import dev.waybill.test.WaybillExtension;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** What a service's log says of a message that its handler rejects: without a collector, nothing else knows it. */
@Timeout(60)
class RejectedMessagesTest {
    @RegisterExtension
    static final WaybillExtension WAYBILL = WaybillExtension.with(bus -> bus.queue("orders"))
            .tables(
                    "create table wallet (id text primary key, cents bigint not null check (cents >= 0), a int[])",
                    "insert into wallet values ('w-7', 100)");

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.waybill.inbox");

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(lines);
    }

    private List<String> told() {
        return List.copyOf(lines.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    private static TestConsumer handling(TestWaybill waybill, Handler handler) throws Exception {
        waybill.transaction(tx -> waybill.outbox()
                .append(tx, OutboxMessage.to("orders").id("o-1").text("x").build()));
        waybill.publish();
        TestConsumer consumer = waybill.consumer("billing", "orders", handler);
        consumer.handleAll();
        return consumer;
    }

    @Test
    void a_verdict_is_told_with_queue_consumer_and_reason(TestWaybill waybill) throws Exception {
        handling(waybill, (tx, message) -> Verdict.deadLetter("UnknownSubject", "no such\nmessage"));

        assertThat(told())
                .contains("Message 'o-1' is in the dead-letter queue of 'orders', given up by consumer 'billing':"
                        + " UnknownSubject: no such");
    }

    @Test
    void an_exception_is_told_with_its_reason_and_how_long_it_is_retried(TestWaybill waybill) throws Exception {
        handling(waybill, (tx, message) -> {
            throw new IllegalStateException("no such wallet");
        });

        assertThat(told())
                .anySatisfy(line -> assertThat(line)
                        .startsWith("Message 'o-1' failed (UNKNOWN, retried for up to PT0.5S unless a FailurePolicy"))
                .contains("Message 'o-1' is in the dead-letter queue of 'orders', given up by consumer 'billing':"
                        + " java.lang.IllegalStateException: no such wallet");
    }

    /** Half of an emoji, as a parser quotes it, has no encoding: its settlement would never be sent. */
    @ParameterizedTest
    @ValueSource(strings = {"Unexpected character '\uD83D'", "cut \uDC4D off", "with \u0000"})
    void a_reason_that_cannot_be_encoded_blocks_nothing(String words, TestWaybill waybill) throws Exception {
        handling(waybill, (tx, message) -> {
            throw new IllegalArgumentException(words);
        });

        waybill.deadLettered("orders").hasIds("o-1");
    }

    @Test
    void a_verdict_that_cannot_be_encoded_blocks_nothing(TestWaybill waybill) throws Exception {
        handling(waybill, (tx, message) -> Verdict.deadLetter("Bad\uD83D", "name 'abc\uD83D' is too long"));

        assertThat(waybill.deadLettered("orders").single().detail()).contains("name 'abc\uFFFD' is too long");
    }

    /** The same row would be refused again; each try of a session lets the session wait. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "update wallet set cents = cents - 250",
                "update wallet set cents = null",
                "insert into wallet values ('w-8', 9223372036854775807 + 1)"
            })
    void a_row_that_breaks_a_rule_is_tried_once(String statement, TestWaybill waybill) throws Exception {
        TestConsumer consumer = handling(waybill, (tx, message) -> {
            tx.execute(statement);
            return Verdict.done();
        });

        assertThat(consumer.failures()).hasSize(1);
        waybill.deadLettered("orders").hasIds("o-1");
    }

    /** Another message may take the row away. */
    @Test
    void a_key_that_may_go_is_tried_again(TestWaybill waybill) throws Exception {
        TestConsumer consumer = handling(waybill, (tx, message) -> {
            tx.execute("insert into wallet values ('w-7', 1)");
            return Verdict.done();
        });

        assertThat(consumer.failures().size()).isGreaterThan(1);
    }
}
