package dev.waybill.journey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.waybill.deadletter.Erasure;
import dev.waybill.deadletter.ErasureRequest;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AttemptResult;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.Holds;
import dev.waybill.inbox.Inbox;
import dev.waybill.inbox.InboxHolds;
import dev.waybill.journey.JourneyEntry.Step;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Where a journey says what is not so, or leaves out something and does not say so. */
@ExtendWith(PostgresExtension.class)
@Timeout(120)
class JourneyFaultsTest {
    private static final AuditContext ADA = new AuditContext("ada", "because");
    private static final HoldKey ALICE = HoldKey.session(HoldSide.INBOX, "ledger", "alice");
    private static final HoldKey ORDERS = HoldKey.session(HoldSide.OUTBOX, "orders", "alice");

    private JourneyFixture tables;
    private TestDatabase database;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        tables = new JourneyFixture(database);
    }

    @Test
    void a_message_that_was_skipped_is_not_published_however_many_decisions_about_its_session_came_later() {
        tables.append("orders", "m9", "alice");
        tables.holdOfOutbox(ORDERS, "m9");
        Holds outbox = Holds.ofOutbox(database.dataSource(), tables.schema);
        outbox.skip(ORDERS, outbox.messages(ORDERS, 1).get(0).place(), ADA);
        for (int i = 0; i < 11; i++) {
            tables.append("orders", "later" + i, "alice");
            tables.holdOfOutbox(ORDERS, "later" + i);
            outbox.release(ORDERS, ADA);
            tables.execute("delete from $schema.outbox_held_message");
            tables.execute("delete from $schema.outbox_hold");
        }

        Journey journey = tables.journeys.of(SearchTerm.message("m9"), 10);

        assertThat(journey.entries()).extracting(JourneyEntry::step).doesNotContain(Step.PUBLISHED);
    }

    @Test
    void a_decision_that_is_left_out_because_of_the_limit_is_said_to_be_left_out() {
        tables.hold(ALICE, "m1");
        Holds holds = InboxHolds.in(database.dataSource(), tables.schema);
        holds.release(ALICE, ADA);
        tables.handleHeld("m1");
        tables.execute("delete from $schema.inbox_hold");
        for (int i = 0; i < 11; i++) {
            tables.hold(ALICE, "later" + i);
            holds.release(ALICE, ADA);
            tables.handleHeld("later" + i);
            tables.execute("delete from $schema.inbox_hold");
        }

        Journey journey = tables.journeys.of(SearchTerm.message("m1"), 10);

        assertThat(journey.cut() || journey.entries().stream().anyMatch(e -> e.step() == Step.RELEASED))
                .as("%s", journey.entries())
                .isTrue();
    }

    @Test
    void a_message_that_carries_on_the_id_of_the_one_that_caused_it_waits_for_the_relay() {
        tables.dsl.transaction(tx -> {
            Inbox.in(tables.schema).firstTime(tx.dsl(), "ledger", "m1");
            Outbox.builder()
                    .schema(tables.schema)
                    .build()
                    .append(
                            tx.dsl(),
                            OutboxMessage.to("orders")
                                    .id("m1")
                                    .session("alice")
                                    .text("x")
                                    .build());
        });
        // The broker delivers the message that came in once more.
        tables.execute("insert into $schema.message_event (side, scope, event, message_id, session_id, origin_position,"
                + " origin_time, deliveries) values ('inbox', 'ledger', 'duplicate', 'm1', 'alice', 1,"
                + " now() - interval '1 minute', 2)");

        assertThat(tables.steps("m1")).contains(Step.WAITS).doesNotContain(Step.PUBLISHED);
    }

    @Test
    void a_message_that_was_skipped_is_not_handled_in_a_database_that_was_restored_from_a_dump() {
        tables.hold(ALICE, "m1");
        Holds inbox = InboxHolds.in(database.dataSource(), tables.schema);
        inbox.skip(ALICE, inbox.messages(ALICE, 1).get(0).place(), ADA);
        assertThat(tables.steps("m1")).doesNotContain(Step.HANDLED);
        // As a restore and logical replication write them: in a transaction of their own.
        tables.execute("create table $schema.copied as select * from $schema.inbox_message");
        tables.execute("delete from $schema.inbox_message");
        tables.execute("insert into $schema.inbox_message select * from $schema.copied");

        assertThat(tables.steps("m1")).doesNotContain(Step.HANDLED);
    }

    @Test
    void events_in_the_middle_that_a_trim_took_while_it_could_not_take_the_oldest_are_told_as_forgotten()
            throws Exception {
        tables.append("orders", "m1", "alice");
        for (int slot = 0; slot < 4; slot++) {
            tables.event(slot, slot == 1 ? "m1" : "other" + slot);
        }
        try (var dump = database.dataSource().getConnection()) {
            dump.setAutoCommit(false);
            dump.createStatement()
                    .execute("lock table " + tables.schema.table("message_event_0") + " in access share mode");
            assertThat(tables.trim()).as("a dump reads the oldest").isZero();
            dump.rollback();
        }
        tables.event(4, "other4");
        assertThat(tables.trim()).isEqualTo(1);
        assertThat(tables.events("m1")).isZero();

        assertThat(tables.of("m1").record().since()).isNotNull();
        assertThat(tables.steps("m1")).contains(Step.EARLIER);
    }

    @Test
    void failures_that_are_forgotten_are_told_so_although_what_is_left_of_the_message_is_younger() {
        tables.append("orders", "m1", "alice");
        tables.event(0, "m1");
        tables.execute("truncate $schema.outbox_message");
        tables.event(3, "other");
        tables.trim();
        assertThat(tables.events("m1")).isZero();
        tables.handled("ledger", "m1");

        assertThat(tables.steps("m1")).contains(Step.EARLIER);
    }

    @Test
    void holds_do_not_wait_for_the_index_of_the_events_to_be_made_anew() throws Exception {
        tables.hold(ALICE, "m1");
        try (var reindex = database.dataSource().getConnection()) {
            reindex.setAutoCommit(false);
            reindex.createStatement().execute("reindex table " + tables.schema.table("message_event_0"));
            assertThatCode(() -> tables.dsl.transaction(tx -> {
                        tx.dsl().execute("set local statement_timeout = '3s'");
                        tx.dsl().execute("delete from " + tables.schema.table("inbox_held_message"));
                    }))
                    .doesNotThrowAnyException();
            reindex.rollback();
        }
    }

    @Test
    void an_attempt_that_was_never_heard_of_is_told_although_an_operator_edited_the_message_next() {
        tables.hold(ALICE, "m1");
        Holds holds = InboxHolds.in(database.dataSource(), tables.schema);
        holds.release(ALICE, ADA);
        tables.attempt(null);
        holds.edit(
                ALICE,
                holds.messages(ALICE, 1).get(0).place(),
                content -> content.toBuilder().subject("Mended").build(),
                ADA);
        tables.attempt(AttemptResult.interrupted(Duration.ZERO));

        assertThat(tables.steps("m1")).contains(Step.ATTEMPT_LOST);
    }

    @Test
    void erasure_and_events_work_under_a_publication_for_all_tables() throws Exception {
        tables.hold(ALICE, "m1");
        tables.execute("create publication all_of_it for all tables");
        try {
            tables.handleHeld("m1");
            assertThat(tables.events("m1")).isEqualTo(2);
            Erasure.in(database.dataSource(), tables.schema).erase(ErasureRequest.message("m1"), ADA);
            assertThat(tables.events("m1")).isZero();
        } finally {
            tables.execute("drop publication all_of_it");
        }
    }

    @Test
    void an_id_with_half_a_pair_is_found_and_erased() {
        String id = "half \uFFFD and nul \uFFFD";
        tables.failed(id);
        assertThat(tables.journeys
                        .of(SearchTerm.message("half \uD83D and nul \0"), 10)
                        .entries())
                .isNotEmpty();
        Erasure.in(database.dataSource(), tables.schema).erase(ErasureRequest.message("half \uD83D and nul \0"), ADA);
        assertThat(tables.events(id)).isZero();
    }
}
