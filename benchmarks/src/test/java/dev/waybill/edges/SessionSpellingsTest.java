package dev.waybill.edges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.deadletter.DeadLetterCollector;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.Erasure;
import dev.waybill.deadletter.ErasureRequest;
import dev.waybill.deadletter.servicebus.ServiceBusDeadLetters;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.HoldFilter;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.Holds;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboxHolds;
import dev.waybill.inbox.OnFailure;
import dev.waybill.inbox.SessionState;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.InvalidMessageException;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultHandle;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.test.TestWaybill;
import dev.waybill.test.WaybillExtension;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Service Bus compares session ids without regard to case: W-1 and w-1 are one session. */
@Timeout(60)
class SessionSpellingsTest {
    @RegisterExtension
    static final WaybillExtension WAYBILL = WaybillExtension.with(
                    bus -> bus.queue("orders", QueueOptions::requiresSession))
            .tables("create table seen (place serial, id text)");

    private static final String[] SPELLINGS = {"W-1", "w-1"};
    private static final AuditContext OPERATOR = new AuditContext("ops", "a test");

    @Test
    void writers_of_two_spellings_are_published_in_the_order_of_their_commits(TestWaybill waybill) throws Exception {
        List<String> inOrder = Collections.synchronizedList(new ArrayList<>());
        var writers = Executors.newFixedThreadPool(4);
        List<Future<?>> writing = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            var message = message("m" + i, SPELLINGS[i % 2]);
            writing.add(writers.submit(() -> waybill.outbox().inJdbcTransaction(tx -> {
                if (message.id().hashCode() % 3 == 0) {
                    appendBySql(waybill, tx, message.id(), message.session().orElseThrow());
                } else {
                    waybill.outbox().append(tx, message);
                }
                inOrder.add(message.id());
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
    void a_refused_message_holds_the_later_ones_of_the_other_spelling(TestWaybill waybill, DataSource dataSource) {
        var refused = refuse(waybill, "m1");
        append(waybill, "m0", "w-1");
        append(waybill, "m1", "W-1");
        append(waybill, "m2", "w-1");
        waybill.publish();
        append(waybill, "m3", "w-1");
        waybill.publish();

        waybill.published("orders").hasIds("m0");
        waybill.held().hasIds("m1", "m2", "m3");
        Holds holds = Holds.ofOutbox(dataSource, waybill.schema());
        assertThat(holds.tally(HoldFilter.everything().session("w-1")).holds()).isEqualTo(1);

        refused.cancel();
        holds.release(HoldKey.session(HoldSide.OUTBOX, "orders", "w-1"), OPERATOR);
        waybill.publish();
        waybill.published("orders").hasIds("m0", "m1", "m2", "m3");
    }

    @Test
    void scheduled_messages_of_two_spellings_move_in_their_order(TestWaybill waybill) {
        for (int i = 0; i < 10; i++) {
            String session = SPELLINGS[i % 2];
            String id = "m" + i;
            waybill.outbox()
                    .inTransaction(tx -> waybill.outbox()
                            .append(
                                    tx,
                                    OutboxMessage.to("orders")
                                            .id(id)
                                            .session(session)
                                            .text(id)
                                            .notBefore(Instant.now().minusSeconds(60))
                                            .build()));
        }

        waybill.publish();

        assertThat(waybill.published("orders").ids())
                .containsExactly("m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9");
    }

    @Test
    void a_consumer_handles_both_spellings_in_order_and_with_one_state(TestWaybill waybill, DataSource dataSource)
            throws Exception {
        for (int i = 0; i < 6; i++) {
            append(waybill, "m" + i, SPELLINGS[i % 2]);
        }
        waybill.publish();
        var states = SessionState.in(waybill.schema());
        Handler counts = (tx, message) -> {
            String session = message.session().orElseThrow();
            var state = states.load(tx, "books", session);
            String text = state.map(SessionState.Versioned::text).orElse("") + message.id();
            states.store(
                    tx,
                    "books",
                    session,
                    state.map(SessionState.Versioned::version).orElse(0L),
                    text.getBytes(StandardCharsets.UTF_8));
            return see(tx, text);
        };

        waybill.consumer("books", "orders", counts).handleAll();

        assertThat(seen(dataSource)).hasSize(6).last().isEqualTo("m0m1m2m3m4m5");
    }

    @Test
    void a_consumers_hold_keeps_both_spellings(TestWaybill waybill, DataSource dataSource) throws Exception {
        append(waybill, "m0", "W-1");
        append(waybill, "poison", "w-1");
        append(waybill, "m2", "W-1");
        waybill.publish();
        Handler handler = (tx, message) ->
                message.text().equals("poison") ? Verdict.deadLetter("Poison", "never") : see(tx, message.id());

        waybill.consumer("books", "orders", handler, settings -> settings.onFailure(OnFailure.HOLD_SESSION))
                .handleAll();
        append(waybill, "m3", "W-1");
        waybill.publish();
        waybill.consumer("books", "orders", handler, settings -> settings.onFailure(OnFailure.HOLD_SESSION))
                .handleAll();

        assertThat(seen(dataSource)).containsExactly("m0");
        Holds holds = InboxHolds.in(dataSource, waybill.schema());
        assertThat(holds.list())
                .singleElement()
                .satisfies(hold -> assertThat(hold.messages()).isEqualTo(3));
        assertThat(holds.show(HoldKey.session(HoldSide.INBOX, "books", "W-1"))).isPresent();
    }

    @Test
    void dead_letters_are_found_by_the_other_spelling(TestWaybill waybill, DataSource dataSource) throws Exception {
        append(waybill, "m0", "W-1");
        waybill.publish();
        waybill.consumer("books", "orders", (tx, message) -> Verdict.deadLetter("Poison", "never"))
                .handleAll();
        var letters = DeadLetters.in(dataSource, waybill.schema());
        var queue = ServiceBusDeadLetters.ofQueue(
                () -> new ServiceBusClientBuilder().connectionString(waybill.connectionString()), "orders");

        try (var collector = DeadLetterCollector.start(dataSource, waybill.schema(), List.of(queue))) {
            assertThat(collector.health().isWell()).isTrue();
            await().until(() ->
                    !letters.list(DeadLetterFilter.everything(), 0, 10).isEmpty());
        }

        assertThat(letters.list(DeadLetterFilter.everything().session("w-1"), 0, 10))
                .hasSize(1);
    }

    @Test
    void an_erasure_by_one_spelling_takes_the_messages_of_both(TestWaybill waybill, DataSource dataSource) {
        append(waybill, "m1", "W-1");
        append(waybill, "m2", "w-1");
        append(waybill, "m3", "w-2");

        Erasure.in(dataSource, waybill.schema())
                .erase(ErasureRequest.session("W-1").withLive(), OPERATOR);

        waybill.appended().hasIds("m3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Émile", "ИВАН", "ΣΟΦΙΑ", "wallet-ǅ", "İstanbul"})
    void an_upper_case_letter_that_only_the_broker_folds_is_refused(String session, TestWaybill waybill) {
        assertThatThrownBy(() -> append(waybill, "m0", session))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining(session)
                .hasMessageContaining("lower case");
        assertThatThrownBy(() -> waybill.outbox().inJdbcTransaction(tx -> appendBySql(waybill, tx, "m0", session)))
                .isInstanceOf(DataAccessException.class)
                .hasMessageContaining("lower case");
    }

    @ParameterizedTest
    @ValueSource(strings = {"émile", "I-1", "東京", "straße", "ı", "w\uD83D\uDE00"})
    void other_letters_are_appended_and_arrive_unchanged(String session, TestWaybill waybill) {
        append(waybill, "m0", session);
        waybill.outbox().inJdbcTransaction(tx -> appendBySql(waybill, tx, "m1", session));

        waybill.publish();

        assertThat(waybill.published("orders").ids()).containsExactly("m0", "m1");
    }

    private static void append(TestWaybill waybill, String id, String session) {
        waybill.outbox().inTransaction(tx -> waybill.outbox().append(tx, message(id, session)));
    }

    private static OutboxMessage message(String id, String session) {
        return OutboxMessage.to("orders").id(id).session(session).text(id).build();
    }

    private static void appendBySql(TestWaybill waybill, Connection tx, String id, String session) {
        DSL.using(tx, SQLDialect.POSTGRES)
                .execute(
                        "select " + waybill.schema().table("outbox_append") + "('orders', {0}, {1}, {2})",
                        DSL.val(session),
                        DSL.val(id),
                        DSL.val(id.getBytes(StandardCharsets.UTF_8)));
    }

    private static FaultHandle refuse(TestWaybill waybill, String id) {
        return waybill.bus()
                .faults()
                .at(FaultPoint.BEFORE_STORE)
                .message(id)
                .then(FaultAction.reject(BrokerError.ARGUMENT_ERROR));
    }

    private static Verdict see(DSLContext tx, String id) {
        tx.execute("insert into seen (id) values ({0})", DSL.val(id));
        return Verdict.done();
    }

    private static List<String> seen(DataSource dataSource) {
        return DSL.using(dataSource, SQLDialect.POSTGRES)
                .fetch("select id from seen order by place")
                .getValues(0, String.class);
    }
}
