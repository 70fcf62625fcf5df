package dev.waybill.edges;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.amqp.models.AmqpMessageBody;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.models.SubQueue;
import dev.waybill.inbox.Handler;
import dev.waybill.message.WireContract;
import dev.waybill.test.TestWaybill;
import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Senders that know nothing of Waybill: their copies of its properties, and their bodies. */
@Timeout(60)
class ForeignSendersTest extends ForeignMessages {
    @Test
    void properties_that_a_service_copied_from_another_message_are_not_believed(TestWaybill waybill) throws Exception {
        ServiceBusMessage copied = message("b", "a body of its own");
        copied.getApplicationProperties()
                .putAll(Map.of(
                        WireContract.LOGICAL_ID,
                        "a",
                        WireContract.CLAIM,
                        UUID.randomUUID().toString(),
                        WireContract.REDRIVE_COUNT,
                        3L,
                        "tenant",
                        "t",
                        "waybill-number",
                        "of a carrier"));
        ServiceBusMessage empty = message("c", "");
        empty.getApplicationProperties()
                .putAll(Map.of(
                        WireContract.LOGICAL_ID,
                        "a",
                        WireContract.CLAIM,
                        UUID.randomUUID().toString()));
        send(message("a", "first"), copied, empty);
        var redrives = new ArrayList<Long>();
        var names = new ArrayList<String>();
        Handler counting = (tx, message) -> {
            redrives.add(message.redriveCount());
            names.addAll(message.headers().keySet());
            return handler.handle(tx, message);
        };

        waybill.consumer("books", "orders", counting, one -> one.concurrency(1)).handleAll();

        assertThat(handled).containsExactly("a=first", "b=a body of its own");
        assertThat(redrives).containsOnly(0L);
        assertThat(names).containsExactlyInAnyOrder("tenant", "waybill-number");
        assertThat(waybill.deadLettered("orders").ids())
                .as("its body is in a claim that is not believed")
                .containsExactly("c");
    }

    @Test
    void a_claim_on_a_message_with_a_body_is_ignored(TestWaybill waybill) throws Exception {
        ServiceBusMessage claimed = message("a", "its own");
        claimed.getApplicationProperties()
                .putAll(Map.of(
                        WireContract.LOGICAL_ID,
                        "a",
                        WireContract.CLAIM,
                        UUID.randomUUID().toString()));
        send(claimed);

        waybill.consumer("books", "orders", handler, one -> one.concurrency(1)).handleAll();

        assertThat(handled).containsExactly("a=its own");
    }

