package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Transactions that schedule or cancel, commit or roll back, and steps of a relay, one after the other by chance, with a
 * clock that goes forth and sometimes back. Each message moves once. In a session it moves before all later ones that move
 * after it was committed.
 */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ScheduledRandomTest {
    private static final int ACTIONS = 150;

    private final Map<String, Message> expected = new HashMap<>();
    private final List<Message> moved = new ArrayList<>();
    private final List<Writer> writers = new ArrayList<>();
    private OutboxFixture outbox;
    private Scheduling scheduling;
    private int clock = 1_000;
    private int steps;
    private int ids;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
        var dsl = outbox.rewriting(sql -> sql.replace("statement_timestamp()", "(" + time(clock) + ")"));
        scheduling = new Scheduling(
                new ScheduledTable(dsl, outbox.schema, 3),
                List.of("orders"),
                destination -> {},
                new SplittableRandom(1),
                new TestClock());
    }

    @AfterEach
    void close() throws SQLException {
        for (Writer writer : writers) {
            writer.connection.close();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void each_message_moves_once_and_each_session_in_order(long seed) throws SQLException {
        var random = new SplittableRandom(seed);
        for (int i = 0; i < ACTIONS; i++) {
            clock += random.nextInt(12) == 0 ? -random.nextInt(200) : random.nextInt(20);
            act(random);
        }
        while (!writers.isEmpty()) {
            end(random);
        }
        clock += 10_000;
        for (int i = 0; i < 20; i++) {
            step();
        }

        assertThat(outbox.rowsIn("outbox_scheduled")).isZero();
        assertThat(moved).containsExactlyInAnyOrderElementsOf(expected.values());
        for (int i = 0; i < moved.size(); i++) {
            Message message = moved.get(i);
            assertThat(moved.subList(0, i)).noneMatch(before -> before.isWronglyBefore(message));
        }
    }

    private void act(SplittableRandom random) throws SQLException {
        switch (random.nextInt(6)) {
            case 0, 1 -> schedule(random);
            case 2 -> cancel(random);
            case 3 -> end(random);
            default -> step();
        }
        if (writers.size() > 4) {
            end(random);
        }
    }

    private void schedule(SplittableRandom random) throws SQLException {
        var writer = new Writer(outbox.open(), false);
        for (int n = 1 + random.nextInt(8); n > 0; n--) {
            int session = random.nextInt(5);
            var message = new Message("m" + ids++, session, random.nextInt(clock + 50));
            writer.messages.add(message);
            DSL.using(writer.connection, SQLDialect.POSTGRES)
                    .execute("insert into " + outbox.schema.table("outbox_scheduled")
                            + " (destination, session_id, message_id, payload, due_at) values ('orders', "
                            + (session == 0 ? "null" : "'s" + session + "'") + ", '" + message.id + "', 'x', "
                            + time(message.due) + ")");
        }
        writers.add(writer);
        if (random.nextBoolean()) {
            end(writer, true);
        }
    }

    private void cancel(SplittableRandom random) throws SQLException {
        var writer = new Writer(outbox.open(), true);
        DSL.using(writer.connection, SQLDialect.POSTGRES)
                .fetch(
                        "delete from %1$s where id in (select id from %1$s order by hashint8(id + %2$d) limit %3$d for update skip locked) returning message_id"
                                .formatted(
                                        outbox.schema.table("outbox_scheduled"),
                                        random.nextInt(1_000),
                                        1 + random.nextInt(6)))
                .getValues(0, String.class)
                .forEach(id -> writer.messages.add(expected.get(id)));
        writers.add(writer);
    }

    private void end(SplittableRandom random) throws SQLException {
        if (!writers.isEmpty()) {
            end(writers.get(random.nextInt(writers.size())), random.nextBoolean());
        }
    }

    private void end(Writer writer, boolean commits) throws SQLException {
        writers.remove(writer);
        try (Connection connection = writer.connection) {
            if (!commits) {
                connection.rollback();
                return;
            }
            connection.commit();
        }
        for (Message message : writer.messages) {
            if (writer.cancels) {
                expected.remove(message.id);
            } else {
                message.committed = steps;
                expected.put(message.id, message);
            }
        }
    }

    private void step() {
        scheduling.step();
        steps++;
        outbox.dsl
                .fetch("select message_id from " + outbox.schema.table("outbox_message") + " order by seq offset "
                        + moved.size())
                .getValues(0, String.class)
                .forEach(id -> {
                    @Nullable Message message = expected.get(id);
                    assertThat(message).as(id).isNotNull();
                    message.moved = steps;
                    moved.add(message);
                });
    }

    private static String time(int seconds) {
        return "timestamptz '2020-01-01' + interval '" + seconds + " s'";
    }

    /** A transaction that is open. */
    private static final class Writer {
        private final Connection connection;
        private final boolean cancels;
        private final List<Message> messages = new ArrayList<>();

        Writer(Connection connection, boolean cancels) {
            this.connection = connection;
            this.cancels = cancels;
        }
    }

    /** A message, with the numbers of the steps before its commit and of the one that moved it. */
    private static final class Message {
        private final String id;
        private final int session;
        private final int due;
        private int committed;
        private int moved;

        Message(String id, int session, int due) {
            this.id = id;
            this.session = session;
            this.due = due;
        }

        boolean isWronglyBefore(Message other) {
            return session != 0 && session == other.session && due > other.due && moved > other.committed;
        }

        @Override
        public String toString() {
            return id + " of s" + session + " due " + due + ", committed " + committed + ", moved " + moved;
        }
    }
}
