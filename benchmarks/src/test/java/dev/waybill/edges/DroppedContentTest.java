package dev.waybill.edges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.Holds;
import dev.waybill.inbox.ConsumerListener;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.InboxHolds;
import dev.waybill.inbox.OnFailure;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.servicebus.receiver.ServiceBusSource;
import dev.waybill.test.TestWaybill;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** A message with the id of a handled one and another content: it is dropped on every way, and each drop is told. */
@Timeout(60)
class DroppedContentTest extends ForeignMessages {
    private final List<String> outcomes = Collections.synchronizedList(new ArrayList<>());
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.waybill.inbox");

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(log);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10})
    void other_messages_with_one_id_are_dropped_and_told(int batch, TestWaybill waybill) {
        sendTo(
                "s",
                message("a", "first"),
                message("a", "first"),
                message("a", "second"),
                message("a", "first").setSubject("OrderCancelled"),
                message("b", "first"));
        try (var consumer = consumer(waybill, handler, settings -> settings.batch(batch))) {
            consumer.start();
            await().until(() -> outcomes.size() == 5);
        }

        assertThat(handled).containsExactly("a=first", "b=first");
        assertThat(outcomes)
                .containsExactly(
                        "DONE a first",
                        "DUPLICATE a first",
                        "OTHER_CONTENT a second",
                        "OTHER_CONTENT a first",
                        "DONE b first");
        assertThat(warnings()).singleElement().asString().contains("another subject or body", "'a'");
    }

    /** A reminder whose id lacks its occasion: the second one is another fact, and nothing is told of an equal repeat. */
    @Test
    void a_message_that_is_scheduled_again_after_it_was_handled_is_told_when_it_is_dropped(
            TestWaybill waybill, DataSource ds) {
        List<String> bodies = List.of("pay 10", "pay 10", "pay 20");
        try (var consumer = consumer(waybill, handler, UnaryOperator.identity())) {
            consumer.start();
            for (String body : bodies) {
                int before = outcomes.size();
                waybill.outbox()
                        .inTransaction(tx -> waybill.outbox()
                                .append(
                                        tx,
                                        OutboxMessage.to("sessions")
                                                .id("reminder-7")
                                                .session("s")
                                                .text(body)
                                                .notBefore(Instant.now().minusSeconds(1))
                                                .build()));
                waybill.publish();
                await().until(() -> outcomes.size() > before);
            }
        }

        assertThat(outcomes)
                .containsExactly(
                        "DONE reminder-7 pay 10", "DUPLICATE reminder-7 pay 10", "OTHER_CONTENT reminder-7 pay 20");
        assertThat(warnings()).singleElement().asString().contains("'reminder-7'");
        assertThat(DSL.using(ds, SQLDialect.POSTGRES)
                        .fetch("select reason from " + waybill.schema().table("message_event")
                                + " where event = 'duplicate' order by at")
                        .getValues(0, String.class))
                .contains("OtherContent");
    }

    /** Two facts with one id, both deferred: one is completed on the broker. */
    @Test
    void a_deferred_message_of_other_content_is_told_when_it_is_dropped(TestWaybill waybill) {
        sendTo("s", message("a", "first"), message("a", "second"));
        try (var consumer = consumer(waybill, (tx, m) -> Verdict.defer("key-1"), UnaryOperator.identity())) {
            consumer.start();
            await().until(() -> outcomes.contains("OTHER_CONTENT a second"));
        }
    }

    @Test
    void a_held_message_of_other_content_is_told_when_it_is_dropped(TestWaybill waybill, DataSource ds) {
        var poison = new AtomicBoolean(true);
        sendTo("S", message("a", "first"));
        sendTo("s", message("a", "first"));
        sendTo("S", message("a", "second"));
        Handler fails = (tx, m) -> poison.get() ? Verdict.deadLetter("Poison", "not yet") : handler.handle(tx, m);
        try (var consumer = consumer(waybill, fails, settings -> settings.onFailure(OnFailure.HOLD_SESSION))) {
            consumer.start();
            Holds holds = InboxHolds.in(ds, waybill.schema());
            await().until(() -> holds.list().size() == 1 && holds.list().get(0).messages() == 3);
            poison.set(false);
            holds.release(holds.list().get(0).key(), new AuditContext("ops", "test"));
            await().until(() -> holds.list().isEmpty());
            await().until(() -> outcomes.size() >= 6);
        }
        assertThat(outcomes).contains("DONE a first", "DUPLICATE a first", "OTHER_CONTENT a second");
        assertThat(handled).containsExactly("a=first");
    }

    private List<String> warnings() {
        return List.copyOf(log.list).stream()
                .filter(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    private InboxConsumer consumer(
            TestWaybill waybill, Handler handler, UnaryOperator<InboxConsumer.Builder> settings) {
        return settings.apply(InboxConsumer.builder(waybill.dataSource())
                        .schema(waybill.schema())
                        .name("books")
                        .concurrency(1)
                        .source(ServiceBusSource.ofQueue(waybill.connectionString(), "sessions")
                                .withSessions())
                        .handler(handler)
                        .listener(new ConsumerListener() {
                            @Override
                            public void settled(InboundMessage message, Outcome outcome) {
                                outcomes.add(outcome + " " + message.id() + " " + message.text());
                            }
                        }))
                .build();
    }
}
