package dev.waybill.test.publisher;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.waybill.message.MessageContent;
import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.Outcome;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import dev.waybill.relay.Publisher.Shipment;
import dev.waybill.test.publisher.PublisherSetup.BrokerState;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The promises of a {@link Publisher} to the relay, one a test. A test class of yours extends it and makes the {@link
 * PublisherSetup}:
 *
 * <pre>{@code
 * class HttpPublisherTest extends PublisherContract {
 *     @Override
 *     protected PublisherSetup setUp() {
 *         return new HttpSetup();
 *     }
 * }
 * }</pre>
 */
public abstract class PublisherContract {
    private static final int ROWS = 10;

    /** They say nothing about a message, and the relay sends all of them again. */
    private static final Set<Outcome> OUTAGES =
            Set.of(Outcome.UNAVAILABLE, Outcome.THROTTLED, Outcome.DESTINATION_REFUSED);

    private PublisherSetup setup;
    private Publisher publisher;

    /** A new publisher and a new broker without messages. Called before each test. */
    protected abstract PublisherSetup setUp() throws Exception;

    @BeforeEach
    protected final void start() throws Exception {
        setup = setUp();
        publisher = setup.publisher();
    }

    @AfterEach
    protected final void stop() {
        publisher.close();
        setup.close();
    }

    @Test
    protected void rows_arrive_in_order_and_all_of_them_are_accepted() throws Exception {
        PublishResult result = publish(rows("m", 0, ROWS));

        assertAccepted(ROWS, result);
        assertEquals(ids("m", 0, ROWS), setup.arrived());
    }

    @Test
    protected void shipments_one_after_the_other_arrive_in_order() throws Exception {
        for (int start = 0; start < 3 * ROWS; start += ROWS) {
            assertAccepted(ROWS, publish(rows("m", start, start + ROWS)));
        }

        assertEquals(ids("m", 0, 3 * ROWS), setup.arrived());
    }

    @Test
    protected void two_lanes_at_a_time_arrive_in_order_each() throws Exception {
        CompletionStage<PublishResult> first = begun(rows("a", 0, ROWS), () -> true);
        CompletionStage<PublishResult> second = begun(rows("b", 0, ROWS), () -> true);

        assertAccepted(ROWS, result(first));
        assertAccepted(ROWS, result(second));
        for (String lane : List.of("a", "b")) {
            assertEquals(
                    ids(lane, 0, ROWS),
                    setup.arrived().stream().filter(id -> id.startsWith(lane)).toList());
        }
    }

    @Test
    protected void nothing_is_sent_behind_a_refused_row() throws Exception {
        for (int refused : List.of(0, 4, ROWS - 1)) {
            String lane = "refused-" + refused + "-";
            setup.refuse(lane + refused);

            PublishResult result = publish(rows(lane, 0, ROWS));

            assertRefused(refused, result);
            assertEquals(
                    ids(lane, 0, refused),
                    setup.arrived().stream().filter(id -> id.startsWith(lane)).toList());
        }
    }

    @Test
    protected void a_refused_row_is_refused_alone_and_the_rest_is_accepted() throws Exception {
        setup.refuse("m4");

        assertRefused(4, publish(rows("m", 0, ROWS)));
        assertRefused(0, publish(rows("m", 4, 5)));
        assertAccepted(ROWS - 5, publish(rows("m", 5, ROWS)));

        assertFalse(setup.arrived().contains("m4"), () -> "The broker has stored " + setup.arrived());
    }

    @Test
    protected void no_row_is_sent_of_a_shipment_that_must_not_go_on() throws Exception {
        PublishResult result = result(begun(rows("m", 0, ROWS), () -> false));

        assertAccepted(0, result);
        assertEquals(List.of(), setup.arrived());
    }

    @Test
    protected void what_was_sent_before_a_shipment_had_to_stop_is_accepted() throws Exception {
        var asked = new AtomicInteger();

        PublishResult result = result(begun(rows("m", 0, ROWS), () -> asked.getAndIncrement() == 0));

        assertEquals(Outcome.ACCEPTED, result.outcome());
        assertEquals(ids("m", 0, result.accepted()), setup.arrived());
    }

    @Test
    protected void an_outage_is_the_fault_of_no_row_and_ends() throws Exception {
        assertAccepted(1, publish(rows("m", 0, 1)));
        setup.become(BrokerState.UNAVAILABLE);
        assertOutage(publish(rows("m", 1, ROWS)));
        assertOutage(publish(rows("m", 1, 2)));
        setup.become(BrokerState.AVAILABLE);

        assertAccepted(ROWS - 1, publish(rows("m", 1, ROWS)));

        assertEquals(ids("m", 0, ROWS), firstArrivals());
    }

