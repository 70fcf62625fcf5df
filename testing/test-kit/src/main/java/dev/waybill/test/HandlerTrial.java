package dev.waybill.test;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.Verdict;
import java.sql.Connection;
import java.util.Objects;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** One call of a handler for a unit test: in a real transaction, which is rolled back. */
public final class HandlerTrial {
    private HandlerTrial() {}

    /**
     * Calls a handler with a transaction that refuses what a consumer's refuses, lets the test look at what it
     * did, and rolls back.
     *
     * @param look called in the same transaction after the handler, whatever its verdict
     * @return the handler's verdict
     * @throws Exception what the handler or the look has thrown
     */
    public static Verdict of(DataSource dataSource, Handler handler, InboundMessage message, Look look)
            throws Exception {
        try (Connection connection = dataSource.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try {
                Verdict verdict = Objects.requireNonNull(
                        handler.handle(Handler.transaction(connection), message), "The handler returned no verdict");
                look.at(DSL.using(connection, SQLDialect.POSTGRES));
                return verdict;
            } finally {
                connection.rollback();
                connection.setAutoCommit(autoCommit);
            }
        }
    }

    /** The test's look at the result. */
    @FunctionalInterface
    public interface Look {
        /** Looks at what the handler has done, in its transaction. */
        void at(DSLContext tx) throws Exception;
    }
}
