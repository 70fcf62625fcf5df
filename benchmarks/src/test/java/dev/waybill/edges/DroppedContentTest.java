package dev.waybill.edges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.core.util.BinaryData;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.Holds;
import dev.waybill.inbox.ConsumerListener;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.InboxHolds;
import dev.waybill.inbox.OnFailure;
import dev.waybill.inbox.Verdict;
import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.receiver.ServiceBusSource;
import dev.waybill.test.TestWaybill;
import dev.waybill.test.WaybillExtension;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(60)
class DroppedContentTest {
    @RegisterExtension
    static final WaybillExtension WAYBILL =
            WaybillExtension.with(bus -> bus.queue("orders").queue("sessions", QueueOptions::requiresSession));

    private final List<String> outcomes = Collections.synchronizedList(new ArrayList<>());
    private final List<String> handled = Collections.synchronizedList(new ArrayList<>());
    private ServiceBusSenderClient sender;
    private ServiceBusSenderClient sessions;

    @BeforeEach
    void open(TestWaybill waybill) {
        sender = new ServiceBusClientBuilder()
                .connectionString(waybill.connectionString())
                .sender()
                .queueName("orders")
                .buildClient();
        sessions = new ServiceBusClientBuilder()
                .connectionString(waybill.connectionString())
                .sender()
                .queueName("sessions")
                .buildClient();
    }

    @AfterEach
    void close() {
        sender.close();
        sessions.close();
    }

    /** Two facts with one id, both deferred: one is completed on the broker. */
    @Test
    void a_deferred_message_of_other_content_is_told_when_it_is_dropped(TestWaybill waybill) {
        sessions.sendMessage(new ServiceBusMessage("first").setMessageId("a").setSessionId("s"));
        sessions.sendMessage(new ServiceBusMessage("second").setMessageId("a").setSessionId("s"));
        try (var consumer =
                consumer(waybill, "sessions", (tx, m) -> Verdict.defer("key-1"), UnaryOperator.identity())) {
            consumer.start();
            await().during(Duration.ofSeconds(3)).until(() -> outcomes.size() >= 3);
        }
        assertThat(outcomes).contains("OTHER_CONTENT a second");
    }

    @Test
    void a_held_message_of_other_content_is_told_when_it_is_dropped(TestWaybill waybill, DataSource ds) {
        var poison = new AtomicBoolean(true);
        sessions.sendMessage(new ServiceBusMessage("first").setMessageId("a").setSessionId("S"));
        sessions.sendMessage(new ServiceBusMessage("first").setMessageId("a").setSessionId("s"));
        sessions.sendMessage(new ServiceBusMessage("second").setMessageId("a").setSessionId("S"));
        Handler handler = (tx, m) -> {
            handled.add(m.id() + "=" + m.text());
            return poison.get() ? Verdict.deadLetter("Poison", "not yet") : Verdict.done();
        };
        try (var consumer = consumer(waybill, "sessions", handler, b -> b.onFailure(OnFailure.HOLD_SESSION))) {
            consumer.start();
            Holds holds = InboxHolds.in(ds, waybill.schema());
            await().until(() -> holds.list().size() == 1 && holds.list().get(0).messages() == 3);
            poison.set(false);
            holds.release(holds.list().get(0).key(), new AuditContext("ops", "test"));
            await().until(() -> holds.list().isEmpty());
            await().until(() -> outcomes.size() >= 6);
        }
        assertThat(outcomes).contains("DONE a first", "DUPLICATE a first", "OTHER_CONTENT a second");
    }

    /** As StringContent(text, Encoding.Unicode) of .NET: little-endian, without a mark. */
    @Test
    void utf_16_without_a_mark_is_no_other_text(TestWaybill waybill) throws Exception {
        body(waybill, "{\"a\":1}", StandardCharsets.UTF_16LE, "application/json; charset=utf-16");
    }

    @Test
    void utf_32_with_a_mark_is_no_other_text(TestWaybill waybill) throws Exception {
        body(waybill, "\uFEFF{\"a\":1}", Charset.forName("UTF-32LE"), "application/json");
    }

    @Test
    void utf_32_of_big_endian_with_a_mark_is_no_other_text(TestWaybill waybill) throws Exception {
        body(waybill, "\uFEFF{\"a\":1}", Charset.forName("UTF-32BE"), "application/json");
    }

    private void body(TestWaybill waybill, String text, Charset charset, String type) throws Exception {
        sender.sendMessage(new ServiceBusMessage(BinaryData.fromBytes(text.getBytes(charset)))
                .setMessageId("a")
                .setContentType(type));
        waybill.consumer("books", "orders", (tx, m) -> {
                    handled.add(m.text());
                    return Verdict.done();
                })
                .handleAll();
        if (!handled.isEmpty()) {
            assertThat(handled).containsExactly(text.replace("\uFEFF", ""));
        }
    }

    private InboxConsumer consumer(
            TestWaybill waybill, String queue, Handler handler, UnaryOperator<InboxConsumer.Builder> settings) {
        return settings.apply(InboxConsumer.builder(waybill.dataSource())
                        .schema(waybill.schema())
                        .name("books")
                        .concurrency(1)
                        .source(ServiceBusSource.ofQueue(waybill.connectionString(), queue)
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
