package dev.waybill.deadletter.stuck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.deadletter.Child;
import dev.waybill.deadletter.LargeDeskProcess;
import dev.waybill.deadletter.collect.DeadLetterFixture;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.AuditEntry;
import dev.waybill.hold.Cause;
import dev.waybill.hold.HeldMessage;
import dev.waybill.hold.Hold;
import dev.waybill.hold.HoldFilter;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.HoldTable;
import dev.waybill.hold.HoldTally;
import dev.waybill.hold.Holds;
import dev.waybill.inbox.Inbox;
import dev.waybill.inbox.InboxHolds;
import dev.waybill.message.MessageContent;
import dev.waybill.migrations.Role;
import dev.waybill.relay.Relay;
import dev.waybill.relay.TemporaryRole;
import dev.waybill.servicebus.embedded.journal.Stored;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class StuckMessagesTest {
    private static final AuditContext WORD = new AuditContext("ada", "fixed");
    private static final HoldFilter TOO_LARGE =
            HoldFilter.parked().scope("wallets").reason("TooLarge");

    private DeadLetterFixture fixture;
    private Holds inbox;
    private StuckMessages desk;
    private long position;

    @BeforeEach
    void start(TestDatabase database) {
        fixture = new DeadLetterFixture(database, bus -> bus.queue("wallets", queue -> queue.requiresSession()));
        inbox = InboxHolds.in(database.dataSource(), fixture.schema);
        desk = StuckMessages.in(database.dataSource(), fixture.schema, inbox);
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    @Test
    void a_dry_run_says_what_would_happen_on_both_sides_and_does_nothing() {
        held(HoldSide.OUTBOX, "wallets", "s1", "TooLarge", "a1", "a2");
        held(HoldSide.INBOX, "ledger", "s1", "TooLarge", "b1");
        held(HoldSide.INBOX, "ledger", "s2", "Other", "c1");

        assertThat(desk.plan(HoldFilter.parked())).isEqualTo(new HoldTally(3, 4, 0));
        assertThat(desk.plan(HoldFilter.parked().reason("TooLarge"))).isEqualTo(new HoldTally(2, 3, 0));
        assertThat(desk.plan(HoldFilter.parked().side(HoldSide.INBOX))).isEqualTo(new HoldTally(2, 2, 0));
        assertThat(desk.plan(HoldFilter.parked().session("s2"))).isEqualTo(new HoldTally(1, 1, 0));
        assertThat(desk.plan(HoldFilter.parked().scope("nobody"))).isEqualTo(HoldTally.NONE);
        assertThat(shown(HoldFilter.parked())).containsExactly("a1", "a2", "b1", "c1");
        assertThat(desk.list()).extracting(StuckMessages.Group::state).containsOnly("parked");
    }

    @Test
    @Tag("long")
    void what_is_redriven_by_a_filter_is_published_in_order_and_nothing_else_is() {
        for (int i = 0; i < 20; i++) {
            held(HoldSide.OUTBOX, "wallets", "s" + i, "TooLarge", "s" + i + "-0", "s" + i + "-1", "s" + i + "-2");
        }
        HoldKey other = held(HoldSide.OUTBOX, "wallets", "other", "Refused", "o1");
        try (var relay = relay()) {
            assertThat(relay).isNotNull();

            assertThat(desk.redrive(TOO_LARGE, WORD)).isEqualTo(new HoldTally(20, 60, 0));

            await().until(() -> fixture.bus.inspect("wallets").active() == 60);
            await().until(() -> desk.plan(HoldFilter.everything()).equals(new HoldTally(1, 1, 0)));
        }
        for (int i = 0; i < 20; i++) {
            String session = "s" + i;
            assertThat(fixture.bus.journal("wallets").stored())
                    .filteredOn(stored -> session.equals(stored.sessionId()))
                    .extracting(Stored::messageId)
                    .containsExactly(session + "-0", session + "-1", session + "-2");
            assertThat(actions(HoldKey.session(HoldSide.OUTBOX, "wallets", session)))
                    .containsExactly("release");
        }
        assertThat(actions(other)).isEmpty();
    }

    @Test
    void the_first_of_each_session_is_discarded_and_what_waited_behind_it_is_published() {
        HoldKey one = held(HoldSide.OUTBOX, "wallets", "s1", "TooLarge", "poison1", "a1", "a2");
        HoldKey two = held(HoldSide.OUTBOX, "wallets", "s2", "TooLarge", "poison2");
        try (var relay = relay()) {
            assertThat(relay).isNotNull();

            assertThat(desk.discardFirst(TOO_LARGE, WORD)).isEqualTo(new HoldTally(2, 2, 0));

            await().until(() -> fixture.bus.inspect("wallets").active() == 2);
        }
        assertThat(fixture.bus.journal("wallets").stored())
                .extracting(Stored::messageId)
                .containsExactly("a1", "a2");
        assertThat(actions(one)).containsExactly("skip", "release");
        assertThat(actions(two)).containsExactly("skip");
    }

    @Test
    void what_a_consumer_holds_and_is_discarded_is_not_handled_when_it_comes_again() {
        HoldKey held = held(HoldSide.INBOX, "ledger", "s1", "Poison", "b1", "b2");

        assertThat(desk.discardAll(HoldFilter.parked().reason("Poison"), WORD)).isEqualTo(new HoldTally(1, 2, 0));

        var memory = Inbox.in(fixture.schema);
        for (String id : List.of("b1", "b2")) {
            boolean first = fixture.dsl.transactionResult(tx -> memory.firstTime(tx.dsl(), "ledger", id));
            assertThat(first).isFalse();
        }
        assertThat(inbox.history(held)).hasSize(2).allSatisfy(entry -> {
            assertThat(entry.action()).isEqualTo("skip");
            assertThat(entry.instruction()).isEqualTo(WORD);
            assertThat(entry.before()).contains("\"payload\"");
        });
    }

    @Test
    void one_hold_is_shown_message_by_message_and_operated_alone() {
        HoldKey held = held(HoldSide.OUTBOX, "wallets", "s1", "TooLarge", "a1", "a2", "a3");

        List<HeldMessage> page = desk.show(held, 0, 2);
        assertThat(page)
                .extracting(HeldMessage::content)
                .extracting(MessageContent::messageId)
                .containsExactly("a1", "a2");
        long last = desk.show(held, page.get(1).place(), 2).get(0).place();

        desk.edit(
                held,
                page.get(0).place(),
                content -> content.withBody("mended".getBytes(StandardCharsets.UTF_8)),
                WORD);
        desk.discard(held, last, WORD);
        desk.redrive(held, WORD);

        assertThat(desk.show(held, 0, 10)).hasSize(2);
        assertThat(actions(held)).containsExactly("edit", "skip", "release");
    }

    @Test
    void an_operator_can_do_all_this_without_the_owner() throws Exception {
        held(HoldSide.OUTBOX, "wallets", "s1", "TooLarge", "a1", "a2");
        held(HoldSide.INBOX, "ledger", "s1", "TooLarge", "b1", "b2");
        try (var role = new TemporaryRole(fixture.database, fixture.schema, Role.OPERATOR)) {
            var operators = StuckMessages.in(role.pool(), fixture.schema, InboxHolds.in(role.pool(), fixture.schema));

            assertThat(operators.plan(HoldFilter.parked())).isEqualTo(new HoldTally(2, 4, 0));
            assertThat(operators.discardFirst(HoldFilter.parked(), WORD)).isEqualTo(new HoldTally(2, 2, 0));
            assertThat(operators.redrive(HoldFilter.everything(), WORD)).isEqualTo(new HoldTally(2, 2, 0));
            assertThat(operators.discardAll(HoldFilter.everything(), WORD)).isEqualTo(new HoldTally(2, 2, 0));
        }
        assertThat(desk.list()).isEmpty();
    }

    @Test
    @Tag("long")
    void many_holds_and_a_large_one_are_operated_in_bounded_memory() throws Exception {
        int holds = 500;
        int large = 1_000;
        fixture.execute("insert into $schema.inbox_hold (consumer, session_id, state, reason)"
                + " select 'ledger', 's' || n, 'parked', 'Poison' from generate_series(1, " + holds + ") n");
        fixture.execute(
                "insert into $schema.inbox_held_message (hold_id, origin_position, origin_time, message_id, payload)"
                        + " select h.id, n, now(), h.session_id || '-' || n, convert_to(repeat('x', 65536), 'UTF8')"
                        + " from $schema.inbox_hold h cross join generate_series(1, " + large + ") n"
                        + " where n = 1 or h.session_id = 's7'");

        Process process = Child.start(
                LargeDeskProcess.class,
                40,
                fixture.database.server().jdbcUrl(),
                fixture.schema.value(),
                Integer.toString(holds),
                Integer.toString(holds + large - 1));

        assertThat(process.waitFor()).isZero();
        assertThat(desk.list()).isEmpty();
        assertThat(actions(HoldKey.session(HoldSide.INBOX, "ledger", "s7")))
                .hasSize(1 + large)
                .startsWith("release");
    }

    private HoldKey held(HoldSide side, String scope, String session, String reason, String... ids) {
        HoldKey key = HoldKey.session(side, scope, session);
        var table = HoldTable.in(fixture.schema, side);
        fixture.dsl.transaction(tx -> {
            long hold = table.park(tx.dsl(), key, new Cause(reason, ""));
            for (String id : ids) {
                byte[] body = id.getBytes(StandardCharsets.UTF_8);
                table.add(
                        tx.dsl(),
                        hold,
                        new HeldMessage.Origin(++position, Instant.EPOCH, 0),
                        MessageContent.of(id, session, body));
            }
        });
        return key;
    }

    private List<String> shown(HoldFilter filter) {
        var ids = new ArrayList<String>();
        desk.forEach(filter, hold -> ids.addAll(ids(hold)));
        return ids;
    }

    private List<String> ids(Hold hold) {
        return desk.show(hold.key(), 0, 100).stream()
                .map(message -> message.content().messageId())
                .toList();
    }

    private List<String> actions(HoldKey key) {
        Holds holds =
                key.side() == HoldSide.INBOX ? inbox : Holds.ofOutbox(fixture.database.dataSource(), fixture.schema);
        return holds.history(key).stream().map(AuditEntry::action).toList();
    }

    private Relay relay() {
        return Relay.builder(fixture.database.dataSource())
                .schema(fixture.schema)
                .destination("wallets")
                .publisher(ServiceBusPublisher.of(fixture::client))
                .build()
                .start();
    }
}
