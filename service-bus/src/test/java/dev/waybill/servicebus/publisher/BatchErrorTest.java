package dev.waybill.servicebus.publisher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.scheduler.Schedulers;

/** Errors of the SDK or of Reactor while batches are asked for and sent, such as that no thread can be started. */
@Isolated("its hook is that of all schedulers")
class BatchErrorTest extends FailureCase {
    private static final int MESSAGES = 60;
    private static final String HOOK = "planted";

    @AfterEach
    void reset() {
        Schedulers.resetOnScheduleHook(HOOK);
    }

    @Test
    void an_error_while_a_batch_ahead_is_asked_for_is_met_long_before_the_deadline() {
        bus.faults().at(FaultPoint.STORED_BEFORE_ACK).times(3).then(FaultAction.delay(Duration.ofMillis(300)));

        assertMet(1, BatchErrorTest::aheadOfItsTurn);
    }

    /** @param which of the tasks that the sends of the shipment start, in their order */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void an_error_while_a_batch_is_asked_for_or_sent_is_met_long_before_the_deadline(int which) {
        assertMet(which, BatchErrorTest::bySender);
    }

    private void assertMet(int which, BooleanSupplier there) {
        append(0);
        var tasks = new AtomicInteger(which);
        Schedulers.onScheduleHook(HOOK, task -> {
            if (there.getAsBoolean() && tasks.decrementAndGet() == 0) {
                throw new OutOfMemoryError("planted");
            }
            return task;
        });

        startRelay(ServiceBusPublisher.of(bus.connectionString())
                .withBatchLimit(8)
                .withSendDeadline(Duration.ofSeconds(25)));

        awaitStored(MESSAGES);
        // A quick relay starts fewer tasks for as many messages.
        for (int more = 1; more < 10 && tasks.get() > 0; more++) {
            append(more * MESSAGES);
            awaitStored((more + 1) * MESSAGES);
        }
        assertThat(tasks).hasNonPositiveValue();
        assertThat(heldIds()).isEmpty();
    }

    private void append(int first) {
        dsl.transaction(tx -> outbox.append(
                tx.dsl(),
                IntStream.range(first, first + MESSAGES)
                        .mapToObj(i -> message("orders", "s", "m" + i))
                        .toList()));
    }

    private void awaitStored(int messages) {
        await().atMost(15, TimeUnit.SECONDS)
                .untilAsserted(
                        () -> assertThat(bus.journal("orders").storedCount()).isEqualTo(messages));
    }

    private static boolean bySender() {
        return Arrays.stream(Thread.currentThread().getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(Sender.class.getName()));
    }

    private static boolean aheadOfItsTurn() {
        return Arrays.stream(Thread.currentThread().getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("fillAll"));
    }
}
