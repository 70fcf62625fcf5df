package dev.waybill.outbox;

import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Optional;
import java.util.UUID;

/** Bodies in a table beside the outbox, in the message's transaction. */
final class PostgresClaimStore implements ClaimStore {
    private final String insert;
    private final String select;
    private final String delete;

    PostgresClaimStore(SchemaName schema) {
        String table = schema.table("outbox_claim_body");
        insert = "insert into " + table + " (claim, body) values (?, ?)";
        select = "select body from " + table + " where claim = ?";
        delete = "delete from " + table + " where claim = any(?)";
    }

    @Override
    public void store(Connection tx, UUID claim, byte[] body) throws SQLException {
        try (PreparedStatement statement = tx.prepareStatement(insert)) {
            statement.setObject(1, claim);
            statement.setBytes(2, body);
            statement.executeUpdate();
        }
    }

    @Override
    public Optional<byte[]> load(Connection tx, UUID claim) throws SQLException {
        try (PreparedStatement statement = tx.prepareStatement(select)) {
            statement.setObject(1, claim);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.of(row.getBytes(1)) : Optional.empty();
            }
        }
    }

    @Override
    public void remove(Connection connection, Collection<UUID> claims) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(delete)) {
            statement.setArray(1, connection.createArrayOf("uuid", claims.toArray()));
            statement.executeUpdate();
        }
    }
}
