package dev.waybill.promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.deadletter.DeadLetterCollector;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.RedriveRequest;
import dev.waybill.deadletter.Redrives;
import dev.waybill.deadletter.servicebus.ServiceBusDeadLetters;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.Verdict;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.test.TestWaybill;
import dev.waybill.test.WaybillExtension;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** G7: a dead letter is stored before the broker lets it go, and comes back through the outbox. */
@Timeout(60)
class DeadLettersAreNeverLostTest {
    @RegisterExtension
    static final WaybillExtension WAYBILL = Shop.waybill();

    private DeadLetters letters;
    private Redrives redrives;

    @BeforeEach
    void know_the_letters(TestWaybill waybill, DataSource dataSource) {
        letters = DeadLetters.in(dataSource, waybill.schema());
        redrives = Redrives.in(dataSource, waybill.schema());
    }

    @Test
    void a_dead_letter_is_stored_with_body_and_reason_and_leaves_the_broker(TestWaybill waybill, DataSource dataSource)
            throws Exception {
        deadLetter(waybill, "o1");

        collect(waybill, dataSource, 1);

        assertThat(letters.list(DeadLetterFilter.open(), 0, 10)).singleElement().satisfies(letter -> {
            assertThat(letter.content().messageId()).isEqualTo("o1");
            assertThat(letter.content().body()).isEqualTo("o1".getBytes(StandardCharsets.UTF_8));
            assertThat(letter.death().reason()).isEqualTo("Poison");
        });
        waybill.deadLettered("orders").isEmpty();
    }

    @Test
    void a_letter_whose_completion_is_lost_comes_again_and_is_stored_once(TestWaybill waybill, DataSource dataSource)
            throws Exception {
        deadLetter(waybill, "o1");
        waybill.bus()
                .faults()
                .at(FaultPoint.BEFORE_SETTLE)
                .times(1)
                .onHit(lost -> waybill.bus().advance(Duration.ofMinutes(2)))
                .then(FaultAction.dropConnection());

        collect(waybill, dataSource, 1);

        assertThat(letters.count(DeadLetterFilter.everything())).isOne();
        waybill.deadLettered("orders").isEmpty();
    }

    @Test
    void a_letter_that_is_re_driven_is_handled_once(TestWaybill waybill, DataSource dataSource) throws Exception {
        deadLetter(waybill, "o1");
        collect(waybill, dataSource, 1);

        redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toSource(), Shop.OPERATOR);
        waybill.publish();
        waybill.consumer("books", "orders", Shop.BOOK).handleAll();

        assertThat(Shop.booked(dataSource)).containsExactly("o1");
        assertThat(letters.count(DeadLetterFilter.open())).isZero();
    }

    @Test
    void a_letter_that_had_been_handled_already_changes_nothing(TestWaybill waybill, DataSource dataSource)
            throws Exception {
        deadLetter(waybill, "o1");
        collect(waybill, dataSource, 1);
        waybill.outbox().inTransaction(tx -> waybill.outbox().append(tx, Shop.order("o1", "anna")));
        waybill.publish();
        waybill.consumer("books", "orders", Shop.BOOK).handleAll();

        redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toSource(), Shop.OPERATOR);
        waybill.publish();
        waybill.consumer("books", "orders", Shop.BOOK).handleAll();

        assertThat(Shop.booked(dataSource)).containsExactly("o1");
    }

    @Test
    void a_letter_is_mended_before_it_is_re_driven(TestWaybill waybill, DataSource dataSource) throws Exception {
        deadLetter(waybill, "o1");
        collect(waybill, dataSource, 1);
        long id = letters.list(DeadLetterFilter.open(), 0, 1).get(0).id();

        letters.edit(id, content -> content.withBody("mended".getBytes(StandardCharsets.UTF_8)), Shop.OPERATOR);
        redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toSource(), Shop.OPERATOR);
        waybill.publish();
        var mended = new AtomicBoolean();
        waybill.consumer("books", "orders", (tx, message) -> {
                    mended.set(message.text().equals("mended"));
                    return Verdict.done();
                })
                .handleAll();

        assertThat(mended).isTrue();
    }

    @Test
    void letters_of_a_session_come_back_in_its_order(TestWaybill waybill, DataSource dataSource) throws Exception {
        deadLetter(waybill, "o1", "o2", "o3");
        collect(waybill, dataSource, 3);

        redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toSource(), Shop.OPERATOR);
        waybill.publish();
        waybill.consumer("books", "orders", Shop.BOOK).handleAll();

        assertThat(Shop.booked(dataSource)).containsExactly("o1", "o2", "o3");
    }

    private static void deadLetter(TestWaybill waybill, String... ids) throws Exception {
        Handler refuse = (tx, message) -> Verdict.deadLetter("Poison", "never");
        for (String id : ids) {
            Shop.place(waybill, id, "anna");
        }
        waybill.publish();
        waybill.consumer("refusing", "orders", refuse).handleAll();
        waybill.deadLettered("orders").hasIds(ids);
    }

    private void collect(TestWaybill waybill, DataSource dataSource, int count) {
        var queue = ServiceBusDeadLetters.ofQueue(
                () -> new ServiceBusClientBuilder().connectionString(waybill.connectionString()), "orders");
        try (var collector = DeadLetterCollector.start(dataSource, waybill.schema(), List.of(queue))) {
            await().until(() -> letters.count(DeadLetterFilter.everything()) == count
                    && waybill.bus().inspect("orders").deadLetters() == 0);
            assertThat(collector.health().isWell()).isTrue();
        }
    }
}
