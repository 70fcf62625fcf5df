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
     * Calls a handler in a transaction that refuses what a consumer's transaction refuses, lets the test look at the result, and rolls
     * back.
     *
     * @param look called in the same transaction after the handler, for every verdict
     * @throws Exception what the handler or the look threw
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

    @FunctionalInterface
    public interface Look {
        /** Looks at the handler's work, inside its transaction. */
        void at(DSLContext tx) throws Exception;
    }
}
