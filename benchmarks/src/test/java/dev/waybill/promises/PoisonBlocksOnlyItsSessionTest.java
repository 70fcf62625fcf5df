package dev.waybill.promises;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.Holds;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboxHolds;
import dev.waybill.inbox.OnFailure;
import dev.waybill.inbox.Verdict;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.test.TestWaybill;
import dev.waybill.test.WaybillExtension;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** G6: a message that always fails stops its own session alone, and an operator sees it and can move it. */
@Timeout(60)
class PoisonBlocksOnlyItsSessionTest {
    @RegisterExtension
    static final WaybillExtension WAYBILL = Shop.waybill();

    private static final Handler BOOK_BUT_POISON = (tx, message) ->
            message.text().equals("poison") ? Verdict.deadLetter("Poison", "never") : Shop.BOOK.handle(tx, message);

    private static final HoldKey OF_THE_CONSUMER = HoldKey.session(HoldSide.INBOX, "books", "anna");
    private static final HoldKey OF_THE_RELAY = HoldKey.session(HoldSide.OUTBOX, "orders", "anna");

    private Holds consumers;
    private Holds relays;

    @BeforeEach
    void know_the_holds(TestWaybill waybill, DataSource dataSource) {
        consumers = InboxHolds.in(dataSource, waybill.schema());
        relays = Holds.ofOutbox(dataSource, waybill.schema());
    }

    @Test
    void a_handler_that_always_fails_holds_its_session_and_the_others_go_on(TestWaybill waybill, DataSource dataSource)
            throws Exception {
        placePoison(waybill);

        handleAll(waybill);

        assertThat(Shop.booked(dataSource)).containsExactlyInAnyOrder("a1", "b1");
        assertThat(consumers.list()).singleElement().satisfies(hold -> {
            assertThat(hold.key()).isEqualTo(OF_THE_CONSUMER);
            assertThat(hold.messages()).isEqualTo(2);
        });
        waybill.held().hasIds("poison", "a3");
    }

    @Test
    void an_operator_skips_it_and_its_session_goes_on_in_order(TestWaybill waybill, DataSource dataSource)
            throws Exception {
        placePoison(waybill);
        handleAll(waybill);

        consumers.skip(OF_THE_CONSUMER, first(consumers, OF_THE_CONSUMER), Shop.OPERATOR);
        consumers.release(OF_THE_CONSUMER, Shop.OPERATOR);
        handleAll(waybill);

        assertThat(Shop.booked(dataSource))
                .containsExactlyInAnyOrder("a1", "b1", "a3")
                .endsWith("a3");
        assertThat(consumers.list()).isEmpty();
    }

    @Test
    void an_operator_mends_it_and_it_is_handled_in_its_place(TestWaybill waybill, DataSource dataSource)
            throws Exception {
        placePoison(waybill);
        handleAll(waybill);

        consumers.edit(
                OF_THE_CONSUMER,
                first(consumers, OF_THE_CONSUMER),
                message -> message.withBody("mended".getBytes(StandardCharsets.UTF_8)),
                Shop.OPERATOR);
        consumers.release(OF_THE_CONSUMER, Shop.OPERATOR);
        handleAll(waybill);

        assertThat(Shop.booked(dataSource).stream().filter(id -> !id.equals("b1")))
                .containsExactly("a1", "poison", "a3");
    }

    @Test
    void by_default_it_goes_to_the_dead_letter_queue_and_its_session_goes_on(TestWaybill waybill, DataSource dataSource)
            throws Exception {
        placePoison(waybill);

        waybill.consumer("books", "orders", BOOK_BUT_POISON).handleAll();

        assertThat(Shop.booked(dataSource)).containsExactlyInAnyOrder("a1", "a3", "b1");
        waybill.deadLettered("orders").hasIds("poison");
    }

    @Test
    void a_message_that_the_broker_refuses_holds_its_session_and_the_others_go_on(TestWaybill waybill) {
        waybill.bus()
                .faults()
                .at(FaultPoint.BEFORE_STORE)
                .message("poison")
                .then(FaultAction.reject(BrokerError.ARGUMENT_ERROR));
        placePoison(waybill);

        assertThat(waybill.published("orders").ids()).containsExactlyInAnyOrder("a1", "b1");
        assertThat(relays.list())
                .singleElement()
                .satisfies(hold -> assertThat(hold.key()).isEqualTo(OF_THE_RELAY));

        relays.skip(OF_THE_RELAY, first(relays, OF_THE_RELAY), Shop.OPERATOR);
        relays.release(OF_THE_RELAY, Shop.OPERATOR);
        waybill.publish();

        assertThat(waybill.published("orders").ids()).endsWith("a3").hasSize(3);
    }

    private static void placePoison(TestWaybill waybill) {
        for (String id : List.of("a1", "poison", "a3")) {
            Shop.place(waybill, id, "anna");
        }
        Shop.place(waybill, "b1", "bert");
        waybill.publish();
    }

    private static void handleAll(TestWaybill waybill) throws InterruptedException {
        waybill.consumer("books", "orders", BOOK_BUT_POISON, settings -> settings.onFailure(OnFailure.HOLD_SESSION))
                .handleAll();
    }

    private static long first(Holds holds, HoldKey key) {
        return holds.messages(key, 1).get(0).place();
    }
}
