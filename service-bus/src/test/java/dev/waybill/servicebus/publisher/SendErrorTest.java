package dev.waybill.servicebus.publisher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.outbox.OutboxMessage;
import dev.waybill.relay.Publisher.Shipment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Errors between the batches of a shipment, mostly on the thread that brings the broker's answers. */
class SendErrorTest extends FailureCase {
    /** Far longer than the test. */
    private static final Duration DEADLINE = Duration.ofMinutes(30);

    private static final int MESSAGES = 60;

    @ParameterizedTest
    @CsvSource({"MIXED, 1", "MIXED, 2", "MIXED, 5", "PER_SESSION, 1", "PER_SESSION, 9", "PER_SESSION, 40"})
    void an_error_when_it_is_asked_whether_a_shipment_may_go_on_is_met_long_before_the_deadline(
            BatchMode mode, int question) {
        Map<String, List<String>> expected = appendToOneBucket();
        var questions = new AtomicInteger(question);

        startRelay(new ChangedShipments(
                ServiceBusPublisher.of(bus.connectionString())
                        .withBatches("orders", mode)
                        .withBatchLimit(1)
                        .withSendDeadline(DEADLINE),
                shipment -> failing(shipment, questions)));

        awaitStored("orders", MESSAGES);
        assertThat(questions).hasNonPositiveValue();
        assertThat(arrived("orders")).isEqualTo(expected);
        assertThat(heldIds()).isEmpty();
    }

    /** Two messages of each session, so that all are of one lane and come in one shipment. */
    private Map<String, List<String>> appendToOneBucket() {
        List<String> sessions = dsl.fetch("""
                        select 's' || n as session from generate_series(1, 10000) n
                        where hashtextextended(('s' || n) collate "C", 0) & 31 = 7 order by n limit 30
                        """).getValues("session", String.class);
        var messages = new ArrayList<OutboxMessage>();
        var expected = new HashMap<String, List<String>>();
        for (int i = 0; i < MESSAGES; i++) {
            String session = sessions.get(i % sessions.size());
            messages.add(message("orders", session, "m" + i));
            expected.computeIfAbsent(session, first -> new ArrayList<>()).add("m" + i);
        }
        dsl.transaction(tx -> outbox.append(tx.dsl(), messages));
        return expected;
    }

    /** No memory is left once, when that question is asked. */
    private static Shipment failing(Shipment shipment, AtomicInteger questions) {
        BooleanSupplier asked = () -> {
            if (questions.decrementAndGet() == 0) {
                throw new OutOfMemoryError("planted");
            }
            return shipment.mayContinue().getAsBoolean();
        };
        return new Shipment(shipment.destination(), shipment.rows(), asked, shipment.entity());
    }
}
