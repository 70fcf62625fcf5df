package dev.waybill.mistakes;

import static dev.waybill.mistakes.Wallets.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.deadletter.DeadLetterCollector;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.RedriveRequest;
import dev.waybill.deadletter.Redrives;
import dev.waybill.deadletter.servicebus.ServiceBusDeadLetters;
import dev.waybill.hold.AuditContext;
import dev.waybill.test.TestWaybill;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What an operator does about dead letters, by Waybill's means. */
final class Letters {
    private static final AuditContext OPERATOR = new AuditContext("ops", "a test");

    private final TestWaybill waybill;
    private final DeadLetters letters;

    Letters(TestWaybill waybill) {
        this.waybill = waybill;
        letters = DeadLetters.in(waybill.dataSource(), waybill.schema());
    }

    /** Collects what lies in the queue's dead letters. */
    Letters collect() {
        var queue = ServiceBusDeadLetters.ofQueue(
                () -> new ServiceBusClientBuilder().connectionString(waybill.connectionString()), Wallets.QUEUE);
        try (var collector = DeadLetterCollector.start(waybill.dataSource(), waybill.schema(), List.of(queue))) {
            await().until(() -> waybill.bus().inspect(Wallets.QUEUE).deadLetters() == 0);
            assertThat(collector.health().isWell()).isTrue();
        }
        return this;
    }

    Letters mend(String cents) {
        long id = letters.list(DeadLetterFilter.open(), 0, 1).get(0).id();
        letters.edit(id, content -> content.withBody(cents.getBytes(StandardCharsets.UTF_8)), OPERATOR);
        return this;
    }

    void redrive() throws InterruptedException {
        Redrives.in(waybill.dataSource(), waybill.schema())
                .redrive(DeadLetterFilter.open(), RedriveRequest.toSource(), OPERATOR);
        waybill.publish();
    }
}
