package dev.waybill.outbox;

import static dev.waybill.schema.jooq.Tables.OUTBOX_MESSAGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Kinds of transactions that callers bring: the message shares the fate of the business row in all of them. */
@ExtendWith(PostgresExtension.class)
class CallersTransactionTest {
    private TestDatabase database;
    private SchemaName schema;
    private DSLContext observer;
    private Outbox outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        observer = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        observer.execute("create table " + schema.table("business") + " (id int)");
        outbox = Outbox.builder().schema(schema).build();
    }

    @Test
    void a_transaction_committed_in_two_phases_keeps_its_session_until_the_second() throws SQLException {
        assumeTrue(observer.fetchSingle("select current_setting('max_prepared_transactions')::int > 0")
                .get(0, Boolean.class));
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            business(connection);
            outbox.append(connection, message("m1"));
            outbox.append(connection, List.of(message("m2"), message("m3")));
            execute(connection, "prepare transaction '" + schema + "'");
            connection.commit();
            assertThat(rows()).isZero();
            assertThat(sessionIsFree()).isFalse();

            connection.setAutoCommit(true);
            execute(connection, "commit prepared '" + schema + "'");
        }
        assertThat(rows()).isEqualTo(3);
        assertThat(businessRows()).isOne();
        assertThat(sessionIsFree()).isTrue();
    }

    @Test
    void without_auto_commit_the_message_is_there_once_the_caller_commits() throws SQLException {
        try (var pool = poolWithoutAutoCommit();
                Connection connection = pool.getConnection()) {
            business(connection);
            outbox.append(connection, message("m1"));
            connection.commit();
        }
        assertThat(rows()).isOne();
        assertThat(businessRows()).isOne();
    }

    @Test
    void without_auto_commit_a_commit_that_is_forgotten_loses_the_message_only_with_the_business_rows()
            throws SQLException {
        try (var pool = poolWithoutAutoCommit();
                Connection connection = pool.getConnection()) {
            business(connection);
            outbox.append(connection, message("m1"));
        }
        assertThat(rows()).isZero();
        assertThat(businessRows()).isZero();
    }

    @Test
    void without_auto_commit_jooqs_transactions_work_and_what_is_outside_of_them_is_undone() {
        try (var pool = poolWithoutAutoCommit()) {
            DSLContext dsl = DSL.using(pool, SQLDialect.POSTGRES);
            dsl.transaction(tx -> outbox.append(tx.dsl(), message("inside")));
            outbox.append(dsl, message("outside"));
            dsl.execute("insert into " + schema.table("business") + " values (1)");
        }
        assertThat(rows()).isOne();
        assertThat(businessRows()).isZero();
    }

    private HikariDataSource poolWithoutAutoCommit() {
        var config = new HikariConfig();
        config.setJdbcUrl(database.server().jdbcUrl());
        config.setAutoCommit(false);
        config.setMaximumPoolSize(1);
        return new HikariDataSource(config);
    }

    private void business(Connection connection) throws SQLException {
        execute(connection, "insert into " + schema.table("business") + " values (1)");
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private boolean sessionIsFree() {
        return observer.transactionResult(tx -> SessionLocks.takeFree(tx.dsl(), "orders", List.of("s")))
                .contains("s");
    }

    private int rows() {
        return schema.in(observer).fetchCount(OUTBOX_MESSAGE);
    }

    private int businessRows() {
        return observer.fetchCount(DSL.table(schema.table("business")));
    }

    private static OutboxMessage message(String id) {
        return OutboxMessage.to("orders").id(id).session("s").text(id).build();
    }
}