    @Test
    protected void a_send_without_an_answer_ends_and_reaches_the_broker_no_more() throws Exception {
        assertAccepted(1, publish(rows("m", 0, 1)));
        setup.become(BrokerState.SILENT);
        assertOutage(publish(rows("lost", 0, 1)));
        setup.become(BrokerState.AVAILABLE);

        assertAccepted(ROWS - 1, publish(rows("m", 1, ROWS)));

        List<String> arrived = setup.arrived();
        assertEquals(ids("m", 1, ROWS), arrived.subList(arrived.size() - ROWS + 1, arrived.size()));
    }

    @Test
    protected void preparations_end_whether_the_broker_is_there_or_not() throws Exception {
        for (BrokerState state : List.of(BrokerState.UNAVAILABLE, BrokerState.SILENT, BrokerState.AVAILABLE)) {
            setup.become(state);
            CompletionStage<?> prepared = assertDoesNotThrow(() -> publisher.prepare(setup.destination()));
            prepared.handle((done, failure) -> true).toCompletableFuture().get(patienceMillis(), MILLISECONDS);
        }

        assertAccepted(ROWS, publish(rows("m", 0, ROWS)));
    }

    @Test
    protected void a_closed_publisher_accepts_nothing() throws Exception {
        publisher.close();
        assertDoesNotThrow(publisher::close, "A publisher is closed once more");

        PublishResult result = publish(rows("m", 0, ROWS));

        assertOutage(result);
        assertEquals(List.of(), setup.arrived());
    }

    @Test
    protected void a_send_under_way_ends_beside_a_close() throws Exception {
        setup.become(BrokerState.SILENT);
        CompletionStage<PublishResult> sending = begun(rows("m", 0, 1), () -> true);

        publisher.close();

        assertOutage(result(sending));
    }

    private PublishResult publish(List<OutboxRow> rows) throws Exception {
        return result(begun(rows, () -> true));
    }

    private CompletionStage<PublishResult> begun(List<OutboxRow> rows, BooleanSupplier mayContinue) {
        var shipment = new Shipment(setup.destination(), rows, mayContinue);
        CompletionStage<PublishResult> begun = assertDoesNotThrow(() -> publisher.publish(shipment));
        assertNotNull(begun, "publish returns a stage");
        return begun;
    }

    private PublishResult result(CompletionStage<PublishResult> stage) throws Exception {
        CompletableFuture<PublishResult> whole = stage.toCompletableFuture();
        PublishResult result = assertDoesNotThrow(
                () -> whole.get(patienceMillis(), MILLISECONDS),
                "A shipment completes normally, and within twice the longest send");
        assertNotNull(result, "A shipment has a result");
        return result;
    }

    private long patienceMillis() {
        return 2 * publisher.longestSend().toMillis();
    }

    private List<String> firstArrivals() {
        return setup.arrived().stream().distinct().toList();
    }

    private static void assertAccepted(int rows, PublishResult result) {
        assertNull(result.failure(), () -> "Nothing fails, but there is " + result);
        assertEquals(PublishResult.accepted(rows), result);
    }

    private static void assertRefused(int before, PublishResult result) {
        assertEquals(Outcome.MESSAGE_REFUSED, result.outcome(), result::toString);
        assertEquals(before, result.accepted(), "The rows before the refused one are accepted");
        assertNotNull(result.failure(), "A refusal says why");
    }

    private static void assertOutage(PublishResult result) {
        assertTrue(OUTAGES.contains(result.outcome()), () -> "Not an outage: " + result);
        assertEquals(0, result.accepted(), result::toString);
        assertNotNull(result.failure(), "An outage says why");
    }

    private static List<OutboxRow> rows(String lane, int start, int end) {
        return IntStream.range(start, end)
                .mapToObj(i -> OutboxRow.of(i + 1L, content(lane, i)))
                .toList();
    }

    private static MessageContent content(String lane, int number) {
        return MessageContent.of(lane + number, "session-" + lane, ("body " + number).getBytes(StandardCharsets.UTF_8));
    }

    private static List<String> ids(String lane, int start, int end) {
        return IntStream.range(start, end).mapToObj(i -> lane + i).toList();
    }
}
