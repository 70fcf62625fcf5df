package dev.waybill.inbox;

import dev.waybill.inbox.NextTransaction.Begun;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConfiguration;
import org.jooq.impl.DefaultConnectionProvider;
import org.jspecify.annotations.Nullable;

/** Records and handles one message in one transaction. Thread-safe. */
final class InboxTransaction {
    private static final Configuration HANDLERS =
            new DefaultConfiguration().set(SQLDialect.POSTGRES).set(new Settings().withExecuteLogging(false));

    private final DataSource dataSource;
    private final Handler handler;

    InboxTransaction(DataSource dataSource, Handler handler) {
        this.dataSource = dataSource;
        this.handler = handler;
    }

    /**
     * Committed if the result says done; otherwise nothing remains, neither effects nor the id.
     *
     * @throws LockLostException if the message was lost meanwhile; nothing was committed
     * @throws Exception what the handler or the database threw, as it was thrown
     */
    Result process(InboundMessage message, Work work, Terms terms) throws Exception {
        Begun begun = work.next.take(message, dataSource);
        Result result;
        try {
            result = process(begun, message, work, terms);
        } catch (Exception | Error e) {
            begun.abandon(e);
            throw e;
        }
        if (!work.next.isBegun()) {
            begun.end();
        }
        return result;
    }

    private Result process(Begun begun, InboundMessage message, Work work, Terms terms) throws Exception {
        Connection connection = begun.connection();
        work.using(connection);
        @Nullable Admission known = begun.admission();
        Admission admission = known == null ? terms.admit(connection, message) : known;
        work.handling(admission.backend());
        var result = new Result(
                admission, admission.mayBeHandled() ? handler.handle(dsl(connection), message) : Verdict.done());
        work.end();
        work.requireLock();
        boolean concluded = result.isDone() && terms.conclude(connection, message, admission);
        if (concluded || result.isHandled()) {
            work.next.commit(begun, terms);
        } else {
            connection.rollback();
        }
        return result;
    }

    static DSLContext dsl(Connection connection) {
        return DSL.using(
                HANDLERS.derive(new DefaultConnectionProvider(connection)).derive(new Savepoints()));
    }

    static void rollBack(Connection connection, Throwable cause) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }

    /** What came of it; the verdict is the handler's if the message was admitted, otherwise done. */
    record Result(Admission admission, Verdict verdict) {
        /** The effects are in the database. */
        boolean isDone() {
            return verdict == Verdict.done() && (admission.mayBeHandled() || isDuplicate());
        }

        boolean isHandled() {
            return verdict == Verdict.done() && admission.mayBeHandled();
        }

        boolean isDuplicate() {
            return !admission.first();
        }

        /** It waits behind others that failed. */
        boolean isHeld() {
            return admission.first() && admission.holdKey() != null;
        }
    }
}
