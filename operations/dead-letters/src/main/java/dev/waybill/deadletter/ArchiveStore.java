package dev.waybill.deadletter;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Optional;

/**
 * A store outside the database for archived dead letters, each a document of one line of JSON. A document is as private as the
 * message was. Thread-safe.
 *
 * <p>A store takes no part in the transaction. A document of a transaction that rolls back is stored again later, under the same
 * id. Every call that archives, restores, redacts, expires or erases must be given the same store; a call without it leaves the
 * letters alone that have their documents there.
 */
public interface ArchiveStore {
    /** Stores a document, in place of one with the same id; {@code tx} is for stores in the same database. */
    void store(Connection tx, long id, String document) throws SQLException;

    Optional<String> load(Connection tx, long id) throws SQLException;

    /** Removes documents. Ids without a document are ignored: an earlier call may have been interrupted. */
    void remove(Connection tx, Collection<Long> ids) throws SQLException;
}
