package dev.waybill.jakarta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.outbox.NoTransactionException;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.outbox.WakeChannel;
import dev.waybill.schema.SchemaName;
import jakarta.transaction.Status;
import java.io.IOException;
import java.sql.Connection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.PGConnection;

/** {@code outbox.append(message)} in services whose transactions Narayana keeps. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class JakartaTransactionTest {
    private final List<Runnable> afterwards = new ArrayList<>();
    private NarayanaTransactions narayana;
    private SchemaName schema;
    private TestDatabase database;
    private Outbox outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        narayana = new NarayanaTransactions(database.dataSource());
        outbox = outbox(narayana.enlisted, afterwards::add);
        narayana.repository().execute("create table " + schema.table("booked") + " (id text)");
    }

    @AfterEach
    void nothing_is_left_in_the_thread() throws Exception {
        assertThat(narayana.manager.getStatus()).isEqualTo(Status.STATUS_NO_TRANSACTION);
        narayana.enlisted.close();
    }

    @Test
    void the_message_and_the_business_row_live_and_die_together() throws Exception {
        narayana.service(() -> book("m1"));
        assertThatThrownBy(() -> narayana.service(() -> {
                    book("m2");
                    throw new IOException("no such wallet");
                }))
                .isInstanceOf(IOException.class);

        assertThat(booked()).containsExactly("m1");
        assertThat(appended()).containsExactly("m1");
    }

    @Test
    void an_append_without_a_transaction_is_refused_and_leaves_nothing() {
        assertThatThrownBy(() -> outbox.append(message("m1")))
                .isInstanceOf(NoTransactionException.class)
                .hasMessageContaining("@Transactional");

        assertThat(appended()).isEmpty();
    }

    @Test
    void an_append_in_a_transaction_that_can_only_be_rolled_back_is_refused() throws Exception {
        narayana.manager.begin();
        try {
            narayana.manager.setRollbackOnly();
            assertThatThrownBy(() -> outbox.append(message("m1")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("rolled back");
        } finally {
            narayana.manager.rollback();
        }
    }

    @Test
    void a_data_source_that_the_manager_does_not_know_is_refused_in_either_commit_mode() throws Exception {
        for (boolean autoCommit : new boolean[] {true, false}) {
            var settings = new HikariConfig();
            settings.setJdbcUrl(database.server().jdbcUrl());
            settings.setAutoCommit(autoCommit);
            try (var pool = new HikariDataSource(settings)) {
                Outbox stray = outbox(pool, afterwards::add);
                assertThatThrownBy(() -> narayana.service(() -> {
                            stray.append(message("m1"));
                            return null;
                        }))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("not part of the thread's transaction");
            }
        }

        assertThat(appended()).isEmpty();
    }

    @Test
    void relays_are_told_of_a_commit_once_and_of_a_rollback_never() throws Exception {
        try (Connection listening = database.dataSource().getConnection()) {
            listening.createStatement().execute("listen " + WakeChannel.of(schema));
            narayana.service(() -> {
                book("m1");
                return book("m2");
            });
            assertThat(afterwards).hasSize(1);
            afterwards.forEach(Runnable::run);
            assertThatThrownBy(() -> narayana.service(() -> {
                        book("m3");
                        throw new IOException("no such wallet");
                    }))
                    .isInstanceOf(IOException.class);

            assertThat(afterwards).hasSize(1);
            assertThat(listening.unwrap(PGConnection.class).getNotifications(30_000))
                    .hasSize(1);
        }
    }

    @Test
    void an_executor_that_is_shut_down_costs_nobody_a_transaction() throws Exception {
        outbox = outbox(narayana.enlisted, task -> {
            throw new RejectedExecutionException("shut down");
        });

        narayana.service(() -> book("m1"));

        assertThat(appended()).containsExactly("m1");
    }

    @Test
    void a_scheduled_message_is_taken_back_with_the_transaction_or_not_at_all() throws Exception {
        var later = OutboxMessage.to("wallet-tx")
                .id("m1")
                .session("wallet-1")
                .text("x")
                .notBefore(Instant.parse("2100-01-01T00:00:00Z"))
                .build();
        narayana.service(() -> {
            outbox.append(later);
            return null;
        });

        assertThatThrownBy(() -> narayana.service(() -> {
                    assertThat(outbox.cancel("wallet-tx", "m1")).isTrue();
                    throw new IOException("after all not");
                }))
                .isInstanceOf(IOException.class);

        assertThat(narayana.service(() -> outbox.cancel("wallet-tx", "m1"))).isTrue();
        assertThat(narayana.service(() -> outbox.cancel("wallet-tx", "m1"))).isFalse();
    }

    @Test
    void a_transaction_to_many_destinations_takes_one_connection_to_tell_of_it() throws Exception {
        var tasks = new ArrayList<Runnable>();
        var told = new ArrayList<String>();
        var linked = Outbox.builder()
                .schema(schema)
                .transactions(JakartaTransaction.of(narayana.registry, narayana.enlisted)
                        .wakingOn(tasks::add))
                .relay(told::add)
                .build();

        narayana.service(() -> {
            for (int i = 0; i < 20; i++) {
                linked.append(OutboxMessage.to("d" + i % 5).id("m" + i).text("").build());
            }
            return true;
        });

        assertThat(tasks).hasSize(1);
        tasks.forEach(Runnable::run);
        assertThat(told).containsExactly("d0", "d1", "d2", "d3", "d4");
    }

    private Outbox outbox(DataSource enlisted, Executor executor) {
        return Outbox.builder()
                .schema(schema)
                .transactions(JakartaTransaction.of(narayana.registry, enlisted).wakingOn(executor))
                .build();
    }

    private boolean book(String id) {
        narayana.repository().execute("insert into " + schema.table("booked") + " values ({0})", DSL.val(id));
        outbox.append(message(id));
        return true;
    }

    private static OutboxMessage message(String id) {
        return OutboxMessage.to("wallet-tx")
                .id(id)
                .session("wallet-1")
                .text("x")
                .build();
    }

    private List<String> booked() {
        return ids("booked", "id");
    }

    private List<String> appended() {
        return ids("outbox_message", "message_id");
    }

    private List<String> ids(String table, String column) {
        DSLContext dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        return dsl.fetch("select " + column + " from " + schema.table(table) + " order by 1")
                .getValues(0, String.class);
    }
}
