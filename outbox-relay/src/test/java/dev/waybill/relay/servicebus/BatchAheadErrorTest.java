package dev.waybill.relay.servicebus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Schedulers;

/** Errors of the SDK or of Reactor when an empty batch is asked for ahead, such as that no thread can be started. */
class BatchAheadErrorTest extends FailureCase {
    private static final int MESSAGES = 60;
    private static final String HOOK = "planted";

    @AfterEach
    void reset() {
        Schedulers.resetOnScheduleHook(HOOK);
    }

    @Test
    void an_error_while_a_batch_ahead_is_asked_for_is_met_long_before_the_deadline() {
        dsl.transaction(tx -> outbox.append(
                tx.dsl(),
                IntStream.range(0, MESSAGES)
                        .mapToObj(i -> message("orders", "s", "m" + i))
                        .toList()));
        bus.faults().at(FaultPoint.STORED_BEFORE_ACK).times(3).then(FaultAction.delay(Duration.ofMillis(300)));
        var errors = new AtomicInteger(1);
        Schedulers.onScheduleHook(HOOK, task -> {
            if (aheadOfItsTurn() && errors.getAndDecrement() > 0) {
                throw new OutOfMemoryError("planted");
            }
            return task;
        });

        startRelay(ServiceBusPublisher.of(bus.connectionString())
                .withBatchLimit(8)
                .withSendDeadline(Duration.ofSeconds(25)));

        await().atMost(15, TimeUnit.SECONDS)
                .untilAsserted(
                        () -> assertThat(bus.journal("orders").storedCount()).isEqualTo(MESSAGES));
        assertThat(errors).hasNonPositiveValue();
        assertThat(heldIds()).isEmpty();
    }

    private static boolean aheadOfItsTurn() {
        return Arrays.stream(Thread.currentThread().getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("fillAll"));
    }
}
