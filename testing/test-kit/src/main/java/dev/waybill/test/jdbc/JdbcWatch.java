package dev.waybill.test.jdbc;

import java.sql.SQLException;

/**
 * Hears of every step on the connections of a {@link WatchedDataSource}, in the thread that takes it. Thread-safe.
 */
public interface JdbcWatch {
    /**
     * Somebody asks for a connection.
     *
     * @throws SQLException instead of the connection
     */
    default void opening() throws SQLException {}

    /** A connection was handed out. */
    default void opened(Session session) {}

    /**
     * A step is about to be taken.
     *
     * @throws SQLException instead of the step, which is then not taken
     */
    default void before(Session session, Step step) throws SQLException {}

    /**
     * A step was taken.
     *
     * @throws SQLException instead of its answer
     */
    default void after(Session session, Step step) throws SQLException {}
}
