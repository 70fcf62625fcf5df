package dev.waybill.inbox.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.ConsumerListener;
import dev.waybill.inbox.FailureKind;
import dev.waybill.inbox.FakeMessage;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.InboxFixture;
import dev.waybill.inbox.ScriptedReceiver;
import dev.waybill.inbox.Verdict;
import dev.waybill.inbox.connect.Database;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The events that a consumer records of messages that do not go the straight way. */
@ExtendWith(PostgresExtension.class)
class MessageEventsTest {
    private InboxFixture inbox;
    private @Nullable MessageEvents events;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        inbox = new InboxFixture(database);
    }

    @Test
    void a_plain_message_writes_no_event_and_asks_nothing_for_it() {
        var statements = Collections.synchronizedList(new ArrayList<String>());
        InboxFixture watched = inbox.on(watched(inbox.dataSource, statements));
        run(watched, inbox::effect, FakeMessage.of("m1"), FakeMessage.of("m2"));
        long before =
                statements.stream().filter(sql -> sql.contains("inbox_message")).count();
        assertThat(before).isPositive();
        flush();

        assertThat(statements).noneMatch(sql -> sql.contains("message_event"));
        assertThat(inbox.count("message_event")).isZero();
        assertThat(inbox.effects()).containsExactly("m1", "m2");
    }

    @Test
    void duplicates_failures_and_dead_letters_are_written_with_how_often_and_why() {
        run(inbox, inbox::effect, new FakeMessage("m1", 1, 1));
        run(inbox, inbox::effect, new FakeMessage("m1", 2, 1));
        flush();
        var tries = new int[1];
        Handler third = (tx, message) -> {
            if (++tries[0] < 4) {
                throw new IllegalStateException("not yet");
            }
            return Verdict.deadLetter("Bad", "never");
        };
        run(inbox, third, new FakeMessage("m2", 3, 2));
        flush();

        assertThat(rows())
                .extracting(
                        row -> row.get("event"),
                        row -> row.get("message_id"),
                        row -> row.get("scope"),
                        row -> row.get("times"),
                        row -> row.get("reason"),
                        row -> row.get("origin_position"))
                .containsExactly(
                        tuple("duplicate", "m1", "test", 1, null, 1L),
                        tuple("failed", "m2", "test", 3, "java.lang.IllegalStateException", 2L),
                        tuple("dead-lettered", "m2", "test", 1, "Bad", 2L));
        assertThat(rows().get(1).get("description", String.class)).contains("not yet", "MessageEventsTest");
        assertThat(rows().get(1).get("since")).isNotNull();
        assertThat(inbox.dsl.fetchValue("select bool_and(at <= clock_timestamp() and at > clock_timestamp() - interval"
                        + " '1 minute' and coalesce(since, at) <= at) from " + inbox.schema.table("message_event")))
                .isEqualTo(true);
    }

    @Test
    void the_row_that_a_handler_could_not_insert_is_not_written_and_its_constraint_is() {
        inbox.dsl.execute(
                "alter table " + inbox.schema.table("effect") + " add constraint never_that check (id <> 'm1')");

        run(inbox, inbox::effect, new FakeMessage("m1", 1, 1));
        flush();

        assertThat(rows())
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row.get("description", String.class))
                        .contains("never_that", "23514")
                        .doesNotContain("Failing row"));
    }

    @Test
    void what_no_column_takes_is_replaced_and_what_is_too_long_is_cut() {
        String half = "half \uD83D and nul \0 ";
        Handler refuse = (tx, message) -> Verdict.deadLetter(half + "r".repeat(1_000), half + "d".repeat(10_000));
        run(inbox, refuse, new FakeMessage(half, 1, 1), new FakeMessage("i".repeat(5_000), 1, 2));
        flush();

        assertThat(rows())
                .extracting(row -> row.get("event"))
                .containsExactly("failed", "dead-lettered", "dead-lettered");
        assertThat(rows().get(1).get("message_id")).isEqualTo("half \uFFFD and nul \uFFFD ");
        Record refused = rows().get(2);
        assertThat(refused.get("message_id", String.class)).hasSize(5_000);
        assertThat(refused.get("reason", String.class))
                .startsWith("half \uFFFD")
                .hasSizeLessThanOrEqualTo(300);
        assertThat(refused.get("description", String.class))
                .startsWith("half \uFFFD")
                .hasSize(2_000);
    }

    @Test
    void a_table_that_cannot_be_written_fails_no_message() {
        inbox.dsl.execute("drop table " + inbox.schema.table("message_event"));
        var receiver = ScriptedReceiver.ofSession(new FakeMessage("m1", 1, 1), new FakeMessage("m1", 2, 1));

        run(inbox, inbox::effect, receiver);
        flush();

        assertThat(receiver.log()).contains("complete m1");
        assertThat(inbox.effects()).containsExactly("m1");
    }

    @Test
    void what_happens_while_the_database_is_gone_is_written_when_it_is_back_and_no_more_than_fits() {
        var gone = new AtomicBoolean(true);
        MessageEvents own = MessageEvents.before(
                ConsumerListener.SILENT,
                new EventInsert(new Database(gone(inbox.dataSource, gone)), inbox.schema, "test", "orders"),
                System::nanoTime);
        for (int i = 0; i < MessageEvents.MOST + 10; i++) {
            own.failed(new FakeMessage("m" + i, 1, i), new IllegalStateException("no"), FailureKind.UNKNOWN);
            if (i == 10) {
                own.flush();
            }
        }
        own.flush();
        own.failed(new FakeMessage("m0", 1, 0), new IllegalStateException("no"), FailureKind.UNKNOWN);
        assertThat(inbox.count("message_event")).isZero();
        gone.set(false);
        own.flush();

        assertThat(inbox.count("message_event")).isEqualTo(MessageEvents.MOST);
        assertThat(rows())
                .filteredOn(row -> row.get("message_id").equals("m0"))
                .singleElement()
                .satisfies(row -> assertThat(row.get("times")).isEqualTo(2));
    }

    @Test
    void the_ring_forgets_whole_partitions_before_it_comes_round_and_by_age() {
        String table = inbox.schema.table("message_event");
        write(0, Duration.ZERO);
        write(1, Duration.ZERO);
        write(3, Duration.ZERO);
        assertThat(trim()).as("the one behind the last").isEqualTo(1);
        assertThat(partitions()).containsExactly("1", "3");

        inbox.dsl.execute("truncate " + table);
        write(4, Duration.ofDays(8));
        assertThat(trim()).isZero();
        assertThat(sequence()).as("a week is over").isEqualTo(5 << 17);
        assertThat(trim()).isZero();
        assertThat(partitions()).containsExactly("4");
        inbox.dsl.execute("update " + table + " set at = at - interval '21 days'");
        assertThat(trim()).isEqualTo(1);
        assertThat(inbox.count("message_event")).isZero();
    }

    private void write(int lap, Duration age) {
        inbox.dsl.execute(
                "select setval('" + inbox.schema.table("message_event_seq") + "', {0})",
                DSL.val(((long) lap << 17) + 7));
        inbox.dsl.execute(
                "insert into " + inbox.schema.table("message_event") + " (side, scope, event, message_id, at)"
                        + " values ('inbox', 'test', 'failed', {0}, clock_timestamp() - {1} * interval '1 second')",
                DSL.val("" + lap),
                DSL.val(age.toSeconds()));
    }

    private int trim() {
        return inbox.dsl
                .fetchSingle("select " + inbox.schema.table("message_event_trim") + "()")
                .get(0, Integer.class);
    }

    private long sequence() {
        return inbox.dsl
                .fetchSingle("select last_value from " + inbox.schema.table("message_event_seq"))
                .get(0, Long.class);
    }

    private List<String> partitions() {
        return rows().stream().map(row -> row.get("message_id", String.class)).toList();
    }

    private List<? extends Record> rows() {
        return inbox.dsl.fetch("select * from " + inbox.schema.table("message_event") + " order by id");
    }

    private void run(InboxFixture on, Handler handler, InboundMessage... messages) {
        run(on, handler, ScriptedReceiver.ofSession(messages));
    }

    private void run(InboxFixture on, Handler handler, ScriptedReceiver receiver) {
        var turn = on.turn(receiver, handler);
        turn.run();
        events = turn.parts().events();
    }

    private void flush() {
        MessageEvents own = events;
        assertThat(own).isNotNull();
        own.flush();
    }

    private static DataSource watched(DataSource pool, List<String> statements) {
        return (DataSource) Proxy.newProxyInstance(
                MessageEventsTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> method.getName().equals("getConnection")
                        ? watched(pool.getConnection(), statements)
                        : method.invoke(pool, arguments));
    }

    private static Connection watched(Connection connection, List<String> statements) {
        return (Connection) Proxy.newProxyInstance(
                MessageEventsTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")) {
                        statements.add((String) arguments[0]);
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static DataSource gone(DataSource pool, AtomicBoolean gone) {
        return (DataSource) Proxy.newProxyInstance(
                MessageEventsTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> {
                    if (gone.get()) {
                        throw new SQLException("gone", "08006");
                    }
                    return method.invoke(pool, arguments);
                });
    }
}
