package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.outbox.OutboxMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/** Due messages of one destination that cannot be moved: what becomes of the others. */
@ExtendWith(PostgresExtension.class)
class ScheduledFailureTest {
    private static final List<String> DESTINATIONS = List.of("before", "broken", "later");

    private final TestClock clock = new TestClock();
    private final List<String> tries = new ArrayList<>();
    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
    }

    @Test
    void a_destination_whose_messages_cannot_be_moved_keeps_no_other_from_its_rounds() {
        refuse();
        DESTINATIONS.forEach(destination -> due(destination, "s", 25));

        assertThat(scheduling(outbox.dsl).step()).isZero();

        assertThat(moved("before")).isEqualTo(25);
        assertThat(moved("later")).isEqualTo(25);
        assertThat(moved("broken")).isZero();
    }

    @Test
    void a_message_that_was_left_and_cannot_be_moved_keeps_no_other_from_its_turn() throws SQLException {
        DESTINATIONS.forEach(destination -> due(destination, "s", 1));
        var scheduling = scheduling(outbox.dsl);
        try (Connection writer = outbox.open()) {
            DESTINATIONS.forEach(destination -> outbox.outbox.append(
                    writer,
                    OutboxMessage.to(destination)
                            .session("s")
                            .id("held")
                            .text("x")
                            .build()));
            scheduling.step();
            writer.rollback();
        }
        refuse();

        scheduling.step();

        assertThat(moved("before")).isEqualTo(1);
        assertThat(moved("later")).isEqualTo(1);
    }

    @Test
    void a_claim_that_is_no_uuid_moves_like_any_other_header() {
        outbox.execute("insert into $schema.outbox_scheduled (destination, message_id, payload, due_at, headers)"
                + " values ('broken', 'b', 'x', '2020-01-01', jsonb_build_object('waybill-claim', repeat('a', 36)))");
        due("later", "s", 1);

        scheduling(outbox.dsl).step();

        assertThat(moved("broken")).isEqualTo(1);
        assertThat(moved("later")).isEqualTo(1);
    }

    @Test
    void a_destination_that_fails_is_told_once_and_so_is_its_end() {
        refuse();
        due("broken", "s", 1);
        var scheduling = scheduling(outbox.dsl);

        var lines = lines(DueFailures.class, () -> {
            for (int i = 0; i < 3; i++) {
                scheduling.step();
                clock.advanceMillis(1_000);
            }
            outbox.execute("alter table $schema.outbox_message drop constraint not_broken");
            scheduling.step();
        });

        assertThat(lines)
                .filteredOn(line -> !line.contains("(seen "))
                .satisfiesExactly(
                        failure -> assertThat(failure)
                                .startsWith("Messages to 'broken' that are due could not be moved")
                                .contains("not_broken"),
                        end -> assertThat(end)
                                .startsWith("Messages to 'broken' that are due are moved into the outbox again"));
        assertThat(moved("broken")).isEqualTo(1);
    }

    @Test
    void a_destination_that_fails_rests_before_it_is_tried_again() {
        refuse();
        due("broken", "s", 1);
        var scheduling = scheduling(watched(() -> false, ""));

        assertThat(scheduling.step()).isEqualTo(Duration.ofSeconds(1));
        due("later", "s", 1);
        assertThat(scheduling.step()).isZero();
        scheduling.step();
        assertThat(tries).as("one of each").hasSize(2);

        clock.advanceMillis(1_000);
        scheduling.step();
        assertThat(tries).hasSize(3);
    }

    @Test
    void a_turn_by_hand_tries_what_rests_and_says_why_it_fails() {
        refuse();
        due("broken", "s", 1);
        due("later", "s", 1);
        var scheduling = scheduling(watched(() -> false, ""));

        assertThat(scheduling.moveAll()).hasMessageContaining("not_broken");
        assertThat(scheduling.moveAll()).hasMessageContaining("not_broken");
        outbox.execute("alter table $schema.outbox_message drop constraint not_broken");
        assertThat(scheduling.moveAll()).isNull();

        assertThat(moved("later")).isEqualTo(1);
        assertThat(moved("broken")).isEqualTo(1);
    }

    @Test
    void a_connection_that_breaks_keeps_no_other_destination_from_its_turn() {
        DESTINATIONS.forEach(destination -> due(destination, "s", 1));
        var scheduling = scheduling(watched(() -> tries.size() == 2, ""));

        assertThat(scheduling.step()).isZero();

        assertThat(moved("before")).isEqualTo(1);
        assertThat(moved("later")).isEqualTo(1);
        clock.advanceMillis(1_000);
        scheduling.step();
        assertThat(moved("broken")).isEqualTo(1);
    }

    @Test
    void a_destination_whose_batches_end_their_connection_each_time_keeps_no_other_waiting() {
        outbox.execute(
                "create function $schema.ended() returns trigger language plpgsql as"
                        + " $f$ begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1); return new; end $f$");
        outbox.execute("create trigger ended before insert on $schema.outbox_message for each row"
                + " when (new.destination = 'broken') execute function $schema.ended()");
        DESTINATIONS.forEach(destination -> due(destination, "s", 25));

        assertThat(scheduling(outbox.dsl).step()).isZero();

        assertThat(moved("before")).isEqualTo(25);
        assertThat(moved("later")).isEqualTo(25);
        assertThat(moved("broken")).isZero();
    }

    @Test
    void a_failure_after_which_the_database_does_not_answer_ends_the_step_of_all_destinations() {
        refuse();
        due("broken", "s", 1);
        due("later", "s", 1);

        assertThat(scheduling(watched(() -> false, "select 1")).step()).isEqualTo(Duration.ofSeconds(1));

        assertThat(tries).hasSize(1);
    }

    @Test
    void a_destination_in_whose_turn_the_database_fails_each_time_is_left_out_of_every_other_step() {
        refuse();
        DESTINATIONS.forEach(destination -> due(destination, "s", 25));
        var scheduling = scheduling(watched(() -> false, "select 1"));

        scheduling.step();
        clock.advanceMillis(1_000);
        assertThat(moved("later")).isZero();

        assertThat(scheduling.step()).isZero();
        assertThat(moved("before")).isEqualTo(25);
        assertThat(moved("later")).isEqualTo(25);

        outbox.execute("alter table $schema.outbox_message drop constraint not_broken");
        scheduling.step();
        assertThat(moved("broken")).isEqualTo(25);
    }

    @Test
    void a_database_that_fails_in_the_turn_of_a_destination_is_told_once_with_its_name_and_so_is_its_end() {
        refuse();
        due("broken", "s", 1);
        var scheduling = scheduling(watched(() -> false, "select 1"));

        var lines = lines(Scheduling.class, () -> {
            for (int i = 0; i < 4; i++) {
                scheduling.step();
                clock.advanceMillis(1_000);
            }
            outbox.execute("alter table $schema.outbox_message drop constraint not_broken");
            scheduling.step();
        });

        assertThat(lines)
                .filteredOn(line -> !line.contains("(seen "))
                .satisfiesExactly(
                        failure -> assertThat(failure)
                                .contains("could not be moved into the outbox")
                                .contains("it was the turn of 'broken'"),
                        end -> assertThat(end).contains("are moved into the outbox again"));
    }

    private Scheduling scheduling(DSLContext dsl) {
        return new Scheduling(
                new ScheduledTable(dsl, outbox.schema, 10),
                DESTINATIONS,
                destination -> {},
                new SplittableRandom(1),
                clock);
    }

    /** Notes each batch that is tried. The server ends the connection of lethal ones; one statement has no answer. */
    private DSLContext watched(BooleanSupplier lethal, String unanswered) {
        return WatchedConnections.of(outbox.dsl, new WatchedConnections.Watch() {
            @Override
            public void before(String sql) {
                if (sql.startsWith("with due")) {
                    tries.add(sql);
                    if (lethal.getAsBoolean()) {
                        CommitPoint.killOpenTransactions(outbox);
                    }
                }
                if (sql.equals(unanswered)) {
                    throw new IllegalStateException("no answer");
                }
            }
        });
    }

    private static List<String> lines(Class<?> of, Runnable action) {
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        var logger = (Logger) LoggerFactory.getLogger(of);
        logger.addAppender(lines);
        try {
            action.run();
        } finally {
            logger.detachAppender(lines);
        }
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    /** As a trigger or a constraint of the application would. */
    private void refuse() {
        outbox.execute("alter table $schema.outbox_message add constraint not_broken"
                + " check (destination <> 'broken') not valid");
    }

    private void due(String destination, String session, int count) {
        outbox.execute("insert into $schema.outbox_scheduled (destination, session_id, message_id, payload, due_at)"
                + " select '" + destination + "', '" + session
                + "', 'm' || n, 'x', timestamptz '2020-01-01' + n * interval '1 ms'"
                + " from generate_series(1, " + count + ") n");
    }

    private int moved(String destination) {
        return outbox.dsl
                .fetchSingle("select count(*)::int from " + outbox.schema.table("outbox_message")
                        + " where destination = '" + destination + "'")
                .get(0, Integer.class);
    }
}
