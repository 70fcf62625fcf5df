package dev.waybill.promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.Holds;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.test.TestWaybill;
import dev.waybill.test.WaybillExtension;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** G3: the messages of one session arrive in the order in which their transactions committed. */
@Timeout(60)
class OrderWithinASessionTest {
    @RegisterExtension
    static final WaybillExtension WAYBILL = Shop.waybill();

    @Test
    void writers_side_by_side_are_published_in_the_order_of_their_commits(TestWaybill waybill) throws Exception {
        List<String> inOrder = Collections.synchronizedList(new ArrayList<>());
        var writers = Executors.newFixedThreadPool(8);
        List<Future<?>> writing = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            String id = "o" + i;
            writing.add(writers.submit(() -> waybill.outbox().inJdbcTransaction(tx -> {
                waybill.outbox().append(tx, Shop.order(id, "anna"));
                // The session is locked from the append to the commit, so this list has the order of the commits.
                inOrder.add(id);
            })));
        }
        for (Future<?> each : writing) {
            each.get();
        }
        writers.shutdown();

        waybill.publish();

        assertThat(waybill.published("orders").ids()).containsExactlyElementsOf(inOrder);
    }

    @Test
    void a_broker_that_is_away_now_and_then_changes_no_order(TestWaybill waybill) {
        waybill.bus().faults().at(FaultPoint.BEFORE_STORE).every(3).then(FaultAction.reject(BrokerError.SERVER_BUSY));
        waybill.startRelay("orders");
        List<String> ids = IntStream.range(0, 30).mapToObj(i -> "o" + i).toList();
        ids.forEach(id -> Shop.place(waybill, id, "anna"));

        await().until(() -> waybill.published("orders").ids().size() == ids.size());
        assertThat(waybill.published("orders").ids()).containsExactlyElementsOf(ids);
    }

    @Test
    void a_successor_goes_on_where_its_predecessor_stopped(TestWaybill waybill) {
        var ids = new ArrayList<String>();
        for (int round = 0; round < 3; round++) {
            var relay = waybill.startRelay("orders");
            for (int i = 0; i < 10; i++) {
                ids.add("o" + ids.size());
                Shop.place(waybill, ids.get(ids.size() - 1), "anna");
            }
            await().until(() -> !waybill.published("orders").ids().isEmpty());
            relay.close();
        }
        waybill.publish();

        assertThat(waybill.published("orders").ids()).containsExactlyElementsOf(ids);
    }

    @Test
    void messages_behind_a_refused_one_wait_and_follow_it(TestWaybill waybill, DataSource dataSource) {
        var refused = waybill.bus()
                .faults()
                .at(FaultPoint.BEFORE_STORE)
                .message("o2")
                .then(FaultAction.reject(BrokerError.ARGUMENT_ERROR));
        for (String id : List.of("o1", "o2", "o3")) {
            Shop.place(waybill, id, "anna");
        }
        waybill.publish();
        Shop.place(waybill, "o4", "anna");
        waybill.publish();
        waybill.published("orders").hasIds("o1");
        waybill.held().hasIds("o2", "o3", "o4");

        refused.cancel();
        Holds.ofOutbox(dataSource, waybill.schema())
                .release(HoldKey.session(HoldSide.OUTBOX, "orders", "anna"), Shop.OPERATOR);
        waybill.publish();

        waybill.published("orders").hasIds("o1", "o2", "o3", "o4");
    }

    @Test
    void effects_have_the_order_too_although_a_handler_fails_in_between(TestWaybill waybill, DataSource dataSource)
            throws Exception {
        var failures = new ArrayList<>(List.of("o2", "o2", "o4"));
        for (String id : List.of("o1", "o2", "o3", "o4", "o5")) {
            Shop.place(waybill, id, "anna");
        }
        waybill.publish();

        waybill.consumer("books", "orders", (tx, message) -> {
                    var verdict = Shop.BOOK.handle(tx, message);
                    if (failures.remove(message.id())) {
                        throw new IllegalStateException("after the work");
                    }
                    return verdict;
                })
                .handleAll();

        assertThat(Shop.booked(dataSource)).containsExactly("o1", "o2", "o3", "o4", "o5");
    }

    @Test
    void a_session_that_waits_delays_no_other(TestWaybill waybill, DataSource dataSource) throws Exception {
        try (var slow = dataSource.getConnection()) {
            slow.setAutoCommit(false);
            waybill.outbox().append(slow, Shop.order("o1", "anna"));

            Shop.place(waybill, "o2", "bert");
            waybill.publish();

            waybill.published("orders").hasIds("o2");
            slow.rollback();
        }
    }
}
