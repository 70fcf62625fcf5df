package dev.waybill.hold;

import static dev.waybill.hold.HoldFixture.BY_ANNA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Decisions about many holds at once. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ManyHoldsTest {
    private HoldFixture fixture;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        fixture = new HoldFixture(database);
    }

    @Test
    void many_holds_that_are_opened_at_once_are_what_each_would_be_alone() {
        HoldKey parked = fixture.parked("parked", "p1");
        HoldKey parkedAgain = fixture.parked("parked again", "p2");
        HoldKey released = fixture.parked("released", "r1");
        fixture.holds.release(released, BY_ANNA);
        HoldKey refused = HoldFixture.session("NULL");
        HoldKey alone = HoldKey.message(HoldSide.INBOX, "ledger", null, "a,\"b\"\\{}\u00fc");
        HoldKey ended = HoldKey.message(HoldSide.INBOX, "ledger", "s", "m");
        var cause = new Cause("Larger", "{\"a\\nb\",NULL,'}");
        var ids = new HashMap<HoldKey, Long>();

        fixture.dsl.transaction(tx -> {
            ids.putAll(fixture.table.hold(
                    tx.dsl(),
                    Map.of(
                            parked, Optional.empty(),
                            parkedAgain, Optional.of(cause),
                            released, Optional.of(cause),
                            refused, Optional.of(cause),
                            alone, Optional.of(cause),
                            ended, Optional.empty())));
            ids.forEach((key, id) -> fixture.add(tx.dsl(), id, key.text()));
        });

        assertThat(ids).hasSize(6);
        assertThat(fixture.ids(parked)).containsExactly("p1", parked.text());
        assertHold(parked, HoldState.PARKED, HoldFixture.REFUSED, 1);
        assertHold(parkedAgain, HoldState.PARKED, cause, 1);
        assertHold(released, HoldState.PARKED, cause, 2);
        assertHold(refused, HoldState.PARKED, cause, 1);
        assertHold(alone, HoldState.PARKED, cause, 1);
        assertHold(ended, HoldState.RETRYING, HoldTable.CAUGHT_UP, 0);
        assertThat(fixture.begin()).extracting(Attempt::key).containsExactly(ended);
    }

    private void assertHold(HoldKey key, HoldState state, Cause cause, int timesParked) {
        assertThat(fixture.holds.show(key)).hasValueSatisfying(hold -> {
            assertThat(hold.state()).as("%s", key).isEqualTo(state);
            assertThat(hold.cause()).isEqualTo(cause);
            assertThat(hold.tries().timesParked()).isEqualTo(timesParked);
        });
    }

    @Test
    void of_many_holds_only_the_empty_ones_end() {
        HoldKey full = fixture.parked("full", "m1");
        HoldKey empty = HoldFixture.session("empty");

        fixture.dsl.transaction(tx -> fixture.table.endEmpty(
                tx.dsl(),
                fixture.table
                        .hold(tx.dsl(), Map.of(full, Optional.empty(), empty, Optional.empty()))
                        .values()));

        assertThat(fixture.holds.list()).extracting(Hold::key).containsExactly(full);
    }

    @Test
    void each_word_of_a_filter_narrows_the_choice() {
        fixture.parked("s1", "a1");
        fixture.parked("s2", "a2");
        fixture.dsl.transaction(tx -> {
            park(tx.dsl(), HoldKey.session(HoldSide.INBOX, "fraud", "s1"), "Refused", "b1");
            park(tx.dsl(), HoldKey.message(HoldSide.INBOX, "ledger", "s1", "c1"), "Other", "c1");
            park(tx.dsl(), HoldKey.session(HoldSide.OUTBOX, "ledger", "s1"), "Refused", "d1");
        });
        fixture.holds.release(HoldFixture.session("s2"), BY_ANNA);

        assertThat(found(HoldFilter.everything())).containsExactly("a1", "a2", "b1", "c1");
        assertThat(found(HoldFilter.parked())).containsExactly("a1", "b1", "c1");
        assertThat(found(HoldFilter.everything().in(HoldState.RETRYING))).containsExactly("a2");
        assertThat(found(HoldFilter.everything().scope("fraud"))).containsExactly("b1");
        assertThat(found(HoldFilter.everything().reason("Other"))).containsExactly("c1");
        assertThat(found(HoldFilter.everything().session("s1"))).containsExactly("a1", "b1", "c1");
        assertThat(found(HoldFilter.everything().side(HoldSide.INBOX).session("s2")))
                .containsExactly("a2");
        assertThat(found(HoldFilter.everything().side(HoldSide.OUTBOX))).isEmpty();
    }

    @Test
    @Tag("long")
    void more_holds_than_fit_a_page_are_shown_counted_and_released_each_with_an_audit_row() {
        park(250);

        var seen = new ArrayList<HoldKey>();
        fixture.holds.forEach(HoldFilter.parked(), hold -> seen.add(hold.key()));

        assertThat(seen)
                .containsExactlyElementsOf(IntStream.range(0, 250)
                        .mapToObj(i -> HoldFixture.session("s" + i))
                        .toList());
        assertThat(fixture.holds.tally(HoldFilter.parked())).isEqualTo(new HoldTally(250, 500, 0));
        assertThat(fixture.holds.release(HoldFilter.parked(), BY_ANNA)).isEqualTo(new HoldTally(250, 500, 0));
        assertThat(fixture.holds.tally(HoldFilter.parked())).isEqualTo(HoldTally.NONE);
        assertThat(fixture.holds.release(HoldFilter.parked(), BY_ANNA)).isEqualTo(HoldTally.NONE);
        assertThat(seen).allSatisfy(key -> assertThat(actions(key)).containsExactly("release"));
    }

    @Test
    void holds_that_are_being_tried_are_told_of_and_left_alone() {
        HoldKey tried = fixture.parked("s1", "a1", "a2");
        fixture.holds.release(tried, BY_ANNA);
        assertThat(fixture.begin()).hasSize(1);
        fixture.parked("s2", "b1");

        var would = new HoldTally(1, 1, 1);
        assertThat(fixture.holds.tally(HoldFilter.everything())).isEqualTo(would);
        assertThat(fixture.holds.release(HoldFilter.everything(), BY_ANNA)).isEqualTo(would);
        assertThat(fixture.holds.skipAll(HoldFilter.everything(), BY_ANNA)).isEqualTo(would);
        assertThat(fixture.holds.skipFirst(HoldFilter.everything(), BY_ANNA)).isEqualTo(new HoldTally(0, 0, 1));
        assertThat(fixture.ids(tried)).containsExactly("a1", "a2");

        fixture.endTimeOfAttempts();
        assertThat(fixture.holds.skipAll(HoldFilter.everything(), BY_ANNA)).isEqualTo(new HoldTally(1, 2, 0));
    }

    @Test
    void skipping_takes_out_every_message_of_each_hold_and_the_audit_keeps_them_in_order() {
        String[] ids = IntStream.range(0, 45).mapToObj(i -> "a" + i).toArray(String[]::new);
        HoldKey session = fixture.parked("s1", ids);
        fixture.parked("s2", "b0");

        var skipped = fixture.holds.skipAll(HoldFilter.parked().session("s1"), BY_ANNA);

        assertThat(skipped).isEqualTo(new HoldTally(1, 45, 0));
        assertThat(fixture.holds.show(session)).isEmpty();
        assertThat(fixture.skipped).containsExactly(ids);
        List<AuditEntry> history = fixture.holds.history(session);
        assertThat(history).hasSize(45).allSatisfy(entry -> {
            assertThat(entry.action()).isEqualTo("skip");
            assertThat(entry.instruction()).isEqualTo(BY_ANNA);
            assertThat(entry.after()).isNull();
        });
        assertThat(history.get(44).before()).contains("\"message_id\": \"a44\"", "\\\\x613434");
        assertThat(fixture.ids(HoldFixture.session("s2"))).containsExactly("b0");
    }

    @Test
    void skipping_the_first_lets_the_others_go_and_takes_no_second_one_when_done_again() {
        HoldKey several = fixture.parked("s1", "a1", "a2", "a3");
        HoldKey single = fixture.parked("s2", "b1");

        assertThat(fixture.holds.skipFirst(HoldFilter.parked(), BY_ANNA)).isEqualTo(new HoldTally(2, 2, 0));
        assertThat(fixture.holds.skipFirst(HoldFilter.parked(), BY_ANNA)).isEqualTo(HoldTally.NONE);

        assertThat(fixture.skipped).containsExactly("a1", "b1");
        assertThat(fixture.holds.show(single)).isEmpty();
        assertThat(actions(several)).containsExactly("skip", "release");
        assertThat(fixture.begin())
                .singleElement()
                .satisfies(attempt ->
                        assertThat(HoldFixture.ids(attempt.messages())).containsExactly("a2", "a3"));
    }

    @Test
    void a_hold_without_messages_ends_and_counts_as_none_taken_out() {
        HoldKey empty = fixture.parked("s1");
        fixture.parked("s2", "b1", "b2");

        assertThat(fixture.holds.skipFirst(HoldFilter.parked(), BY_ANNA)).isEqualTo(new HoldTally(2, 1, 0));

        assertThat(fixture.holds.show(empty)).isEmpty();
        assertThat(fixture.skipped).containsExactly("b1");
    }

    @Test
    void what_somebody_has_decided_otherwise_meanwhile_is_left_alone() throws Exception {
        HoldKey first = fixture.parked("s1", "a1");
        HoldKey second = fixture.parked("s2", "b1");
        // While the first one is changed, another operator lets the second one go.
        var holds = Holds.ofInbox(fixture.dataSource, fixture.schema, (tx, key, message) -> {
            if (key.equals(first)) {
                fixture.holds.release(second, BY_ANNA);
            }
        });

        assertThat(holds.skipAll(HoldFilter.parked(), BY_ANNA)).isEqualTo(new HoldTally(1, 1, 0));

        assertThat(fixture.holds.show(first)).isEmpty();
        assertThat(fixture.ids(second)).containsExactly("b1");
    }

    @Test
    void what_joins_the_choice_while_it_is_worked_on_waits_for_the_next_time() {
        park(100);
        var later = new ArrayList<HoldKey>();
        var holds = Holds.ofInbox(fixture.dataSource, fixture.schema, (tx, key, message) -> {
            if (later.size() < 150) {
                later.add(fixture.parked("later" + later.size(), "x"));
            }
        });

        assertThat(holds.skipAll(HoldFilter.parked(), BY_ANNA)).isEqualTo(new HoldTally(100, 200, 0));

        assertThat(fixture.holds.list()).extracting(Hold::key).containsExactlyElementsOf(later);
    }

    @Test
    void a_failure_half_way_leaves_each_hold_done_or_untouched_and_it_can_be_done_again() {
        park(5);
        var dying = Holds.ofInbox(fixture.dataSource, fixture.schema, (tx, key, message) -> {
            if (message.content().messageId().equals("s3-second")) {
                throw new IllegalStateException("the process ends here");
            }
        });

        assertThatThrownBy(() -> dying.skipAll(HoldFilter.parked(), BY_ANNA)).hasMessageContaining("ends here");

        assertThat(fixture.holds.tally(HoldFilter.parked())).isEqualTo(new HoldTally(2, 4, 0));
        assertThat(actions(HoldFixture.session("s3"))).isEmpty();
        assertThat(fixture.holds.skipAll(HoldFilter.parked(), BY_ANNA)).isEqualTo(new HoldTally(2, 4, 0));
        assertThat(fixture.holds.list()).isEmpty();
    }

    @Test
    void a_deadlock_that_is_lost_is_tried_again_and_one_that_never_ends_is_told() {
        fixture.parked("s1", "a1", "a2");
        var losses = new ArrayList<String>();
        var losing = Holds.ofInbox(fixture.dataSource, fixture.schema, (tx, key, message) -> {
            losses.add(message.content().messageId());
            if (losses.size() < 4) {
                tx.execute("do $$ begin raise exception 'lost' using errcode = '40P01'; end $$");
            }
        });

        assertThat(losing.skipAll(HoldFilter.parked(), BY_ANNA)).isEqualTo(new HoldTally(1, 2, 0));

        assertThat(actions(HoldFixture.session("s1"))).containsExactly("skip", "skip");
        fixture.parked("s2", "b1");
        losses.clear();
        var hopeless = Holds.ofInbox(
                fixture.dataSource,
                fixture.schema,
                (tx, key, message) -> tx.execute("do $$ begin raise exception 'lost' using errcode = '40P01'; end $$"));
        assertThatThrownBy(() -> hopeless.skipAll(HoldFilter.parked(), BY_ANNA))
                .isInstanceOf(DataAccessException.class);
        assertThat(fixture.ids(HoldFixture.session("s2"))).containsExactly("b1");
    }

    @Test
    void the_messages_of_a_hold_are_shown_page_by_page() {
        HoldKey key = fixture.parked("s1", "a1", "a2", "a3");

        var first = fixture.holds.messages(key, 0, 2);
        var second = fixture.holds.messages(key, first.get(1).place(), 2);

        assertThat(HoldFixture.ids(first)).containsExactly("a1", "a2");
        assertThat(HoldFixture.ids(second)).containsExactly("a3");
        assertThat(fixture.holds.messages(key, second.get(0).place(), 2)).isEmpty();
    }

    private void park(int sessions) {
        for (int i = 0; i < sessions; i++) {
            fixture.parked("s" + i, "s" + i + "-first", "s" + i + "-second");
        }
    }

    private void park(org.jooq.DSLContext tx, HoldKey key, String reason, String id) {
        HoldTable table = HoldTable.in(fixture.schema, key.side());
        fixture.add(tx, table, table.park(tx, key, new Cause(reason, "")), id);
    }

    private List<String> actions(HoldKey key) {
        return fixture.holds.history(key).stream().map(AuditEntry::action).toList();
    }

    private List<String> found(HoldFilter filter) {
        var ids = new ArrayList<String>();
        fixture.holds.forEach(filter, hold -> ids.addAll(fixture.ids(hold.key())));
        return ids;
    }
}
