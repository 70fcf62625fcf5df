package dev.waybill.servicebus.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.core.amqp.models.AmqpMessageBody;
import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.Hold;
import dev.waybill.inbox.InboxHolds;
import dev.waybill.inbox.OnFailure;
import dev.waybill.inbox.Verdict;
import dev.waybill.message.AmqpValue;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Decimal128;
import org.apache.qpid.proton.amqp.Decimal64;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.UnsignedShort;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Properties of the types that a .NET producer has and Java has not. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ForeignTypesTest {
    private BusFixture it;

    @BeforeEach
    void start(TestDatabase database) {
        it = new BusFixture(database, broker -> broker.queue("orders", queue -> queue.requiresSession()));
    }

    @AfterEach
    void stop() {
        it.close();
    }

    @Test
    void messages_whose_logical_id_is_empty_are_told_apart_by_the_brokers_ids() {
        it.consume(it.sessions("orders"), it::effect);
        it.sendCopy("orders", "s", "b1", "");
        it.sendCopy("orders", "s", "b2", "");

        it.awaitSettled("orders", 2);
        assertThat(it.effects()).containsExactly("b1", "b2");
    }

    @Test
    void a_handler_gets_them_as_java_types_and_a_hold_keeps_them() {
        var seen = new ConcurrentLinkedQueue<Map<String, Object>>();
        var repaired = new AtomicBoolean();
        it.consume(
                it.sessions("orders"),
                (tx, message) -> {
                    seen.add(message.headers());
                    return repaired.get() ? it.effect(tx, message) : Verdict.deadLetter("NotYet", "not today");
                },
                settings -> settings.onFailure(OnFailure.HOLD_SESSION));
        send();
        var holds = InboxHolds.in(it.dataSource, it.schema);
        await().until(() -> !holds.list().isEmpty());

        repaired.set(true);
        Hold hold = holds.list().get(0);
        holds.release(hold.key(), new AuditContext("anna", "test"));
        await().untilAsserted(() -> assertThat(it.effects()).containsExactly("m1"));

        assertThat(seen).hasSize(2).allSatisfy(headers -> {
            assertThat((byte[]) headers.get("binary")).containsExactly(0, -1, 2);
            assertThat(headers)
                    .containsEntry("ubyte", 255L)
                    .containsEntry("ushort", 65_535L)
                    .containsEntry("uint", 4_294_967_295L)
                    .containsEntry("ulong", 7L)
                    .containsEntry("most", new AmqpValue("ulong", "18446744073709551615"))
                    .containsEntry("decimal", new AmqpValue("decimal128", "8c3c00000000000000000000000007cf"))
                    .containsEntry("time", Instant.EPOCH)
                    .containsEntry("late", Instant.ofEpochMilli(Long.MAX_VALUE))
                    .containsEntry("early", Instant.ofEpochMilli(Long.MIN_VALUE))
                    .containsEntry("nan", Double.NaN)
                    .containsEntry("nul", "a\0b")
                    .containsKey("rare");
        });
    }

    @Test
    void a_text_that_jms_has_sent_is_read_like_any_other() {
        var seen = new ConcurrentLinkedQueue<String>();
        it.consume(it.sessions("orders"), (tx, message) -> {
            seen.add(message.text());
            return it.effect(tx, message);
        });
        send(new ServiceBusMessage(AmqpMessageBody.fromValue("t\u00e4xt")).setMessageId("text"));
        send(new ServiceBusMessage(AmqpMessageBody.fromValue(new Binary("bytes".getBytes(StandardCharsets.UTF_8))))
                .setMessageId("bytes"));
        send(new ServiceBusMessage(AmqpMessageBody.fromValue(7)).setMessageId("number"));

        it.awaitSettled("orders", 3);

        assertThat(seen).containsExactly("t\u00e4xt", "bytes", "7");
    }

    /** The bytes in the hold are UTF-8, whatever the content type says. */
    @Test
    void a_text_of_jms_with_another_charset_in_its_content_type_is_the_same_out_of_a_hold() {
        var seen = new ConcurrentLinkedQueue<String>();
        var repaired = new AtomicBoolean();
        it.consume(
                it.sessions("orders"),
                (tx, message) -> {
                    seen.add(message.text());
                    return repaired.get() ? it.effect(tx, message) : Verdict.deadLetter("NotYet", "not today");
                },
                settings -> settings.onFailure(OnFailure.HOLD_SESSION));
        send(new ServiceBusMessage(AmqpMessageBody.fromValue("5 \u20ac"))
                .setMessageId("text")
                .setContentType("text/plain; charset=\"iso-8859-1\"; format=flowed"));
        var holds = InboxHolds.in(it.dataSource, it.schema);
        await().until(() -> !holds.list().isEmpty());

        repaired.set(true);
        holds.release(holds.list().get(0).key(), new AuditContext("anna", "test"));
        await().untilAsserted(() -> assertThat(it.effects()).containsExactly("text"));

        assertThat(seen).containsExactly("5 \u20ac", "5 \u20ac");
    }

    private void send() {
        var message = new ServiceBusMessage("body").setMessageId("m1");
        message.getApplicationProperties()
                .putAll(Map.of(
                        "binary", new Binary(new byte[] {0, -1, 2}),
                        "ubyte", UnsignedByte.valueOf((byte) -1),
                        "ushort", UnsignedShort.valueOf((short) -1),
                        "uint", UnsignedInteger.valueOf(-1),
                        "ulong", UnsignedLong.valueOf(7),
                        "most", UnsignedLong.valueOf(-1),
                        "decimal", new Decimal128(0x8c3c000000000000L, 1_999),
                        "time", Date.from(Instant.EPOCH),
                        "rare", new Decimal64(7)));
        message.getApplicationProperties()
                .putAll(Map.of(
                        "late",
                        Date.from(Instant.ofEpochMilli(Long.MAX_VALUE)),
                        "early",
                        Date.from(Instant.ofEpochMilli(Long.MIN_VALUE)),
                        "nan",
                        Double.NaN,
                        "nul",
                        "a\0b"));
        message.getApplicationProperties().put("nothing", null);
        send(message);
    }

    private void send(ServiceBusMessage message) {
        try (var sender = it.client().sender().queueName("orders").buildClient()) {
            sender.sendMessage(message.setSessionId("s"));
        }
    }
}
