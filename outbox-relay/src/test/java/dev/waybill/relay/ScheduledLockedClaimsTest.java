package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.jooq.ExecuteListener;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Rows of the register of bodies are locked, as by an erasure that has not committed. */
@ExtendWith(PostgresExtension.class)
class ScheduledLockedClaimsTest {
    private static final String CLAIM = "00000000-0000-0000-0000-00000000000";

    private OutboxFixture outbox;
    private Scheduling scheduling;
    private int failures;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
        var watched = DSL.using(
                outbox.dsl.configuration().deriveAppending(ExecuteListener.onException(context -> failures++)));
        scheduling = new Scheduling(
                new ScheduledTable(watched, outbox.schema, 500),
                List.of("d1", "d2", "d3"),
                destination -> {},
                new SplittableRandom(1),
                new TestClock());
    }

    @Test
    void a_claim_that_is_locked_keeps_only_the_messages_that_name_it_and_their_sessions() throws SQLException {
        claim(1);
        claim(2);
        schedule("d1", "s", "names it", CLAIM + 1);
        schedule("d1", "s", "behind", null);
        schedule("d1", null, "names it without session", CLAIM + 2);
        schedule("d1", "another", "free", null);
        schedule("d1", null, "free without session", null);
        schedule("d1", null, "of no register", CLAIM + 3);
        try (Connection other = outbox.open()) {
            lockClaims(other);
            scheduling.step();
            assertThat(moved()).containsExactly("free", "free without session", "of no register");
            other.rollback();
        }

        scheduling.step();

        assertThat(moved()).hasSize(6).containsSubsequence("names it", "behind").contains("names it without session");
        assertThat(outbox.dsl
                        .fetch(
                                "select distinct c.xid::text = m.xid::text from %1$s c, %2$s m where m.message_id = 'names it'"
                                        .formatted(
                                                outbox.schema.table("outbox_claim"),
                                                outbox.schema.table("outbox_message")))
                        .getValues(0, Boolean.class))
                .as("the register knows the transaction")
                .contains(true);
    }

    @Test
    void claims_that_are_locked_are_waited_for_in_no_destination() throws SQLException {
        for (int i = 1; i <= 3; i++) {
            claim(i);
            schedule("d" + i, "s", "m", CLAIM + i);
        }
        try (Connection other = outbox.open()) {
            lockClaims(other);

            assertThat(scheduling.step()).isEqualTo(Duration.ofMillis(250));
            assertThat(scheduling.step()).isEqualTo(Duration.ofMillis(250));

            assertThat(failures).as("statements that waited in vain").isZero();
            other.rollback();
        }
        scheduling.step();
        assertThat(moved()).hasSize(3);
    }

    private void claim(int number) {
        outbox.execute("insert into $schema.outbox_claim (digest, claim, destination, message_id, bytes)"
                + " values (gen_random_uuid(), '" + CLAIM + number + "', 'd1', 'm', 1)");
    }

    private void lockClaims(Connection connection) throws SQLException {
        connection.createStatement().execute("select 1 from " + outbox.schema.table("outbox_claim") + " for update");
    }

    private void schedule(String destination, @Nullable String session, String id, @Nullable String claim) {
        outbox.dsl.execute(
                "insert into " + outbox.schema.table("outbox_scheduled")
                        + " (destination, session_id, message_id, payload, due_at, headers) values ({0}, {1}, {2}, 'x',"
                        + " '2020-01-01', jsonb_strip_nulls(jsonb_build_object('waybill-claim', {3}::text)))",
                DSL.val(destination),
                DSL.val(session),
                DSL.val(id),
                DSL.val(claim));
    }

    private List<String> moved() {
        return outbox.dsl
                .fetch("select message_id from " + outbox.schema.table("outbox_message") + " order by seq")
                .getValues(0, String.class);
    }
}