    static Stream<Arguments> readable() {
        return Stream.of(
                body("text/plain; charset=ISO-8859-1", "\u00e9t\u00e9", StandardCharsets.ISO_8859_1),
                body("text/plain; Charset=\"windows-1252\"", "5 \u20ac", Charset.forName("windows-1252")),
                body("application/json;charset=utf-16le", "{\"a\":\"\u00fc\"}", StandardCharsets.UTF_16LE),
                body("application/json", "\uFEFF{}", StandardCharsets.UTF_8),
                body("application/json", "\uFEFF{\"a\":1}", StandardCharsets.UTF_16LE),
                body(null, "\uFEFF\u00fc", StandardCharsets.UTF_16BE),
                body("text/plain; charset=utf-16", "\uFEFFx", StandardCharsets.UTF_16LE),
                body("text/plain", "a\uFEFFb", StandardCharsets.UTF_8),
                body("text/plain", "", StandardCharsets.UTF_8),
                body("text/plain", "@string is no envelope", StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @MethodSource("readable")
    void texts_arrive_in_their_charset_and_without_byte_order_mark(
            String contentType, String text, Charset charset, TestWaybill waybill) throws Exception {
        send(message("a", text.getBytes(charset)).setContentType(contentType));

        waybill.consumer("books", "orders", handler, one -> one.concurrency(1)).handleAll();

        assertThat(handled).containsExactly("a=" + (text.startsWith("\uFEFF") ? text.substring(1) : text));
    }

    static Stream<Arguments> unreadable() {
        return Stream.of(
                bad(
                        "latin-1 without its charset",
                        message("a", "\u00e9t\u00e9".getBytes(StandardCharsets.ISO_8859_1)),
                        "UTF-8 from byte 0"),
                bad(
                        "half a character at the end",
                        message("a", new byte[] {'a', (byte) 0xC3}),
                        "UTF-8 from byte 1 of 2"),
                bad("an overlong form", message("a", new byte[] {(byte) 0xC0, (byte) 0x80}), "UTF-8"),
                bad(
                        "half of a pair in UTF-8",
                        message("a", new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0xBD}),
                        "UTF-8"),
                bad(
                        "an odd number of bytes of UTF-16",
                        message("a", new byte[] {0, 'a', 0}).setContentType("text/plain; charset=utf-16be"),
                        "UTF-16BE from byte 2"),
                bad(
                        "a charset that Java lacks",
                        message("a", "x").setContentType("text/plain; charset=klingon-1"),
                        "klingon-1"),
                bad("an old .NET text", message("a", envelope("string", "{\"a\":1}")), "DataContractSerializer"),
                bad("old .NET bytes", message("a", envelope("base64Binary", "AAA")), "DataContractSerializer"),
                bad(
                        "an old .NET object of a contract of its own",
                        message("a", contract("Order", "http://schemas.datacontract.org/2004/07/Shop")),
                        "DataContractSerializer"),
                bad(
                        "an old .NET object in a long namespace",
                        message("a", contract("Order", "https://shop.example/" + "x".repeat(120))),
                        "DataContractSerializer"),
                bad("an AMQP map", new ServiceBusMessage(AmqpMessageBody.fromValue(Map.of("a", 1))), "Map"),
                bad(
                        "an AMQP list",
                        new ServiceBusMessage(AmqpMessageBody.fromValue(List.of(1, 2))),
                        "value of the type"),
                bad(
                        "an AMQP sequence",
                        new ServiceBusMessage(AmqpMessageBody.fromSequence(List.of(1, "b"))),
                        "sequence"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("unreadable")
    void a_body_that_cannot_be_had_whole_is_a_dead_letter_that_names_its_form(
            String what, ServiceBusMessage message, String said, TestWaybill waybill) throws Exception {
        send(message.setMessageId("a"));

        waybill.consumer("books", "orders", handler, one -> one.concurrency(1)).handleAll();

        assertThat(handled).isEmpty();
        waybill.deadLettered("orders").hasIds("a");
        assertThat(peeked().getDeadLetterErrorDescription()).contains(said);
    }

    /** Read as another charset, such a text has other characters and no error. */
    static Stream<Arguments> ambiguous() {
        return Stream.of(
                body("application/json; charset=utf-16", "{\"a\":1}", StandardCharsets.UTF_16LE),
                body("application/json", "\uFEFF{\"a\":1}", Charset.forName("UTF-32LE")),
                body("application/json", "\uFEFF{\"a\":1}", Charset.forName("UTF-32BE")));
    }

    @ParameterizedTest
    @MethodSource("ambiguous")
    void a_text_of_a_rare_charset_arrives_as_it_is_or_as_a_dead_letter(
            String contentType, String text, Charset charset, TestWaybill waybill) throws Exception {
        send(message("a", text.getBytes(charset)).setContentType(contentType));

        waybill.consumer("books", "orders", handler).handleAll();

        if (handled.isEmpty()) {
            waybill.deadLettered("orders").hasIds("a");
        } else {
            assertThat(handled).containsExactly("a=" + text.replace("\uFEFF", ""));
        }
    }

    @Test
    void a_value_with_one_text_is_a_body(TestWaybill waybill) throws Exception {
        send(new ServiceBusMessage(AmqpMessageBody.fromValue("text of JMS")).setMessageId("a"));
        send(new ServiceBusMessage(AmqpMessageBody.fromValue(42)).setMessageId("b"));

        waybill.consumer("books", "orders", handler, one -> one.concurrency(1)).handleAll();

        assertThat(handled).containsExactly("a=text of JMS", "b=42");
    }

    /** An AMQP text has no charset. Read by that of the content type, it would be another text, also out of a hold. */
    @ParameterizedTest
    @ValueSource(
            strings = {"text/plain; charset=ISO-8859-1", "text/plain; charset=utf-16", "text/plain; charset=klingon"})
    void a_text_of_jms_is_what_was_sent_whatever_charset_its_content_type_names(String type, TestWaybill waybill)
            throws Exception {
        send(new ServiceBusMessage(AmqpMessageBody.fromValue("5 \u20ac, \u00fc"))
                .setMessageId("a")
                .setContentType(type));

        waybill.consumer("books", "orders", handler, one -> one.concurrency(1)).handleAll();

        assertThat(handled).containsExactly("a=5 \u20ac, \u00fc");
    }

    private ServiceBusReceivedMessage peeked() {
        try (var dead = client().receiver()
                .queueName("orders")
                .subQueue(SubQueue.DEAD_LETTER_QUEUE)
                .buildClient()) {
            return dead.peekMessage();
        }
    }

    private static byte[] envelope(String element, String text) {
        byte[] namespace = "http://schemas.microsoft.com/2003/10/Serialization/".getBytes(StandardCharsets.US_ASCII);
        var bytes = new ByteArrayOutputStream();
        bytes.write('@');
        bytes.write(element.length());
        bytes.writeBytes(element.getBytes(StandardCharsets.US_ASCII));
        bytes.write(8);
        bytes.write(namespace.length);
        bytes.writeBytes(namespace);
        bytes.write(0x99);
        bytes.write(text.length());
        bytes.writeBytes(text.getBytes(StandardCharsets.UTF_8));
        return bytes.toByteArray();
    }

    /** As System.Runtime.Serialization writes an object: an element with its namespace, and fields. */
    private static byte[] contract(String type, String namespace) {
        var bytes = new ByteArrayOutputStream();
        bytes.write('@');
        bytes.write(type.length());
        bytes.writeBytes(type.getBytes(StandardCharsets.US_ASCII));
        bytes.write(8);
        if (namespace.length() > 127) {
            bytes.write(namespace.length() & 0x7f | 0x80);
            bytes.write(namespace.length() >> 7);
        } else {
            bytes.write(namespace.length());
        }
        bytes.writeBytes(namespace.getBytes(StandardCharsets.US_ASCII));
        bytes.writeBytes("@\u0002Id\u00991".getBytes(StandardCharsets.US_ASCII));
        bytes.write(1);
        return bytes.toByteArray();
    }

    private static Arguments body(String contentType, String text, Charset charset) {
        return Arguments.of(contentType, text, charset);
    }

    private static Arguments bad(String what, ServiceBusMessage message, String said) {
        return Arguments.of(what, message, said);
    }
}
