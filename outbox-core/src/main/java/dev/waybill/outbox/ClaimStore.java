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
 * Where bodies are kept that are too large for the broker. The message then carries a claim to its body
 * ({@link WireContract#CLAIM}) and is empty itself. Thread-safe.
 *
 * <p>A store outside the database takes no part in the transaction: what it has stored for a transaction that rolls back is
 * an orphan, which a rule of its own must remove. Failures are runtime exceptions, or those of the connection.
 */
public interface ClaimStore {
    /**
     * Keeps a body under a claim that is new.
     *
     * @param tx the transaction that appends the message, for stores that are in its database
     * @param body not to be changed
     */
    void store(Connection tx, UUID claim, byte[] body) throws SQLException;

    /**
     * The body of a claim.
     *
     * @param tx the transaction that handles the message, for stores that are in its database
     * @return empty if there is none, because it was removed or this is not the store it was given to
     */
    Optional<byte[]> load(Connection tx, UUID claim) throws SQLException;

    /**
     * Forgets bodies. Also called for claims whose bodies are gone, if an earlier call was cut short.
     *
     * @param connection the relay's, in auto-commit mode, for stores that are in its database; left in another mode, or in a
     *     transaction, it counts as a failure: what was done there is taken back, and the claims are removed again later
     */
    void remove(Connection connection, Collection<UUID> claims) throws SQLException;

    /** Bodies in Waybill's own tables, for consumers that share the database with the outbox. */
    static ClaimStore inPostgres(SchemaName schema) {
        return new PostgresClaimStore(schema);
    }

    /**
     * Bodies in Waybill's own tables in another database than the consumer's own.
     *
     * @param outbox connections to the database that holds the outbox; a pool of its own, since each is taken while a
     *     handler's transaction is open
     */
    static ClaimStore inPostgres(SchemaName schema, DataSource outbox) {
        return new RemoteClaimStore(inPostgres(schema), outbox);
    }
}
