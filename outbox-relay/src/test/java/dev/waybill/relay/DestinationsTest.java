package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.relay.Destinations.Pause;
import dev.waybill.relay.lease.NewTables;
import dev.waybill.relay.lease.OneRelay;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class DestinationsTest {
    private static final AuditContext ADA = new AuditContext("ada", "an incident");
    private static final AuditContext BOB = new AuditContext("bob", "all is well");

    private NewTables tables;
    private Destinations states;

    @BeforeEach
    void start(TestDatabase database) {
        tables = new NewTables(database);
        states = Destinations.of(tables.dataSource(), tables.schema);
    }

    @Test
    void a_pause_stands_until_it_is_ended_and_both_are_in_the_audit() {
        states.pause("orders", ADA);

        Pause pause = states.pauseOf("orders").orElseThrow();
        assertThat(pause).returns("ada", Pause::operator).returns("an incident", Pause::reason);
        assertThat(states.paused()).containsExactly(pause);
        assertThat(tables.fetch("select alarm from $.relay_alarm").getValues(0, String.class))
                .contains("paused");

        assertThat(states.resume("orders", BOB)).isTrue();
        assertThat(states.resume("orders", BOB)).isFalse();
        assertThat(states.pauseOf("orders")).isEmpty();
        assertThat(audit()).containsExactly("pause orders ada", "resume orders bob");
    }

    @Test
    void a_second_pause_changes_the_reason_and_not_the_time() {
        states.pause("orders", ADA);
        Pause first = states.pauseOf("orders").orElseThrow();
        assertThat(states.pauseUnlessPaused("orders", BOB)).isFalse();
        assertThat(states.pauseOf("orders")).contains(first);

        states.pause("orders", BOB);

        assertThat(states.pauseOf("orders")).contains(new Pause("orders", "bob", "all is well", first.since()));
        assertThat(states.pauseUnlessPaused("bills", BOB)).isTrue();
        assertThat(audit()).containsExactly("pause orders ada", "pause orders bob", "pause bills bob");
    }

    @Test
    void a_resume_of_a_pause_that_was_seen_does_not_end_another_one() {
        states.pause("orders", ADA);
        Pause seen = states.pauseOf("orders").orElseThrow();
        states.pause("orders", BOB);

        assertThat(states.resume(seen, BOB)).isFalse();
        assertThat(states.resume(states.pauseOf("orders").orElseThrow(), BOB)).isTrue();
    }

    @Test
    void refusals_count_for_five_minutes() {
        new OneRelay(tables, "orders", "bills");
        tables.execute("update $.outbox_destination set refused_at = now() - interval '1 hour', refusal_reason = 'r',"
                + " refusal_description = 'd', refusal_seen_at = now() - case destination when 'orders' then interval '1 minute'"
                + " else interval '6 minutes' end");

        assertThat(states.refused()).containsOnlyKeys("orders");
    }

    private List<String> audit() {
        return tables.fetch("select action || ' ' || subject || ' ' || operator from $.operator_action order by id")
                .getValues(0, String.class);
    }
}
