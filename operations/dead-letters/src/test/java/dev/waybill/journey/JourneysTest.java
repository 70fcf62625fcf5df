package dev.waybill.journey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.waybill.deadletter.Erasure;
import dev.waybill.deadletter.ErasureReport.Place;
import dev.waybill.deadletter.ErasureRequest;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.journey.Journey.Recorded.State;
import dev.waybill.journey.JourneyEntry.Confidence;
import dev.waybill.journey.JourneyEntry.Step;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The history of a message, put together from all tables. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class JourneysTest {
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
    void a_message_waits_until_it_is_published_and_then_says_when_that_was() {
        tables.append("orders", "m1", "alice");
        assertThat(tables.steps("m1")).containsExactly(Step.APPENDED, Step.WAITS);
        tables.publishAll();
        tables.handled("ledger", "m1");

        assertThat(tables.steps("m1")).containsExactly(Step.APPENDED, Step.PUBLISHED, Step.HANDLED);
        JourneyEntry published = tables.of("m1").entries().get(1);
        assertThat(published.confidence()).isEqualTo(Confidence.KNOWN);
        assertThat(published.time().at()).isEqualTo(tables.time("select published_at from $schema.outbox_published"));
    }

    @Test
    void a_message_that_was_published_and_not_retained_says_that_this_is_not_known() {
        tables.append("orders", "m1", "alice");
        tables.handled("ledger", "m1");
        tables.execute("truncate $schema.outbox_message");

        assertThat(tables.of("m1").entries())
                .extracting(JourneyEntry::step, JourneyEntry::confidence)
                .containsExactly(tuple(Step.APPENDED, Confidence.FORGOTTEN), tuple(Step.HANDLED, Confidence.KNOWN));
    }

    @Test
    void events_whose_partition_was_emptied_are_told_as_forgotten() {
        tables.append("orders", "m1", "alice");
        tables.handled("ledger", "m1");
        assertThat(tables.of("m1").record().since()).isNull();
        tables.failed("m1");
        tables.event(3, "other");
        assertThat(tables.trim()).isEqualTo(1);
        tables.append("orders", "m2", "alice");
        tables.hold(ALICE, "m2");

        Journey journey = tables.of("m1");

        assertThat(journey.record().since()).isNotNull();
        assertThat(journey.entries().get(0).step()).isEqualTo(Step.EARLIER);
        assertThat(journey.entries().get(0).confidence()).isEqualTo(Confidence.FORGOTTEN);
        assertThat(tables.steps("m2")).doesNotContain(Step.EARLIER);
    }

    @Test
    void one_id_in_two_destinations_and_two_consumers_is_told_of_each() {
        tables.append("orders", "m1", "alice");
        tables.append("invoices", "m1", "bob");
        tables.handled("ledger", "m1");
        tables.handled("audit", "m1");

        assertThat(tables.of("m1").entries())
                .extracting(entry -> entry.place().name())
                .contains("orders", "invoices", "ledger", "audit");
        assertThat(tables.journeys.of(SearchTerm.session("bob"), 100).entries())
                .filteredOn(entry -> entry.step() == Step.APPENDED)
                .extracting(entry -> entry.place().name())
                .containsExactly("invoices");
    }

    @Test
    void a_deferral_is_told_with_its_key_while_it_lasts_and_afterwards() {
        tables.execute("insert into $schema.inbox_deferral"
                + " (key, consumer, message_id, defer_key, session_id, sequence_number, enqueued_at)"
                + " values (gen_random_uuid(), 'ledger', 'm1', 'order-7', 'alice', 7, now())");
        assertThat(tables.steps("m1")).containsExactly(Step.APPENDED, Step.ENQUEUED, Step.DEFERRED);
        tables.execute("update $schema.inbox_deferral set resume_at = clock_timestamp()");
        Journey before = tables.of("m1");
        tables.execute("delete from $schema.inbox_deferral");

        assertThat(tables.of("m1")).isEqualTo(before);
        assertThat(tables.steps("m1")).containsExactly(Step.APPENDED, Step.ENQUEUED, Step.DEFERRED, Step.RESUMED);
    }

    @Test
    void a_session_without_end_is_cut_to_its_latest_entries() {
        for (int i = 0; i < 30; i++) {
            tables.append("orders", "m" + i, "alice");
        }

        Journey journey = tables.journeys.of(SearchTerm.session("alice"), 10);

        assertThat(journey.cut()).isTrue();
        assertThat(journey.entries()).hasSize(10);
        assertThat(tables.journeys.of(SearchTerm.session("alice"), 100).cut()).isFalse();
        assertThatThrownBy(() -> tables.journeys.of(SearchTerm.session("alice"), 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SearchTerm.message("")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void erasure_takes_events_away_and_none_comes_back() {
        tables.hold(ALICE, "m1", "m2");
        tables.handleHeld("m1");
        assertThat(tables.events("m1")).isEqualTo(2);
        Erasure erasure = Erasure.in(database.dataSource(), tables.schema);

        assertThat(erasure.erase(ErasureRequest.message("m1"), ADA).removed()).containsEntry(Place.EVENTS, 2L);
        assertThat(tables.steps("m1")).containsExactly(Step.APPENDED, Step.HANDLED, Step.ERASED);
        tables.failed("m1");
        assertThat(tables.events("m1")).isZero();

        assertThat(erasure.erase(ErasureRequest.session("alice").withLive(), ADA)
                        .removed())
                .containsKey(Place.HELD_IN_INBOX);
        assertThat(tables.events("m2")).isZero();
        assertThat(tables.journeys.of(SearchTerm.session("alice"), 10).entries())
                .extracting(JourneyEntry::step)
                .containsExactly(Step.ERASED);
    }

    @Test
    void without_events_the_tables_tell_what_they_know() {
        tables.append("orders", "m1", "alice");
        tables.publishAll();
        tables.hold(ALICE, "m1");
        tables.withoutEvents();

        Journey journey = tables.of("m1");

        assertThat(journey.record().state()).isEqualTo(State.NOT_RECORDED);
        assertThat(journey.entries())
                .extracting(JourneyEntry::step)
                .containsExactly(Step.APPENDED, Step.PUBLISHED, Step.ENQUEUED, Step.HELD, Step.WAITS);
        assertThat(Erasure.in(database.dataSource(), tables.schema)
                        .erase(ErasureRequest.message("m1"), ADA)
                        .removed())
                .doesNotContainKey(Place.EVENTS);
    }

    @Test
    void a_look_that_takes_too_long_ends() throws Exception {
        try (var other = database.dataSource().getConnection()) {
            other.setAutoCommit(false);
            other.createStatement().execute("lock table " + tables.schema.table("outbox_message"));

            assertThatThrownBy(
                            () -> tables.journeys.within(Duration.ofMillis(100)).of(SearchTerm.message("m1"), 10))
                    .hasMessageContaining("statement timeout");
            other.rollback();
        }
    }
}
