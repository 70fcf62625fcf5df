package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.lock.WorkerClock;
import dev.waybill.outbox.LocalRelay;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.outbox.WakeChannel;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/** A message that a handler appends through its transaction does not wait for a relay's own look. */
@ExtendWith(PostgresExtension.class)
class HandlersAppendTest {
    private final List<String> told = new ArrayList<>();
    private InboxFixture inbox;
    private Connection listener;

    @BeforeEach
    void create_the_tables_and_listen(TestDatabase database) throws SQLException {
        inbox = new InboxFixture(database);
        // Nobody waits: each message has the one that follows it.
        inbox.workerClock = new WorkerClock(inbox.clock::get, pause -> true);
        listener = database.dataSource().getConnection();
        listener.createStatement().execute("listen " + WakeChannel.of(inbox.schema));
    }

    @AfterEach
    void stop_listening() throws SQLException {
        listener.createStatement().execute("unlisten *");
        listener.unwrap(PGConnection.class).getNotifications();
        listener.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void the_relay_in_this_process_is_told_after_each_commit_and_nobody_is_notified(int batch) throws SQLException {
        Outbox outbox = outbox(destination -> told.add(destination + " of " + committed()));

        run(batch, (tx, message) -> {
            outbox.append(tx, to("orders", message.id()));
            return Verdict.done();
        });

        assertThat(told)
                .isEqualTo(batch == 1 ? List.of("orders of 1", "orders of 2", "orders of 3") : List.of("orders of 3"));
        assertThat(notifications()).isZero();
    }

    @Test
    void an_append_by_the_plain_connection_or_in_a_nested_transaction_is_told_once() {
        Outbox outbox = outbox(told::add);

        run(1, Handler.onConnection((tx, message) -> {
            outbox.append(tx, to("orders", message.id() + "a"));
            outbox.append(tx, to("orders", message.id() + "b"));
            return Verdict.done();
        }));
        assertThat(told).containsExactly("orders", "orders", "orders");

        run(1, (tx, message) -> {
            tx.transaction(nested -> outbox.append(nested.dsl(), to("audit", message.id() + "c")));
            return Verdict.done();
        });
        assertThat(told).endsWith("audit", "audit", "audit").hasSize(6);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void what_is_rolled_back_is_told_to_nobody(int batch) throws SQLException {
        Outbox outbox = outbox(told::add);

        run(batch, (tx, message) -> {
            outbox.append(tx, to(message.id(), message.id()));
            return message.id().equals("m1") ? Verdict.deadLetter("No", "planted") : Verdict.done();
        });

        assertThat(told).containsExactly("m0", "m2");
        assertThat(notifications()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void relays_in_other_processes_are_notified_when_the_connection_is_free(boolean local) throws SQLException {
        Outbox outbox = local
                ? outbox(destination -> false)
                : Outbox.builder().schema(inbox.schema).build();

        run(1, (tx, message) -> {
            outbox.append(tx, to("orders", message.id()));
            return Verdict.done();
        });

        assertThat(notifications()).isOne();
        assertThat(committed()).isEqualTo(3);
    }

    @Test
    void a_relay_that_fails_leaves_the_message_done() {
        var receiver = session();
        Outbox outbox = outbox(destination -> {
            throw new StackOverflowError("planted");
        });

        inbox.turn(receiver, (tx, message) -> {
                    outbox.append(tx, to("orders", message.id()));
                    return Verdict.done();
                })
                .run();

        assertThat(receiver.log()).containsExactly("complete m0", "complete m1", "complete m2", "close");
    }

    private void run(int batch, Handler handler) {
        inbox.turn(session(), handler, settings -> {
                    settings.batch = batch;
                    settings.retries = new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ZERO);
                })
                .run();
        inbox.dsl.execute("truncate " + inbox.schema.table("inbox_message"));
    }

    private Outbox outbox(LocalRelay relay) {
        return Outbox.builder().schema(inbox.schema).relay(relay).build();
    }

    private int committed() {
        return inbox.count("outbox_message");
    }

    private int notifications() throws SQLException {
        listener.createStatement().execute("select 1");
        return listener.unwrap(PGConnection.class).getNotifications().length;
    }

    private static OutboxMessage to(String destination, String id) {
        return OutboxMessage.to(destination).id(id).session("s").text("x").build();
    }

    private static ScriptedReceiver session() {
        return ScriptedReceiver.ofSession(
                new FakeMessage("m0", 1, 1), new FakeMessage("m1", 1, 2), new FakeMessage("m2", 1, 3));
    }
}
