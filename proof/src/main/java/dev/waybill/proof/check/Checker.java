package dev.waybill.proof.check;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.PGConnection;

/** Judges by the tables of the business and by what the witness saw. It knows nothing of Waybill but the names of its tables. */
public final class Checker {
    private static final int EXAMPLES = 20;

    private final Connection connection;
    private final boolean committedWorkWasLost;

    /**
     * On a database that rests.
     *
     * @param committedWorkWasLost whether a promotion lost transactions whose messages may have been seen
     */
    public Checker(Connection connection, boolean committedWorkWasLost) {
        this.connection = connection;
        this.committedWorkWasLost = committedWorkWasLost;
    }

    /** Whether each message has its effects; for whoever waits for the end. */
    public static boolean isFinished(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(Queries.unfinished())) {
            rows.next();
            return !rows.getBoolean(1);
        }
    }

    /** Loads what a witness saw. */
    public void load(Path arrivals) throws SQLException, IOException {
        try (Reader in = Files.newBufferedReader(arrivals)) {
            connection.unwrap(PGConnection.class).getCopyAPI().copyIn("copy arrival from stdin", in);
        }
    }

    /** All checks of the end. */
    public List<Finding> check() throws SQLException {
        execute("create index if not exists arrival_id on arrival (id)");
        execute("analyze");
        var findings = new ArrayList<Finding>();
        findings.add(find("every committed message arrived", Queries.NOT_ARRIVED));
        for (String consumer : List.of("ledger", "audit", "notify")) {
            findings.add(find("every message has its effect: " + consumer, Queries.noEffect(consumer)));
        }
        findings.add(find("no effect happened twice", Queries.TWICE));
        findings.add(phantoms("no message of a rolled back transaction arrived", Queries.PHANTOM_ARRIVALS));
        findings.add(phantoms("no effect of a rolled back transaction", Queries.PHANTOM_EFFECTS));
        findings.add(find("each session arrived in the order of its commits", Queries.ARRIVALS_OUT_OF_ORDER));
        findings.add(find("the ledger's effects are in the order of commits", Queries.outOfOrder("ledger")));
        findings.add(find("the audit's effects are in order, dead letters apart", Queries.outOfOrder("audit")));
        findings.add(find("the outbox is empty, nothing is held", Queries.LEFT));
        findings.add(find("no dead letter is left", Queries.LETTERS));
        findings.add(find("the audit has each deed of the operator", Queries.NOT_AUDITED));
        var sum = Money.wrong(connection);
        findings.add(new Finding(
                "all money is there", sum.isPresent() ? 1 : 0, sum.stream().toList()));
        return findings;
    }

    // After a loss the database has no memory of what was committed, and the broker has.
    private Finding phantoms(String check, String query) throws SQLException {
        Finding found = find(check, query);
        return committedWorkWasLost
                ? new Finding(check + " (" + found.count() + " of transactions that a promotion lost)", 0, List.of())
                : found;
    }

    private Finding find(String check, String query) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(
                        "select count(*) over (), found.* from (" + query + ") found limit " + EXAMPLES)) {
            long count = 0;
            var examples = new ArrayList<String>();
            while (rows.next()) {
                count = rows.getLong(1);
                examples.add(rows.getString(2));
            }
            return new Finding(check, count, examples);
        }
    }

    private void execute(String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
