package dev.waybill.journey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.deadletter.FieldChange;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AttemptResult;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.Cause;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.Holds;
import dev.waybill.inbox.InboxHolds;
import dev.waybill.journey.JourneyEntry.Clock;
import dev.waybill.journey.JourneyEntry.Confidence;
import dev.waybill.journey.JourneyEntry.Step;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The traces that holds and the decisions about them leave in the journeys of messages. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class HoldJourneysTest {
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
    void a_message_behind_the_one_that_failed_is_held_released_and_handled() {
        tables.hold(ALICE, "m1", "m2");
        assertThat(tables.steps("m2")).containsExactly(Step.APPENDED, Step.ENQUEUED, Step.HELD, Step.WAITS);
        assertThat(tables.of("m2").entries().get(2).details()).containsEntry("reason", "BehindHold");
        Holds holds = InboxHolds.in(database.dataSource(), tables.schema);
        holds.release(ALICE, ADA);
        tables.handleHeld("m1");
        tables.handleHeld("m2");

        assertThat(tables.steps("m1"))
                .containsExactly(Step.APPENDED, Step.ENQUEUED, Step.HELD, Step.RELEASED, Step.HANDLED);
        assertThat(tables.steps("m2"))
                .containsExactly(Step.APPENDED, Step.ENQUEUED, Step.HELD, Step.RELEASED, Step.HANDLED);
        tables.execute("delete from $schema.inbox_message");
        assertThat(tables.of("m2").entries().get(4).confidence()).isEqualTo(Confidence.INFERRED);
        assertThat(tables.of("m2").entries().get(1).time().clock()).isEqualTo(Clock.BROKER);
    }

    @Test
    void what_was_released_before_a_message_came_or_after_it_left_is_not_told_of_it() {
        tables.hold(ALICE, "m1");
        Holds holds = InboxHolds.in(database.dataSource(), tables.schema);
        holds.release(ALICE, ADA);
        tables.hold(ALICE, "m2");
        tables.handleHeld("m1");
        holds.release(ALICE, ADA);

        assertThat(tables.steps("m1")).containsOnlyOnce(Step.RELEASED);
        assertThat(tables.steps("m2")).containsOnlyOnce(Step.RELEASED);
    }

    @Test
    void a_skipped_message_was_skipped_and_neither_published_nor_handled() {
        tables.hold(ALICE, "m1");
        HoldKey orders = HoldKey.message(HoldSide.OUTBOX, "orders", null, "m9");
        tables.append("orders", "m9", null);
        tables.holdOfOutbox(orders, "m9");
        assertThat(tables.steps("m9")).containsExactly(Step.APPENDED, Step.HELD, Step.WAITS);

        Holds inbox = InboxHolds.in(database.dataSource(), tables.schema);
        inbox.skip(ALICE, inbox.messages(ALICE, 1).get(0).place(), ADA);
        Holds outbox = Holds.ofOutbox(database.dataSource(), tables.schema);
        outbox.skip(orders, outbox.messages(orders, 1).get(0).place(), ADA);

        assertThat(tables.steps("m1")).containsExactly(Step.APPENDED, Step.ENQUEUED, Step.HELD, Step.SKIPPED);
        assertThat(tables.steps("m9")).containsExactly(Step.APPENDED, Step.HELD, Step.SKIPPED);
    }

    @Test
    void an_edit_says_which_fields_and_of_a_body_only_how_long() {
        tables.hold(ALICE, "m1");
        Holds holds = InboxHolds.in(database.dataSource(), tables.schema);
        holds.edit(
                ALICE,
                holds.messages(ALICE, 1).get(0).place(),
                content -> content.toBuilder()
                        .subject("Mended")
                        .body("new".getBytes(StandardCharsets.UTF_8))
                        .build(),
                ADA);
        long letter = tables.letter("m1");
        tables.letters().edit(letter, content -> content.withBody("longer".getBytes(StandardCharsets.UTF_8)), ADA);
        tables.letters()
                .edit(letter, content -> content.toBuilder().subject("Late").build(), ADA);

        assertThat(tables.of("m1").entries())
                .filteredOn(entry -> entry.step() == Step.EDITED)
                .extracting(JourneyEntry::changes)
                .containsExactly(
                        List.of(
                                new FieldChange("payload", "13 bytes", "3 bytes"),
                                new FieldChange("subject", null, "Mended")),
                        List.of(new FieldChange("payload", "10 bytes", "6 bytes")),
                        List.of(new FieldChange("subject", null, "Late")));
    }

    @Test
    void ten_thousand_that_leave_a_hold_in_one_statement_are_all_told_of_and_only_the_first_when_they_come() {
        tables.hold(ALICE, "head");
        tables.execute(
                "insert into $schema.inbox_held_message (hold_id, origin_position, origin_time, session_id, message_id, payload)"
                        + " select h.id, i + 10, now(), 'alice', 'b' || i, 'x' from $schema.inbox_hold h, generate_series(1, 10000) i");
        assertThat(tables.allEvents()).isEqualTo(1);
        tables.execute("delete from $schema.inbox_held_message");

        assertThat(tables.allEvents()).isEqualTo(10_002);
        assertThat(tables.steps("b10000")).containsExactly(Step.APPENDED, Step.ENQUEUED, Step.HELD, Step.HANDLED);
    }

    @Test
    void holds_go_on_where_events_cannot_be_recorded() {
        tables.execute("alter table $schema.message_event add constraint broken check (id < 0) not valid");
        tables.hold(ALICE, "m1", "m2");
        tables.parkAgain(ALICE);
        tables.handleHeld("m1");
        tables.handleHeld("m2");

        assertThat(tables.allEvents()).isZero();
        assertThat(tables.dsl.fetchCount(DSL.table(tables.schema.table("inbox_held_message"))))
                .isZero();
    }

    @Test
    void attempts_that_fail_are_told_with_their_number_and_those_that_are_given_back_are_not() {
        tables.hold(ALICE, "m1");
        InboxHolds.in(database.dataSource(), tables.schema).release(ALICE, ADA);
        tables.attempt(AttemptResult.interrupted(Duration.ZERO));
        tables.attempt(AttemptResult.later(new Cause("Failed", "no\0 such wallet"), Duration.ZERO));
        tables.attempt(AttemptResult.interrupted(Duration.ZERO));
        tables.attempt(null);
        tables.attempt(AttemptResult.parked(new Cause("Worse", "x".repeat(8_000))));

        assertThat(tables.steps("m1"))
                .containsExactly(
                        Step.APPENDED,
                        Step.ENQUEUED,
                        Step.HELD,
                        Step.RELEASED,
                        Step.TRIED,
                        Step.ATTEMPT_LOST,
                        Step.PARKED,
                        Step.WAITS);
        assertThat(tables.of("m1").entries().get(6).details())
                .containsEntry("reason", "Worse")
                .hasEntrySatisfying("description", text -> assertThat(text).hasSize(2_000));
    }
}
