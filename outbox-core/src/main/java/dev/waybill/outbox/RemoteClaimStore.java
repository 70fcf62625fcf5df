package dev.waybill.outbox;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** Loads bodies from the outbox's database, for a consumer with another one. */
record RemoteClaimStore(ClaimStore store, DataSource outbox) implements ClaimStore {
    @Override
    public void store(Connection tx, UUID claim, byte[] body) throws SQLException {
        store.store(tx, claim, body);
    }

    @Override
    public Optional<byte[]> load(Connection tx, UUID claim) throws SQLException {
        try (Connection connection = outbox.getConnection()) {
            return store.load(connection, claim);
        }
    }

    @Override
    public void remove(Connection connection, Collection<UUID> claims) throws SQLException {
        store.remove(connection, claims);
    }
}
