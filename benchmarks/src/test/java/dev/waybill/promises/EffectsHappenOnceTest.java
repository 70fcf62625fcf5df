package dev.waybill.promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.test.TestWaybill;
import dev.waybill.test.WaybillExtension;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** G5: what a handler does in its transaction happens once for each message, however often the message comes. */
@Timeout(60)
class EffectsHappenOnceTest {
    @RegisterExtension
    static final WaybillExtension WAYBILL = Shop.waybill();

    @Test
    void a_message_that_was_sent_twice_is_booked_once(TestWaybill waybill, DataSource dataSource) throws Exception {
        try (var sender = new ServiceBusClientBuilder()
                .connectionString(waybill.connectionString())
                .sender()
                .queueName("orders")
                .buildClient()) {
            for (int i = 0; i < 2; i++) {
                sender.sendMessage(
                        new ServiceBusMessage("body").setMessageId("o1").setSessionId("anna"));
            }
        }

        waybill.consumer("books", "orders", Shop.BOOK).handleAll();

        assertThat(Shop.booked(dataSource)).containsExactly("o1");
    }

    @Test
    void a_handler_that_fails_after_its_work_has_done_nothing_until_it_succeeds(
            TestWaybill waybill, DataSource dataSource) throws Exception {
        var tries = new AtomicInteger();
        Shop.place(waybill, "o1", "anna");
        waybill.publish();

        waybill.consumer("books", "orders", (tx, message) -> {
                    Shop.book(tx, message.id());
                    if (tries.incrementAndGet() < 3) {
                        throw new IllegalStateException("after the work");
                    }
                    return Verdict.done();
                })
                .handleAll();

        assertThat(tries).hasValue(3);
        assertThat(Shop.booked(dataSource)).containsExactly("o1");
    }

    @Test
    void a_completion_that_is_lost_brings_the_message_again_and_books_nothing(
            TestWaybill waybill, DataSource dataSource) {
        var lost = waybill.bus().faults().at(FaultPoint.BEFORE_SETTLE).times(1).then(FaultAction.dropConnection());
        Shop.place(waybill, "o1", "anna");
        waybill.publish();

        waybill.consumer("books", "orders", Shop.BOOK).start();

        await().until(() -> lost.hits() == 1);
        Shop.place(waybill, "o2", "anna");
        waybill.publish();
        await().untilAsserted(() -> assertThat(Shop.booked(dataSource)).contains("o2"));
        assertThat(Shop.booked(dataSource)).containsExactly("o1", "o2");
    }

    @Test
    void two_instances_of_a_consumer_book_each_message_once(TestWaybill waybill, DataSource dataSource) {
        for (int i = 0; i < 20; i++) {
            Shop.place(waybill, "o" + i, "customer-" + i % 5);
        }
        waybill.publish();

        waybill.consumer("books", "orders", Shop.BOOK).start();
        waybill.consumer("books", "orders", Shop.BOOK).start();

        await().untilAsserted(() -> assertThat(Shop.booked(dataSource)).hasSize(20));
        assertThat(Shop.booked(dataSource)).doesNotHaveDuplicates();
    }

    @Test
    void a_consumer_of_another_name_has_a_memory_of_its_own(TestWaybill waybill, DataSource dataSource)
            throws Exception {
        Shop.place(waybill, "o1", "anna");
        waybill.publish();
        waybill.consumer("books", "orders", Shop.BOOK).handleAll();
        waybill.outbox().inTransaction(tx -> waybill.outbox().append(tx, Shop.order("o1", "anna")));
        waybill.publish();

        waybill.consumer("statistics", "orders", Shop.BOOK).handleAll();

        waybill.handled("books").hasIds("o1");
        waybill.handled("statistics").hasIds("o1");
        assertThat(Shop.booked(dataSource)).containsExactly("o1", "o1");
    }

    @Test
    void a_message_that_a_handler_appends_is_published_once_with_its_effects(TestWaybill waybill) throws Exception {
        var tries = new AtomicInteger();
        Shop.place(waybill, "o1", "anna");
        waybill.publish();

        waybill.consumer("books", "orders", (tx, message) -> {
                    var invoice = OutboxMessage.to("invoices")
                            .id("invoice-" + message.id())
                            .session("anna");
                    waybill.outbox().append(tx, invoice.text("").build());
                    if (tries.incrementAndGet() == 1) {
                        throw new IllegalStateException("after the append");
                    }
                    return Verdict.done();
                })
                .handleAll();
        waybill.publish();

        waybill.published("invoices").hasIds("invoice-o1");
    }
}
