package dev.waybill.outbox;

import static dev.waybill.schema.jooq.Tables.OUTBOX_MESSAGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.PGConnection;

/** A relay in the writer's process is told of commits by a call; others by a notification, if they are needed. */
@ExtendWith(PostgresExtension.class)
class CommitNotifierTest {
    private final List<String> told = new ArrayList<>();
    private ThreadBoundTransaction transactions;
    private SchemaName schema;
    private DSLContext observer;
    private Connection listener;

    @BeforeEach
    void create_the_tables_and_listen(TestDatabase database) throws SQLException {
        schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        observer = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        transactions = new ThreadBoundTransaction(database.dataSource());
        listener = database.dataSource().getConnection();
        listener.createStatement().execute("listen " + WakeChannel.of(schema));
    }

    @AfterEach
    void stop_listening() throws SQLException {
        listener.createStatement().execute("unlisten *");
        listener.unwrap(PGConnection.class).getNotifications();
        listener.close();
    }

    @Test
    void a_relay_that_publishes_everything_itself_is_told_of_each_commit_and_nobody_is_notified() throws SQLException {
        var outbox = outbox(relayOf("orders", "audit"));

        commit(outbox, "orders");
        commit(outbox, "orders");
        commit(outbox, "orders", "audit", "orders");

        assertThat(told).containsExactly("orders", "orders", "audit", "orders");
        assertThat(notifications()).isZero();
    }

    @Test
    void others_are_notified_of_one_destination_that_they_share_and_the_relay_is_told_of_all() throws SQLException {
        var outbox = outbox(relayOf("orders"));

        commit(outbox, "shared", "orders", "shared-too");

        assertThat(told).containsExactlyInAnyOrder("shared", "orders", "shared-too");
        assertThat(notifications()).isOne();
    }

    @Test
    void a_relay_that_fails_fails_no_commit_and_others_are_notified() throws SQLException {
        commit(
                outbox(destination -> {
                    throw new IllegalStateException("planted");
                }),
                "orders");
        assertThat(notifications()).isOne();

        commit(
                outbox(destination -> {
                    throw new NoClassDefFoundError("planted");
                }),
                "orders");
        assertThat(notifications()).isOne();
        commit(outbox(destination -> CommitNotifierTest.<RuntimeException>fail(new IOException("planted"))), "orders");
        assertThat(notifications()).isOne();
        assertThat(rows()).isEqualTo(3);
    }

    // As a function of Kotlin may.
    @SuppressWarnings("unchecked")
    private static <E extends Exception> boolean fail(Exception checked) throws E {
        throw (E) checked;
    }

    @Test
    void destinations_without_end_take_no_memory_without_end() {
        var notifier = new CommitNotifier(relayOf(), null);
        int many = 2 * CommitNotifier.MOST_DESTINATIONS;
        Set<CurrentTransaction.AfterCommit> actions = Collections.newSetFromMap(new IdentityHashMap<>());

        for (int i = 0; i < many; i++) {
            actions.addAll(notifier.actions(List.of(message("d" + i))));
        }

        assertThat(actions).hasSize(CommitNotifier.MOST_DESTINATIONS + 1);
    }

    @Test
    void a_transaction_that_rolls_back_tells_nobody() throws SQLException {
        var outbox = outbox(relayOf("orders"));

        assertThatThrownBy(() -> outbox.inTransaction(tx -> {
                    outbox.append(tx, message("orders"));
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");

        assertThat(told).isEmpty();
        assertThat(notifications()).isZero();
    }

    @Test
    void the_relay_is_told_without_notifications_too() throws SQLException {
        var outbox = builder(relayOf()).notifying(false).build();

        commit(outbox, "orders");

        assertThat(told).containsExactly("orders");
        assertThat(notifications()).isZero();
    }

    @Test
    void a_commit_of_the_threads_transaction_tells_the_relay_once_of_each_destination() throws SQLException {
        var outbox = outbox(relayOf("orders", "audit"));

        transactions.inTransaction(() -> {
            outbox.append(message("orders"));
            outbox.append(List.of(message("audit"), message("orders")));
            assertThat(told).as("before the commit").isEmpty();
        });
        assertThat(told).containsExactlyInAnyOrder("orders", "audit");
        assertThat(notifications()).isZero();

        Iterator<OutboxMessage> once =
                List.of(message("orders"), message("shared")).iterator();
        transactions.inTransaction(() -> outbox.append(new AbstractCollection<>() {
            @Override
            public Iterator<OutboxMessage> iterator() {
                return once;
            }

            @Override
            public int size() {
                return 2;
            }
        }));
        assertThat(notifications()).isOne();
    }

    /** @param alone where it publishes everything */
    private LocalRelay relayOf(String... alone) {
        return destination -> {
            told.add(destination);
            return Set.of(alone).contains(destination);
        };
    }

    private Outbox outbox(LocalRelay relay) {
        return builder(relay).build();
    }

    private Outbox.Builder builder(LocalRelay relay) {
        return Outbox.builder(observer).schema(schema).relay(relay).transactions(transactions);
    }

    private void commit(Outbox outbox, String... destinations) {
        outbox.inTransaction(tx ->
                outbox.append(tx, Stream.of(destinations).map(this::message).toList()));
    }

    private OutboxMessage message(String destination) {
        return OutboxMessage.to(destination).id("m").session("s").text("").build();
    }

    private int rows() {
        return schema.in(observer).fetchCount(OUTBOX_MESSAGE);
    }

    // Notifications arrive in the order of commits: all that were sent before come before one that is sent now.
    private int notifications() throws SQLException {
        observer.execute("select pg_notify({0}, 'end')", DSL.inline(WakeChannel.of(schema)));
        int count = 0;
        while (true) {
            var received = listener.unwrap(PGConnection.class).getNotifications(10_000);
            assertThat(received).isNotEmpty();
            for (var notification : received) {
                if (notification.getParameter().equals("end")) {
                    return count;
                }
                count++;
            }
        }
    }
}
