package dev.waybill.outbox;

import static dev.waybill.schema.jooq.Tables.OUTBOX_MESSAGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.PGConnection;

/** Relays are told of commits, and only of commits, and nothing but their speed depends on it. */
@ExtendWith(PostgresExtension.class)
class WakeTest {
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger numbers = new AtomicInteger();
    private TestDatabase database;
    private SchemaName schema;
    private DSLContext observer;
    private Connection listener;
    private Outbox outbox;

    @BeforeEach
    void create_the_tables_and_listen(TestDatabase database) throws SQLException {
        this.database = database;
        schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        observer = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        outbox = outbox(nanos::get);
        listener = database.dataSource().getConnection();
        listener.createStatement().execute("listen " + WakeChannel.of(schema));
    }

    @AfterEach
    void stop_listening() throws SQLException {
        listener.createStatement().execute("unlisten *");
        listener.close();
    }

    @Test
    void relays_are_told_of_a_commit_with_appends() throws SQLException {
        outbox.inTransaction(tx -> {
            outbox.append(tx, next());
            assertThat(wakes()).as("before the commit").isZero();
        });

        assertThat(wakes()).isOne();
    }

    @Test
    void nobody_is_told_of_a_transaction_that_appends_nothing_or_rolls_back() throws SQLException {
        outbox.inTransaction(tx -> tx.execute("select 1"));
        assertThatThrownBy(() -> outbox.inTransaction(tx -> {
                    outbox.append(tx, next());
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        outbox.inTransaction(tx -> assertThatThrownBy(() -> tx.transaction(nested -> {
                    outbox.append(nested.dsl(), next());
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no"));

        assertThat(wakes()).isZero();
    }

    @Test
    void a_commit_that_the_database_refuses_tells_nobody() throws SQLException {
        observer.execute(
                "create table " + schema.table("unique_at_commit") + " (id int unique deferrable initially deferred)");
        assertThatThrownBy(() -> outbox.inTransaction(tx -> {
                    tx.execute("insert into " + schema.table("unique_at_commit") + " values (1), (1)");
                    outbox.append(tx, next());
                }))
                .hasStackTraceContaining("duplicate key");

        assertThat(wakes()).isZero();
    }

    @Test
    void commits_in_quick_succession_are_told_once() throws SQLException {
        for (int i = 0; i < 10; i++) {
            outbox.inTransaction(tx -> outbox.append(tx, next()));
        }
        assertThat(wakes()).isOne();

        nanos.addAndGet(WakeChannel.INTERVAL.toNanos());
        outbox.inTransaction(tx -> tx.transaction(nested -> outbox.append(nested.dsl(), next())));

        assertThat(wakes()).isOne();
    }

    @Test
    void an_outbox_that_does_not_notify_tells_nobody() throws SQLException {
        var silent = Outbox.builder(observer).schema(schema).notifying(false).build();

        silent.inTransaction(tx -> silent.append(tx, next()));
        try (Connection connection = database.dataSource().getConnection()) {
            silent.wake(connection);
        }

        assertThat(wakes()).isZero();
        assertThat(rows()).isOne();
    }

    /** The clock is asked after the commit and before the notification. */
    @Test
    void a_connection_that_breaks_at_the_notification_breaks_no_commit() {
        var clock = new LongSupplier() {
            private boolean first = true;

            @Override
            public long getAsLong() {
                if (!first) {
                    observer.execute(
                            "select pg_terminate_backend(l.pid) from pg_stat_activity l where application_name = '"
                                    + schema + "'");
                }
                first = false;
                return nanos.get();
            }
        };
        try (var pool = pool(true)) {
            var breaking = outbox(DSL.using(pool, SQLDialect.POSTGRES), clock);
            breaking.inTransaction(tx -> {
                tx.execute("set application_name = '" + schema + "'");
                breaking.append(tx, next());
            });
        }
        assertThat(rows()).isOne();
    }

    @Test
    void a_notification_that_the_database_refuses_fails_no_commit_and_leaves_the_connection_usable() {
        String app = schema + "_muted";
        observer.execute("create role " + app);
        observer.execute("grant all on schema " + schema + " to " + app);
        observer.execute("grant all on all tables in schema " + schema + " to " + app);
        observer.execute("grant all on all sequences in schema " + schema + " to " + app);
        observer.execute("revoke execute on function pg_notify(text, text) from public");
        try {
            for (boolean autoCommit : new boolean[] {true, false}) {
                try (var pool = pool(autoCommit)) {
                    pool.setMaximumPoolSize(1);
                    var muted = outbox(DSL.using(pool, SQLDialect.POSTGRES), nanos::get);
                    nanos.addAndGet(WakeChannel.INTERVAL.toNanos());
                    muted.inTransaction(tx -> {
                        tx.execute("set role " + app);
                        muted.append(tx, next());
                    });
                    muted.inTransaction(tx -> muted.append(tx, next()));
                }
            }
            assertThat(rows()).isEqualTo(4);
        } finally {
            observer.execute("grant execute on function pg_notify(text, text) to public");
            observer.execute("drop owned by " + app);
            observer.execute("drop role " + app);
        }
    }

    @Test
    void a_pool_without_auto_commit_is_told_of_and_gets_its_connections_back_outside_a_transaction()
            throws SQLException {
        try (var pool = pool(false)) {
            var pooled = Outbox.builder(pool).schema(schema).build();
            pooled.inTransaction(tx -> pooled.append(tx, next()));

            assertThat(wakes()).isOne();
            assertThat(rows()).isOne();
            assertThat(observer.fetchCount(
                            DSL.table("pg_stat_activity"),
                            DSL.condition("application_name = {0} and state <> 'idle'", DSL.inline(schema + "_pool"))))
                    .isZero();
        }
    }

    @Test
    void an_integration_wakes_relays_after_its_commit() throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            outbox.append(connection, next());
            connection.commit();
            outbox.wake(connection);
            assertThat(wakes()).isOne();
            connection.setAutoCommit(true);
            outbox.wake(connection);
            assertThat(wakes()).as("too soon").isZero();

            nanos.addAndGet(WakeChannel.INTERVAL.toNanos());
            outbox.wake(connection);
            assertThat(wakes()).isOne();
        }
    }

    @Test
    void a_wake_inside_a_transaction_does_not_commit_it() throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            outbox.append(connection, next());
            outbox.wake(connection);
            assertThat(wakes()).isZero();
            connection.rollback();
            assertThat(rows()).isZero();

            outbox.wake(connection);
            assertThat(wakes()).as("the place was kept for the next").isOne();
        }
    }

    @Test
    void a_wake_on_a_closed_connection_is_forgotten() throws SQLException {
        Connection connection = database.dataSource().getConnection();
        connection.close();

        outbox.wake(connection);

        assertThat(wakes()).isZero();
    }

    @Test
    void the_channel_of_the_longest_schema_name_fits_and_is_its_own() {
        String longest = "s".repeat(63);

        assertThat(WakeChannel.of(SchemaName.DEFAULT)).isEqualTo("waybill_waybill");
        assertThat(WakeChannel.of(new SchemaName(longest))).hasSize(63);
        assertThat(WakeChannel.of(new SchemaName(longest)))
                .isNotEqualTo(WakeChannel.of(new SchemaName("s".repeat(62))));
    }

    private Outbox outbox(LongSupplier clock) {
        return outbox(observer, clock);
    }

    private Outbox outbox(DSLContext dsl, LongSupplier clock) {
        return Outbox.builder(dsl).schema(schema).nanos(clock).build();
    }

    private HikariDataSource pool(boolean autoCommit) {
        var config = new HikariConfig();
        config.setJdbcUrl(database.server().jdbcUrl() + "&ApplicationName=" + schema + "_pool");
        config.setAutoCommit(autoCommit);
        config.setMaximumPoolSize(2);
        return new HikariDataSource(config);
    }

    private OutboxMessage next() {
        return OutboxMessage.to("orders")
                .id("m" + numbers.incrementAndGet())
                .session("s")
                .text("")
                .build();
    }

    private int rows() {
        return schema.in(observer).fetchCount(OUTBOX_MESSAGE);
    }

    // Notifications arrive in the order of commits: all that were sent before come before one that is sent now.
    private int wakes() throws SQLException {
        observer.execute("select pg_notify({0}, 'end')", DSL.inline(WakeChannel.of(schema)));
        int wakes = 0;
        while (true) {
            var notifications = List.of(listener.unwrap(PGConnection.class).getNotifications(10_000));
            assertThat(notifications).isNotEmpty();
            for (var notification : notifications) {
                if (notification.getParameter().equals("end")) {
                    return wakes;
                }
                wakes++;
            }
        }
    }
}
