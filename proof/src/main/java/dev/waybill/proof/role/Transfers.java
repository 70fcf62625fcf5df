package dev.waybill.proof.role;

import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.proof.database.Servers;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** One writer's transactions, each of a style by lot. Not thread-safe. */
final class Transfers {
    /** Where the money comes from. */
    static final int BANKS = Servers.BANKS - 1;

    private static final int LARGEST_BURST = 60;

    private static final String RECORD = """
            with place as (
                insert into truth_place (session, n) values (?, 1)
                on conflict (session) do update set n = truth_place.n + 1 returning n)
            insert into truth (id, session, n, cents, style, notified) select ?, ?, n, ?, ?, ? from place
            """;

    private final DataSource pool;
    private final Outbox outbox;
    private final String name;
    private final long sessions;
    private final SplittableRandom random;
    private int count;

    Transfers(DataSource pool, String name, long sessions, SplittableRandom random) {
        this.pool = pool;
        this.outbox = Outbox.of(pool);
        this.name = name;
        this.sessions = sessions;
        this.random = random;
    }

    /** One transaction, committed or not. */
    void next() throws SQLException {
        switch (random.nextInt(24)) {
            case 0 -> rolledBack();
            case 1, 2 -> withSavepoint();
            case 3 -> prepared();
            case 4 -> openFor(random.nextInt(600));
            case 5, 6 -> severalSessions();
            case 7, 8, 9, 10 -> burst();
            case 11, 12 -> bySql();
            case 13, 14, 15 -> byJooq();
            case 16, 17, 18 -> outbox.inJdbcTransaction(tx -> transfer(tx, transfer(), "in-transaction"));
            default -> inTransaction(tx -> transfer(tx, transfer(), "jdbc"));
        }
    }

    private void rolledBack() throws SQLException {
        try (var tx = begin()) {
            transfer(tx, transfer(), "rolled-back");
            tx.rollback();
        }
    }

    private void withSavepoint() throws SQLException {
        inTransaction(tx -> {
            var savepoint = tx.setSavepoint();
            transfer(tx, transfer(), "undone");
            tx.rollback(savepoint);
            transfer(tx, transfer(), "savepoint");
        });
    }

    private void openFor(int millis) throws SQLException {
        inTransaction(tx -> {
            transfer(tx, transfer(), "open");
            LockSupport.parkNanos(millis * 1_000_000L);
        });
    }

    private void severalSessions() throws SQLException {
        var accounts = new TreeSet<String>();
        while (accounts.size() < Math.min(3, sessions)) {
            accounts.add(account());
        }
        inTransaction(tx -> {
            List<Transfer> transfers = accounts.stream().map(this::transferTo).toList();
            outbox.append(tx, transfers.stream().map(Transfers::message).toList());
            for (Transfer transfer : transfers) {
                book(tx, transfer, "several");
            }
        });
    }

    private void burst() throws SQLException {
        String account = account();
        List<Transfer> transfers = Stream.generate(() -> transferTo(account))
                .limit(random.nextInt(2, LARGEST_BURST))
                .toList();
        inTransaction(tx -> {
            outbox.append(tx, transfers.stream().map(Transfers::message).toList());
            book(tx, transfers, "burst", "bank-" + random.nextInt(BANKS));
        });
    }

    private void bySql() throws SQLException {
        inTransaction(tx -> {
            Transfer transfer = transfer();
            try (var statement =
                    tx.prepareStatement("select waybill.outbox_append(?, ?, ?, ?, null, 'text/plain', null,"
                            + " jsonb_build_object('notify', ?::bigint))")) {
                statement.setString(1, Terms.DESTINATION);
                statement.setString(2, transfer.account());
                statement.setString(3, transfer.id());
                statement.setBytes(4, transfer.body().getBytes(StandardCharsets.UTF_8));
                statement.setLong(5, notify(transfer));
                statement.execute();
            }
            LockSupport.parkNanos(random.nextInt(4_000_000));
            book(tx, transfer, "sql");
        });
    }

    private void byJooq() {
        DSL.using(pool, SQLDialect.POSTGRES).transaction(tx -> {
            Transfer transfer = transfer();
            outbox.append(tx.dsl(), message(transfer));
            tx.dsl().connection(connection -> book(connection, transfer, "jooq"));
        });
    }

    // A process that dies between the two phases leaves the transaction to the operator.
    private void prepared() throws SQLException {
        String id = "proof-" + name + "-" + count;
        try (var tx = begin()) {
            transfer(tx, transfer(), "prepared");
            execute(tx, "prepare transaction '" + id + "'");
            tx.commit();
            tx.setAutoCommit(true);
            LockSupport.parkNanos(random.nextInt(50) * 1_000_000L);
            execute(tx, (random.nextInt(8) == 0 ? "rollback" : "commit") + " prepared '" + id + "'");
        }
    }

    private void inTransaction(Work work) throws SQLException {
        try (var tx = begin()) {
            work.in(tx);
            tx.commit();
        }
    }

    private Connection begin() throws SQLException {
        Connection connection = pool.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    private void transfer(Connection tx, Transfer transfer, String style) throws SQLException {
        outbox.append(tx, message(transfer));
        book(tx, transfer, style);
    }

    // Behind the append: if two transactions of a session could append side by side, the truth would show it.
    private void book(Connection tx, Transfer transfer, String style) throws SQLException {
        book(tx, transfer, style, "bank-" + random.nextInt(BANKS));
    }

    static void book(Connection tx, Transfer transfer, String style, String bank) throws SQLException {
        book(tx, List.of(transfer), style, bank);
    }

    private static void book(Connection tx, List<Transfer> transfers, String style, String bank) throws SQLException {
        try (var statement = tx.prepareStatement("update account set balance = balance - ? where id = ?")) {
            statement.setLong(1, transfers.stream().mapToLong(Transfer::cents).sum());
            statement.setString(2, bank);
            statement.executeUpdate();
        }
        try (var statement = tx.prepareStatement(RECORD)) {
            for (Transfer transfer : transfers) {
                statement.setString(1, transfer.account());
                statement.setString(2, transfer.id());
                statement.setString(3, transfer.account());
                statement.setLong(4, transfer.cents());
                statement.setString(5, style);
                statement.setBoolean(6, Notified.isNotified(transfer.id()));
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    static OutboxMessage message(Transfer transfer) {
        return OutboxMessage.to(Terms.DESTINATION)
                .session(transfer.account())
                .id(transfer.id())
                .header("notify", notify(transfer))
                .text(transfer.body())
                .build();
    }

    private static long notify(Transfer transfer) {
        return Notified.isNotified(transfer.id()) ? 1 : 0;
    }

    private Transfer transfer() {
        return transferTo(account());
    }

    private Transfer transferTo(String account) {
        return new Transfer("t-" + name + "-" + count++, account, random.nextInt(1, 10_000));
    }

    private String account() {
        return "acc-" + random.nextLong(sessions);
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private interface Work {
        void in(Connection tx) throws SQLException;
    }
}
