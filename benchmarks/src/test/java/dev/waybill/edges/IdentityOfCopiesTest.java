package dev.waybill.edges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.deadletter.DeadLetterCollector;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.RedriveRequest;
import dev.waybill.deadletter.Redrives;
import dev.waybill.deadletter.servicebus.ServiceBusDeadLetters;
import dev.waybill.hold.AuditContext;
import dev.waybill.inbox.ConsumerListener;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.ClaimStore;
import dev.waybill.outbox.Destination;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.outbox.PayloadCodec;
import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.receiver.ServiceBusSource;
import dev.waybill.test.TestWaybill;
import dev.waybill.test.WaybillExtension;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("try") // Closing ends them; nothing else is asked of them.
@Timeout(120)
class IdentityOfCopiesTest {
    @RegisterExtension
    static final WaybillExtension WAYBILL =
            WaybillExtension.with(bus -> bus.queue("orders").queue("sessions", QueueOptions::requiresSession));

    private static final AuditContext OPERATOR = new AuditContext("ops", "a test");

    /** As AES-GCM does: each encoding of a body has other bytes. */
    private static final PayloadCodec RANDOM = new PayloadCodec() {
        @Override
        public Encoded encode(OutboxMessage message) {
            byte key = (byte) ThreadLocalRandom.current().nextInt(256);
            byte[] body = message.body();
            byte[] out = new byte[body.length + 4];
            ThreadLocalRandom.current().nextBytes(out);
            out[3] = key;
            for (int i = 0; i < body.length; i++) {
                out[i + 4] = (byte) (body[i] ^ key);
            }
            return new Encoded(out, Map.of());
        }

        @Override
        public byte[] decode(Received message) {
            byte[] in = message.body();
            byte[] body = new byte[in.length - 4];
            for (int i = 0; i < body.length; i++) {
                body[i] = (byte) (in[i + 4] ^ in[3]);
            }
            return body;
        }
    };

    /** A fact that is appended again, such as after a lost reply to a commit, is an equal repeat. */
    @Test
    void a_repeat_of_an_encrypted_body_is_silent(TestWaybill waybill, DataSource ds) {
        Outbox outbox =
                Outbox.builder(ds).schema(waybill.schema()).codec(RANDOM).build();
        assertThat(outcomes(waybill, outbox, "x", builder -> builder.codec(RANDOM)))
                .containsExactly(ConsumerListener.Outcome.DONE, ConsumerListener.Outcome.DUPLICATE);
    }

    @Test
    void a_repeat_of_a_claimed_body_is_silent(TestWaybill waybill, DataSource ds) {
        ClaimStore store = ClaimStore.inPostgres(waybill.schema());
        Outbox outbox = Outbox.builder(ds)
                .schema(waybill.schema())
                .destination(Destination.of("orders").withClaimsAbove(10))
                .claims(store)
                .build();
        assertThat(outcomes(waybill, outbox, "x".repeat(100), builder -> builder.claims(store)))
                .containsExactly(ConsumerListener.Outcome.DONE, ConsumerListener.Outcome.DUPLICATE);
    }

    private static List<ConsumerListener.Outcome> outcomes(
            TestWaybill waybill, Outbox outbox, String text, UnaryOperator<InboxConsumer.Builder> settings) {
        var outcomes = Collections.synchronizedList(new ArrayList<ConsumerListener.Outcome>());
        for (int i = 0; i < 2; i++) {
            outbox.inTransaction(tx -> outbox.append(
                    tx,
                    OutboxMessage.to("orders")
                            .id("placed-7")
                            .subject("OrderPlaced")
                            .text(text)
                            .build()));
            waybill.publish();
        }
        var consumer = settings.apply(InboxConsumer.builder(waybill.dataSource())
                        .schema(waybill.schema())
                        .name("books")
                        .concurrency(1)
                        .source(ServiceBusSource.ofQueue(waybill.connectionString(), "orders"))
                        .handler((tx, message) -> Verdict.done())
                        .listener(new ConsumerListener() {
                            @Override
                            public void settled(InboundMessage message, Outcome outcome) {
                                outcomes.add(outcome);
                            }
                        }))
                .build();
        try (consumer) {
            consumer.start();
            await().until(() -> outcomes.size() == 2);
        }
        return outcomes;
    }

    /** Ids beyond 101 units are cut in the MessageId of a copy: between the halves of a pair, too. An id may have lines. */
    @ParameterizedTest
    @ValueSource(strings = {"\uD83D\uDE00", "x", "\u6f22", "x\n"})
    void a_long_id_survives_its_redrive(String letter, TestWaybill waybill, DataSource ds) throws Exception {
        String id = letter.repeat(128 / letter.length());
        waybill.outbox()
                .inTransaction(tx -> waybill.outbox()
                        .append(tx, OutboxMessage.to("orders").id(id).text("x").build()));
        waybill.publish();
        redrive(waybill, ds, "orders", "Poison");
        var seen = new ArrayList<String>();
        waybill.consumer("books", "orders", (tx, message) -> {
                    seen.add(message.id() + " redrives=" + message.redriveCount());
                    return Verdict.done();
                })
                .handleAll();
        assertThat(seen).containsExactly(id + " redrives=1");
    }

    /** 62 KB of headers are allowed; a re-drive adds its history. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void the_largest_headers_survive_their_redrives(int times, TestWaybill waybill, DataSource ds) throws Exception {
        var message = OutboxMessage.to("orders").id("x".repeat(128)).text("x");
        for (int i = 0; i < 2; i++) {
            message.header("h" + i, "x".repeat(31_500));
        }
        waybill.outbox().inTransaction(tx -> waybill.outbox().append(tx, message.build()));
        waybill.publish();
        for (int i = 0; i < times; i++) {
            redrive(waybill, ds, "orders", "R".repeat(256));
        }
        var seen = new ArrayList<String>();
        waybill.consumer("books", "orders", (tx, m) -> {
                    seen.add(m.id() + " redrives=" + m.redriveCount());
                    return Verdict.done();
                })
                .handleAll();
        assertThat(seen)
                .as("dead letters " + waybill.deadLettered("orders"))
                .containsExactly("x".repeat(128) + " redrives=" + times);
    }

    private static void redrive(TestWaybill waybill, DataSource ds, String queueName, String reason) throws Exception {
        waybill.consumer("books", queueName, (tx, message) -> Verdict.deadLetter(reason, "never ".repeat(1000)))
                .handleAll();
        var letters = DeadLetters.in(ds, waybill.schema());
        var queue = ServiceBusDeadLetters.ofQueue(
                () -> new ServiceBusClientBuilder().connectionString(waybill.connectionString()), queueName);
        try (var collector = DeadLetterCollector.start(ds, waybill.schema(), List.of(queue))) {
            try {
                await().until(() -> letters.count(DeadLetterFilter.open()) > 0);
            } catch (RuntimeException e) {
                throw new AssertionError(
                        letters.list(DeadLetterFilter.everything(), 0, 9).stream()
                                        .map(l -> l.lifecycle() + " "
                                                + l.toString().substring(0, 200))
                                        .toList()
                                + " " + waybill.deadLettered(queueName),
                        e);
            }
        }
        Redrives.in(ds, waybill.schema()).redrive(DeadLetterFilter.open(), RedriveRequest.toSource(), OPERATOR);
        waybill.publish();
    }
}
