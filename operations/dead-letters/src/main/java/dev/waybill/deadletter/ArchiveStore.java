package dev.waybill.deadletter;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Optional;

/**
 * A place outside the dead letters' rows for whole dead letters, each as a line of JSON. Its documents are as
 * private as live data. Thread-safe.
 *
 * <p>A store outside the database takes no part in the transaction: a document that it has stored for one that
 * rolls back is stored again under the same id. There is one such store for a schema at a time. Every call that
 * archives, restores, redacts, expires or erases is given the same one; a call that knows the table only leaves
 * the letters alone that have their documents elsewhere, and says so.
 */
public interface ArchiveStore {
    /**
     * Keeps a document; in place of one that is kept under the same id.
     *
     * @param tx the transaction that archives, for stores that are in its database
     * @param id of the dead letter
     */
    void store(Connection tx, long id, String document) throws SQLException;

    /** The document of a dead letter; empty if there is none. */
    Optional<String> load(Connection tx, long id) throws SQLException;

    /** Forgets documents. Also called for such as are gone, if an earlier call was cut short. */
    void remove(Connection tx, Collection<Long> ids) throws SQLException;
}
