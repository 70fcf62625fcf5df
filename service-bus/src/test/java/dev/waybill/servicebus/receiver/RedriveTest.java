package dev.waybill.servicebus.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.models.SubQueue;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.Verdict;
import dev.waybill.message.WireContract;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A dead letter that is sent again, as a copy with another broker id, through an entity that drops repeats. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RedriveTest {
    private final AtomicBoolean repaired = new AtomicBoolean();
    private BusFixture it;

    @BeforeEach
    void start(TestDatabase database) {
        it = new BusFixture(
                database,
                broker -> broker.queue(
                        "orders", queue -> queue.requiresSession().duplicateDetection(Duration.ofMinutes(10))));
    }

    @AfterEach
    void stop() {
        it.close();
    }

    @Test
    void a_dead_letter_that_is_redriven_is_applied_once_however_many_copies_come() {
        it.consume(
                it.sessions("orders"),
                (tx, message) -> message.id().equals("m1") && !repaired.get()
                        ? Verdict.deadLetter("NotYet", "the account is unknown")
                        : it.effect(tx, message));
        it.send("orders", "s", "m1");
        it.send("orders", "s", "m2");
        it.awaitSettled("orders", 2);
        assertThat(it.effects()).containsExactly("m2");

        repaired.set(true);
        ServiceBusReceivedMessage dead = it.receiveDeadLetter("orders");
        redrive(dead, 1);
        redrive(dead, 2);
        it.awaitSettled("orders", 4);

        assertThat(it.effects()).containsExactly("m2", "m1");
        assertThat(it.bus.inspect("orders").deadLetters()).isEqualTo(1);
        discardDeadLetter();
        assertThat(it.bus.inspect("orders").deadLetters()).isZero();
    }

    private void redrive(ServiceBusReceivedMessage dead, int attempt) {
        var copy = new ServiceBusMessage(dead.getBody())
                .setMessageId(WireContract.redriveId(dead.getMessageId(), "copy" + attempt))
                .setSessionId(dead.getSessionId());
        copy.getApplicationProperties()
                .put("waybill-id", dead.getApplicationProperties().get("waybill-id"));
        copy.getApplicationProperties().put("waybill-redrive", (long) attempt);
        try (var sender = it.client().sender().queueName("orders").buildClient()) {
            sender.sendMessage(copy);
        }
    }

    private void discardDeadLetter() {
        it.bus.expireLocks("orders");
        try (var receiver = it.client()
                .receiver()
                .queueName("orders")
                .subQueue(SubQueue.DEAD_LETTER_QUEUE)
                .buildClient()) {
            receiver.receiveMessages(1, Duration.ofSeconds(10)).forEach(receiver::complete);
        }
    }
}
