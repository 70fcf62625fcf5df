package dev.waybill.journey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.deadletter.Erasure;
import dev.waybill.deadletter.ErasureRequest;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.Cause;
import dev.waybill.hold.HeldMessage.Origin;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.HoldTable;
import dev.waybill.hold.Holds;
import dev.waybill.journey.JourneyEntry.Confidence;
import dev.waybill.journey.JourneyEntry.Step;
import dev.waybill.message.MessageContent;
import java.time.Instant;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Where the wrong message is told of, or what is old stays. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class JourneyGapsTest {
    private static final AuditContext ADA = new AuditContext("ada", "because");
    private static final HoldKey ALICE = HoldKey.session(HoldSide.INBOX, "ledger", "alice");

    private JourneyFixture tables;
    private TestDatabase database;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        tables = new JourneyFixture(database);
    }

    @Test
    void what_left_its_hold_is_not_known_to_be_published_where_decisions_about_it_are_left_out() {
        HoldKey orders = HoldKey.session(HoldSide.OUTBOX, "orders", "alice");
        tables.append("orders", "m9", "alice");
        tables.holdOfOutbox(orders, "m9");
        Holds outbox = Holds.ofOutbox(database.dataSource(), tables.schema);
        for (int i = 0; i < 3; i++) {
            String subject = "edit " + i;
            outbox.edit(
                    orders,
                    outbox.messages(orders, 1).get(0).place(),
                    content -> content.toBuilder().subject(subject).build(),
                    ADA);
        }
        tables.execute("delete from $schema.outbox_held_message");

        Journey journey = tables.journeys.of(SearchTerm.message("m9"), 2);

        assertThat(journey.cut()).isTrue();
        assertThat(journey.entries()).last().satisfies(entry -> {
            assertThat(entry.step()).isEqualTo(Step.PUBLISHED);
            assertThat(entry.confidence()).isEqualTo(Confidence.INFERRED);
        });
        assertThat(tables.of("m9").entries())
                .filteredOn(entry -> entry.step() == Step.PUBLISHED)
                .extracting(JourneyEntry::confidence)
                .containsExactly(Confidence.KNOWN);
    }

    @Test
    void a_copy_of_another_subscription_with_the_same_number_and_time_is_another_copy() {
        tables.append("orders", "m1", "alice");
        tables.letter("m1");
        tables.execute("update $schema.dead_letter_message set entity = 'orders/Subscriptions/audit'");
        tables.execute("insert into $schema.message_event"
                + " (side, scope, event, message_id, origin_position, origin_time)"
                + " select 'inbox', 'ledger', 'dead-lettered', 'm1', sequence_number, enqueued_at"
                + " from $schema.dead_letter_message");

        assertThat(tables.of("m1").entries())
                .filteredOn(e -> e.step() == Step.DEAD_LETTERED)
                .hasSize(2);
    }

    @Test
    void copies_of_two_subscriptions_are_enqueued_twice_and_what_a_hold_has_is_one_of_them() {
        tables.hold(ALICE, "m1");
        tables.execute("insert into $schema.message_event"
                + " (side, scope, entity, event, message_id, session_id, origin_position, origin_time, deliveries)"
                + " select 'inbox', c, 'orders/Subscriptions/' || c, 'failed', message_id, session_id, origin_position,"
                + " origin_time, 1 from $schema.inbox_held_message, unnest(array['ledger', 'audit']) c");

        assertThat(tables.of("m1").entries())
                .filteredOn(e -> e.step() == Step.ENQUEUED)
                .extracting(e -> e.place().name())
                .containsExactlyInAnyOrder("ledger", "audit");
    }

    @Test
    void what_is_older_than_four_weeks_goes_although_an_erasure_made_room_before_it() {
        tables.execute("insert into $schema.message_event (side, scope, event, message_id, at)"
                + " select 'inbox', 'ledger', 'failed', case when i <= 10 then 'erased' else 'old' end,"
                + " clock_timestamp() - interval '40 days' from generate_series(1, 100) i");
        tables.execute("delete from $schema.message_event where message_id = 'erased'");
        tables.execute("vacuum $schema.message_event");
        tables.failed("new");
        for (int i = 0; i < 3; i++) {
            tables.trim();
        }

        // The first call leaves the partition, the next ones empty it.
        assertThat(tables.dsl
                        .fetchSingle("select last_value from " + tables.schema.table("message_event_seq"))
                        .get(0, Long.class))
                .isGreaterThan(131_071L);
    }

    @Test
    void erasure_by_an_id_with_half_a_pair_finds_the_events_that_were_written_of_it() {
        tables.failed("half \uFFFD and");
        Erasure.in(database.dataSource(), tables.schema).erase(ErasureRequest.message("half \uD83D and"), ADA);

        assertThat(tables.events("half \uFFFD and")).isZero();
    }

    @Test
    @Tag("long")
    void erasure_by_an_id_with_half_a_pair_finds_what_the_driver_wrote_a_question_mark_for() {
        String id = "half \uD83D and";
        tables.hold(ALICE, id);
        assertThat(tables.journeys.of(SearchTerm.message(id), 10).entries())
                .extracting(JourneyEntry::step)
                .contains(Step.WAITS);
        Erasure erasure = Erasure.in(database.dataSource(), tables.schema);
        erasure.erase(ErasureRequest.message(id).withLive(), ADA);

        assertThat(tables.dsl.fetchCount(DSL.table(tables.schema.table("inbox_held_message"))))
                .isZero();
        assertThat(tables.allEvents()).isZero();
        assertThat(erasure.lift(ErasureRequest.message(id), ADA)).isTrue();
        assertThat(erasure.orders()).isEmpty();
    }

    @Test
    void a_message_that_stands_in_a_hold_is_removed_although_an_erasure_waits_and_only_its_event_is_lost()
            throws Exception {
        tables.hold(ALICE, "m1");
        try (var eraser = database.dataSource().getConnection()) {
            eraser.setAutoCommit(false);
            eraser.createStatement().execute("select " + tables.schema.table("erasure_barrier") + "()");
            tables.handleHeld("m1");
            eraser.rollback();
        }

        assertThat(tables.steps("m1")).containsExactly(Step.APPENDED, Step.ENQUEUED, Step.HELD, Step.HANDLED);
        assertThat(tables.events("m1")).isEqualTo(1);
    }

    @Test
    void a_message_that_fails_and_goes_behind_others_is_not_told_as_a_failure_of_the_first() {
        tables.hold(ALICE, "m1");
        tables.dsl.transaction(tx -> {
            HoldTable holds = HoldTable.in(tables.schema, HoldSide.INBOX);
            long hold = holds.park(tx.dsl(), ALICE, new Cause("M2Broke", "m2 is broken"));
            holds.add(tx.dsl(), hold, new Origin(77, Instant.now(), 3), MessageContent.of("m2", "alice", new byte[1]));
        });

        assertThat(tables.dsl.fetch(
                        "select 1 from " + tables.schema.table("message_event")
                                + " where message_id = {0} and reason = {1}",
                        DSL.val("m1"),
                        DSL.val("M2Broke")))
                .isEmpty();
    }

    @Test
    void a_message_that_was_taken_back_before_its_time_is_not_told_as_published_or_forgotten() {
        tables.execute(
                "insert into $schema.operator_action (action, subject_kind, scope, subject, before, operator, reason)"
                        + " values ('cancel', 'scheduled-message', 'orders', 'later', '{\"due_at\": \"2030-01-01\"}', 'ada', 'sold out')");

        assertThat(tables.of("later").entries()).singleElement().satisfies(entry -> {
            assertThat(entry.step()).isEqualTo(Step.CANCELLED);
            assertThat(entry.details()).containsEntry("operator", "ada").containsEntry("reason", "sold out");
        });
    }
}
