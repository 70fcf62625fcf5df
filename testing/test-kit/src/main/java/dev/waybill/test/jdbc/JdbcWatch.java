package dev.waybill.test.jdbc;

import java.sql.SQLException;

/** Is called at every step on the connections of a {@link WatchedDataSource}, in the thread that takes it. Thread-safe. */
public interface JdbcWatch {
    /** Called before a connection is handed out; an exception replaces it. */
    default void opening() throws SQLException {}

    default void opened(Session session) {}

    /** Called before a step; an exception replaces it. */
    default void before(Session session, Step step) throws SQLException {}

    /** Called after a step; an exception replaces its result. */
    default void after(Session session, Step step) throws SQLException {}
}
