package dev.waybill.mistakes;

import static dev.waybill.mistakes.Wallets.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterArchive;
import dev.waybill.deadletter.DeadLetterCollector;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.RedriveRequest;
import dev.waybill.deadletter.Redrives;
import dev.waybill.deadletter.servicebus.ServiceBusDeadLetters;
import dev.waybill.hold.AuditContext;
import dev.waybill.servicebus.embedded.entity.EntitySnapshot;
import dev.waybill.test.TestWaybill;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.ToIntFunction;

/** What an operator does about dead letters, by Waybill's means. */
final class Letters {
    private static final AuditContext OPERATOR = new AuditContext("ops", "a test");

    private final TestWaybill waybill;
    private final DeadLetters letters;
    private final DeadLetterArchive archive;

    Letters(TestWaybill waybill) {
        this.waybill = waybill;
        letters = DeadLetters.in(waybill.dataSource(), waybill.schema());
        archive = DeadLetterArchive.in(waybill.dataSource(), waybill.schema());
    }

    /** Collects what lies in the queue's dead letters. */
    Letters collect() {
        return collect(queue(), EntitySnapshot::deadLetters);
    }

    /** Collects what the queue could not forward. */
    Letters collectTransfers() {
        return collect(queue().transfers(), EntitySnapshot::transferDeadLetters);
    }

    private ServiceBusDeadLetters queue() {
        return ServiceBusDeadLetters.ofQueue(
                () -> new ServiceBusClientBuilder().connectionString(waybill.connectionString()), Wallets.QUEUE);
    }

    private Letters collect(ServiceBusDeadLetters queue, ToIntFunction<EntitySnapshot> left) {
        try (var collector = DeadLetterCollector.start(waybill.dataSource(), waybill.schema(), List.of(queue))) {
            await().until(() -> left.applyAsInt(waybill.bus().inspect(Wallets.QUEUE)) == 0);
            assertThat(collector.health().isWell()).isTrue();
        }
        return this;
    }

    long count(DeadLetter.State state) {
        return letters.count(DeadLetterFilter.everything().in(state));
    }

    /** Closes the letters without a re-drive, and archives them for six weeks. */
    Letters archive() {
        letters.discard(DeadLetterFilter.open(), OPERATOR);
        archive.archiveClosed(Duration.ZERO, Duration.ofDays(42), OPERATOR);
        return this;
    }

    Letters restore() {
        archive.restore(DeadLetterFilter.everything(), OPERATOR);
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
