package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.outbox.OutboxMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Due messages of many destinations whose sessions are being appended to, so that the relay waits for the sessions. */
@ExtendWith(PostgresExtension.class)
class ScheduledWaitTest {
    private static final List<String> BUSY =
            IntStream.range(0, 3).mapToObj(i -> "busy" + i).toList();

    /** In the order in which they happened. */
    private final List<String> events = new ArrayList<>();

    private OutboxFixture.SqlAction onFirstWait = () -> {};
    private OutboxFixture outbox;
    private Connection writer;
    private Scheduling scheduling;

    @BeforeEach
    void append_to_the_sessions(TestDatabase database) throws SQLException {
        outbox = new OutboxFixture(database);
        writer = outbox.open();
        BUSY.forEach(destination -> {
            due(destination);
            outbox.outbox.append(
                    writer,
                    List.of(OutboxMessage.to(destination)
                            .session("s")
                            .id("appended")
                            .text("x")
                            .build()));
        });
        var destinations = new ArrayList<>(BUSY);
        destinations.add("idle");
        scheduling = new Scheduling(
                new ScheduledTable(watched(), outbox.schema, 10), destinations, events::add, new SplittableRandom(1));
    }

    @AfterEach
    void close() throws SQLException {
        writer.close();
    }

    @Test
    void a_message_that_falls_due_while_a_session_is_waited_for_waits_for_no_other_session() throws SQLException {
        onFirstWait = () -> due("idle");

        scheduling.step();
        scheduling.step();

        assertThat(events.subList(0, 3))
                .satisfiesExactly(
                        wait -> assertThat(wait).startsWith("wait for busy"),
                        moved -> assertThat(moved).isEqualTo("idle"),
                        wait -> assertThat(wait).startsWith("wait for busy"));
        writer.rollback();
    }

    @Test
    void each_destination_whose_session_is_appended_to_has_its_turn_of_waiting() throws SQLException {
        scheduling.step();
        scheduling.step();
        scheduling.step();

        assertThat(events)
                .containsExactlyInAnyOrderElementsOf(
                        BUSY.stream().map(name -> "wait for " + name).toList());
        writer.rollback();
    }

    @Test
    void sessions_that_are_free_when_they_are_waited_for_have_their_turns_in_one_step() {
        onFirstWait = () -> writer.rollback();

        scheduling.step();

        assertThat(outbox.rowsIn("outbox_message")).isEqualTo(BUSY.size());
    }

    private DSLContext watched() {
        return DSL.using(outbox.dsl.configuration().deriveAppending(ExecuteListener.onExecuteStart(this::note)));
    }

    private void note(ExecuteContext context) {
        var query = context.query();
        if (query != null && query.getSQL().contains("pg_advisory_xact_lock(")) {
            String[] sessions = (String[]) query.getBindValues().get(0);
            if (events.isEmpty()) {
                onFirstWait.run();
            }
            events.add("wait for " + sessions[0].substring(0, "busy0".length()));
        }
    }

    private void due(String destination) {
        outbox.execute("insert into $schema.outbox_scheduled (destination, session_id, message_id, payload, due_at)"
                + " values ('" + destination + "', 's', 'm', 'x', '2020-01-01')");
    }
}
