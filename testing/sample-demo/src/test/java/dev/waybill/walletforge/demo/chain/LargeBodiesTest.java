package dev.waybill.walletforge.demo.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.models.SubQueue;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.ClaimStore;
import dev.waybill.outbox.Destination;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Bodies that no broker would take, from the outbox to the handler. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LargeBodiesTest {
    private static final String LARGE = "x".repeat(1_000_000);

    private final Map<String, String> bodies = new ConcurrentHashMap<>();
    private final Handler reading = (tx, message) -> {
        bodies.put(message.id(), message.text());
        return Verdict.done();
    };
    private Chain chain;
    private ClaimStore store;
    private Outbox outbox;
    private EmbeddedServiceBus bus;

    @BeforeEach
    void start(TestDatabase database) {
        chain = new Chain(database);
        store = ClaimStore.inPostgres(chain.schema);
        outbox = Outbox.builder()
                .schema(chain.schema)
                .destination(Destination.of(Chain.QUEUE).withSessions().withClaimsAbove(100_000))
                .claims(store)
                .build();
        bus = chain.bus();
    }

    @AfterEach
    void stop() throws Exception {
        chain.close();
    }

    @Test
    void a_body_that_is_too_large_for_the_broker_reaches_the_handler() {
        chain.append(outbox, List.of(message("small", "small"), message("large", LARGE), message("last", "last")));
        chain.relay(bus, relay -> relay.claims(store, Duration.ofDays(14)));
        chain.consumer(bus, reading, consumer -> consumer.claims(store));

        await().atMost(30, TimeUnit.SECONDS).until(() -> bodies.size() == 3);
        assertThat(bodies).containsEntry("small", "small").containsEntry("large", LARGE);
    }

    @Test
    void a_body_that_was_removed_too_early_leaves_a_dead_letter_that_names_its_claim() {
        chain.append(outbox, List.of(message("large", LARGE), message("small", "small")));
        Object claim = chain.dsl.fetchValue("select claim from " + chain.schema.table("outbox_claim"));
        chain.relay(bus, relay -> relay);
        await().atMost(30, TimeUnit.SECONDS)
                .until(() -> bus.journal(Chain.QUEUE).storedCount() == 2);
        chain.dsl.execute("delete from " + chain.schema.table("outbox_claim_body"));

        chain.consumer(bus, reading, consumer -> consumer.claims(store));

        await().atMost(30, TimeUnit.SECONDS).until(() -> bodies.containsKey("small"));
        ServiceBusReceivedMessage dead = receiveDeadLetter();
        assertThat(dead.getMessageId()).isEqualTo("large");
        assertThat(dead.getDeadLetterReason()).contains("ClaimMissingException");
        assertThat(dead.getDeadLetterErrorDescription()).contains(String.valueOf(claim));
    }

    private static OutboxMessage message(String id, String text) {
        return OutboxMessage.to(Chain.QUEUE).session("s").id(id).text(text).build();
    }

    private ServiceBusReceivedMessage receiveDeadLetter() {
        try (var receiver = chain.connection(bus)
                .receiver()
                .queueName(Chain.QUEUE)
                .subQueue(SubQueue.DEAD_LETTER_QUEUE)
                .buildClient()) {
            return receiver.receiveMessages(1, Duration.ofSeconds(10)).stream()
                    .findFirst()
                    .orElseThrow();
        }
    }
}
