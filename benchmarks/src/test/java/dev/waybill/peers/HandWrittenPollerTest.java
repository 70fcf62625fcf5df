package dev.waybill.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Seven ways in which the poller that most teams write loses, repeats or reorders messages. Each test shows the damage, on a real
 * PostgreSQL; the broker is a list. docs/concepts/peers.md says what Waybill does in each place.
 */
@ExtendWith(PostgresExtension.class)
class HandWrittenPollerTest {
    private final List<String> broker = new ArrayList<>();
    private DataSource pool;

    @BeforeEach
    void create_the_table(TestDatabase database) throws SQLException {
        pool = database.dataSource();
        execute("drop table if exists outbox");
        execute("create table outbox (id bigint generated always as identity primary key, session text, body text,"
                + " created_at timestamptz default now(), sent boolean default false)");
    }

    @Test
    void one_that_remembers_its_last_id_loses_a_row_that_commits_late() throws SQLException {
        var poller = new LastIdPoller();
        try (Connection slow = begin()) {
            insert(slow, "anna", "slow");
            append("bert", "quick");
            poller.turn();
            slow.commit();
        }
        poller.turn();
        poller.turn();

        assertThat(broker).containsExactly("quick");
    }

    @Test
    void one_that_remembers_its_last_id_loses_what_is_appended_after_a_restore() throws SQLException {
        var poller = new LastIdPoller();
        append("anna", "a1");
        append("anna", "a2");
        poller.turn();
        // The backup is from before a2: the sequence goes back with the table.
        execute("delete from outbox where body = 'a2'");
        execute("alter table outbox alter column id restart with 2");
        append("anna", "a3");
        poller.turn();

        assertThat(broker).containsExactly("a1", "a2");
    }

    @Test
    void one_that_marks_before_it_sends_loses_what_it_had_in_hand_when_it_died() throws SQLException {
        append("anna", "a1");

        assertThatThrownBy(() -> {
                    List<String> found = read("update outbox set sent = true where not sent returning body");
                    throw new Crash("with " + found);
                })
                .isInstanceOf(Crash.class);
        send(read("update outbox set sent = true where not sent returning body"));

        assertThat(broker).isEmpty();
    }

    @Test
    void one_that_sends_before_it_marks_sends_again_after_a_crash() throws SQLException {
        append("anna", "a1");
        assertThatThrownBy(() -> {
                    send(read("select body from outbox where not sent order by id"));
                    throw new Crash("before the mark");
                })
                .isInstanceOf(Crash.class);
        send(read("update outbox set sent = true where not sent returning body"));

        assertThat(broker).as("no consumer without an inbox can tell").containsExactly("a1", "a1");
    }

    @Test
    void two_that_skip_locked_rows_send_a_session_out_of_order() throws SQLException {
        append("anna", "a1");
        append("anna", "a2");
        try (Connection first = begin();
                Connection second = begin()) {
            String next = "select body from outbox where not sent order by id for update skip locked limit 1";
            List<String> ofTheFirst = read(first, next);
            send(read(second, next));
            send(ofTheFirst);
        }

        assertThat(broker).containsExactly("a2", "a1");
    }

    @Test
    void one_that_orders_by_a_timestamp_sends_a_session_in_another_order_than_it_committed() throws SQLException {
        try (Connection older = begin()) {
            // now() is the time at which the transaction began.
            read(older, "select 1");
            append("anna", "committed first");
            insert(older, "anna", "committed second");
            older.commit();
        }
        send(read("select body from outbox where not sent order by created_at"));

        assertThat(broker).containsExactly("committed second", "committed first");
    }

    @Test
    void one_message_that_the_broker_refuses_stops_everything_or_is_overtaken() throws SQLException {
        append("anna", "poison");
        append("anna", "a2");
        append("bert", "b1");

        var stopping = new ArrayList<String>();
        for (String body : read("select body from outbox where not sent order by id")) {
            if (isRefused(body)) {
                break;
            }
            stopping.add(body);
        }
        var skipping = read("select body from outbox where not sent order by id").stream()
                .filter(Predicate.not(HandWrittenPollerTest::isRefused))
                .toList();

        assertThat(stopping).as("bert waits for anna's message").isEmpty();
        assertThat(skipping).as("anna's a2 has overtaken her first message").containsExactly("a2", "b1");
    }

    private static boolean isRefused(String body) {
        return body.equals("poison");
    }

    /** select … where id > last. */
    private final class LastIdPoller {
        private long last;

        void turn() throws SQLException {
            try (Connection connection = pool.getConnection();
                    var row = connection
                            .createStatement()
                            .executeQuery("select id, body from outbox where id > " + last + " order by id")) {
                while (row.next()) {
                    last = row.getLong(1);
                    broker.add(row.getString(2));
                }
            }
        }
    }

    private static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Crash(String when) {
            super(when);
        }
    }

    private void send(List<String> bodies) {
        broker.addAll(bodies);
    }

    private Connection begin() throws SQLException {
        Connection connection = pool.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    private void append(String session, String body) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            insert(connection, session, body);
        }
    }

    private static void insert(Connection connection, String session, String body) throws SQLException {
        try (var statement = connection.prepareStatement("insert into outbox (session, body) values (?, ?)")) {
            statement.setString(1, session);
            statement.setString(2, body);
            statement.executeUpdate();
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.createStatement().execute(sql);
        }
    }

    private List<String> read(String sql) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return read(connection, sql);
        }
    }

    private static List<String> read(Connection connection, String sql) throws SQLException {
        var bodies = new ArrayList<String>();
        try (var row = connection.createStatement().executeQuery(sql)) {
            while (row.next()) {
                bodies.add(row.getString(1));
            }
        }
        return bodies;
    }
}
