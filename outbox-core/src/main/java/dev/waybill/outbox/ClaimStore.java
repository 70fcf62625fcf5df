package dev.waybill.outbox;

import dev.waybill.message.WireContract;
import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Stores bodies that are too large for the broker. The message has an empty body and a claim, {@link WireContract#CLAIM}.
 * Thread-safe.
 *
 * <p>A store outside the database does not take part in the transaction. After a rollback it keeps an orphan, which needs a
 * retention rule of the store. Methods may throw runtime exceptions.
 */
public interface ClaimStore {
    /**
     * Stores a body under a new claim.
     *
     * @param tx the appending transaction, for stores in its database
     * @param body must not be changed
     */
    void store(Connection tx, UUID claim, byte[] body) throws SQLException;

    /**
     * Loads a body; empty if the store does not have this claim. {@code tx} is the handling transaction, for stores in its
     * database.
     */
    Optional<byte[]> load(Connection tx, UUID claim) throws SQLException;

    /**
     * Removes bodies. Claims may be gone already, after an interrupted call.
     *
     * @param connection the relay's, in auto-commit mode, for stores in its database. If it comes back in a transaction or
     * without auto-commit, the call has failed: the relay rolls back and removes the claims again later
     */
    void remove(Connection connection, Collection<UUID> claims) throws SQLException;

    /** Bodies in Waybill's tables, for consumers that share the outbox's database. */
    static ClaimStore inPostgres(SchemaName schema) {
        return new PostgresClaimStore(schema);
    }

    /**
     * Bodies in Waybill's tables, for consumers with another database. {@code outbox} is a separate pool for the outbox's
     * database: a call needs a connection while a handler's transaction is open.
     */
    static ClaimStore inPostgres(SchemaName schema, DataSource outbox) {
        return new RemoteClaimStore(inPostgres(schema), outbox);
    }
}
