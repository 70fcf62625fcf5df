package dev.waybill.proof.check;

import dev.waybill.proof.database.Servers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Whether all money is there: on accounts, or under way in a message without effect. */
public final class Money {
    // One statement sees one moment. What a message without a transaction has credited is another promise, and another
    // finding.
    private static final String SUM = """
            select (select sum(balance) from account)
                 + (select coalesce(sum(cents), 0) from truth
                    where not exists (select from effect where effect.id = truth.id and consumer = 'ledger'))
                 - (select coalesce(sum(cents), 0) from effect
                    where consumer = 'ledger' and not exists (select from truth where truth.id = effect.id))
            """;

    private Money() {}

    /** What is wrong, if anything is. */
    public static Optional<String> wrong(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(SUM)) {
            rows.next();
            long difference = rows.getLong(1) - Servers.BANKS * Servers.CAPITAL;
            return difference == 0 ? Optional.empty() : Optional.of(difference + " cents too many");
        }
    }
}
