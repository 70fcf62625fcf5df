package dev.waybill.peers;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;

/** One way to publish what a transaction has written. */
interface Side extends AutoCloseable {
    String name();

    /** Writes a message in the caller's transaction. */
    void append(Connection tx, String id, String key, byte[] body) throws SQLException;

    /** Starts to publish, and reports the id of each message that is published. */
    void start(Consumer<String> published) throws Exception;

    /** Called after each commit; for sides that can be notified. */
    default void committed() {}

    /** Stops to publish. May be called again. */
    @Override
    void close() throws Exception;
}
