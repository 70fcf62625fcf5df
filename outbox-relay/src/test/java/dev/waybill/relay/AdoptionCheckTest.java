package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class AdoptionCheckTest {
    private final TestClock clock = new TestClock();
    private final RateLimit wholeChecks = new RateLimit(AdoptionCheck.WHOLE, clock);
    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
    }

    @Test
    void the_first_loop_meets_a_cursor_of_another_destination_that_does_not_fit() {
        recordBeyondTheSequence("stock");

        assertThatThrownBy(checkOf("orders")::require).isInstanceOf(HistoryChangedException.class);
    }

    @Test
    void the_loops_after_it_meet_their_own_cursors_and_what_any_loop_has_met() {
        checkOf("orders").require();
        recordBeyondTheSequence("stock");

        checkOf("orders").require();
        assertThatThrownBy(checkOf("stock")::require)
                .isInstanceOf(HistoryChangedException.class)
                .hasMessageContaining("up to 100");
        assertThatThrownBy(checkOf("orders")::require).isInstanceOf(HistoryChangedException.class);
    }

    @Test
    void the_cursors_of_all_are_compared_again_a_second_later() {
        checkOf("orders").require();
        recordBeyondTheSequence("stock");
        clock.advanceMillis(AdoptionCheck.WHOLE.toMillis());

        assertThatThrownBy(checkOf("orders")::require).isInstanceOf(HistoryChangedException.class);
    }

    @Test
    void a_comparison_that_fails_is_left_to_the_next_loop() {
        recordBeyondTheSequence("stock");
        var nowhere = new OutboxHistory(DSL.using(SQLDialect.POSTGRES), outbox.schema);

        assertThatThrownBy(new AdoptionCheck(nowhere, "orders", wholeChecks)::require)
                .isInstanceOf(DataAccessException.class);
        assertThatThrownBy(checkOf("orders")::require).isInstanceOf(HistoryChangedException.class);
    }

    private AdoptionCheck checkOf(String destination) {
        return new AdoptionCheck(new OutboxHistory(outbox.dsl, outbox.schema), destination, wholeChecks);
    }

    private void recordBeyondTheSequence(String destination) {
        outbox.execute("insert into $schema.outbox_lane (destination, bucket, epoch) values ('%s', 0, 1)"
                .formatted(destination));
        outbox.execute("""
                insert into $schema.outbox_progress (destination, bucket, epoch, position, snapshot, next_xid)
                values ('%s', 0, 1, 100, pg_current_snapshot(), pg_snapshot_xmax(pg_current_snapshot()))
                """.formatted(destination));
    }
}
