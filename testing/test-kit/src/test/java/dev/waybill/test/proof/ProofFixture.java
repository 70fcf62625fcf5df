package dev.waybill.test.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.Verdict;
import dev.waybill.test.TestMessage;
import dev.waybill.test.WaybillExtension;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/** Wallets, and debits that are booked in them. */
final class ProofFixture {
    static final String BOOK = "insert into entry (id, wallet, cents) values ({0}, {1}, {2})";

    private ProofFixture() {}

    static WaybillExtension extension() {
        return new WaybillExtension()
                .tables(
                        "create table wallet (id text primary key, cents bigint not null)",
                        "create table entry (nr bigint generated always as identity primary key, id text not null,"
                                + " wallet text not null references wallet, cents bigint not null,"
                                + " booked_at timestamptz not null default now())",
                        "create table note (entry bigint not null references entry, text text not null)",
                        "create table total (cents bigint not null)",
                        "insert into wallet values ('w1', 1000), ('w2', 500)",
                        "insert into total values (0)");
    }

    static HandlerProof proof(DataSource dataSource, Handler handler) {
        return HandlerProof.of(dataSource, handler).messages(messages());
    }

    static HandlerProof restarting(DataSource dataSource, Function<DataSource, Handler> handlers) {
        return HandlerProof.restarting(dataSource, handlers).messages(messages());
    }

    static List<TestMessage> messages() {
        return List.of(debit("d1", "w1", 100), debit("d3", "w2", 10));
    }

    static TestMessage debit(String id, String wallet, int cents) {
        return TestMessage.of(id).session(wallet).text("" + cents).build();
    }

    static Verdict booking(DSLContext tx, InboundMessage message) {
        book(tx, message);
        return Verdict.done();
    }

    static void book(DSLContext tx, InboundMessage message) {
        tx.execute(BOOK, DSL.val(message.id()), DSL.val(wallet(message)), DSL.val(cents(message)));
        tx.execute(
                "update wallet set cents = cents - {0} where id = {1}",
                DSL.val(cents(message)), DSL.val(wallet(message)));
    }

    static void requiresNew(DataSource dataSource, InboundMessage message) throws SQLException {
        try (Connection own = dataSource.getConnection()) {
            own.setAutoCommit(false);
            insert(own, message);
            own.commit();
            own.setAutoCommit(true);
        }
    }

    static void insert(Connection connection, InboundMessage message) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("insert into entry (id, wallet, cents) values (?, ?, ?)")) {
            insert.setString(1, message.id());
            insert.setString(2, wallet(message));
            insert.setLong(3, cents(message));
            insert.executeUpdate();
        }
    }

    static String wallet(InboundMessage message) {
        return message.session().orElseThrow();
    }

    static long cents(InboundMessage message) {
        return Long.parseLong(message.text());
    }

    static void assertNamed(ProofReport report, FaultKind kind, String... words) {
        assertThat(report.has(kind)).as(report.toString()).isTrue();
        assertThat(report.toString()).contains(words);
    }
}
