package dev.waybill.inbox;

import dev.waybill.inbox.PipelinedTransaction.OpenTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
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

    private final HandlerConnections connections;
    private final Handler handler;

    InboxTransaction(HandlerConnections connections, Handler handler) {
        this.connections = connections;
        this.handler = handler;
    }

    /**
     * Committed if the result says done; otherwise nothing remains, neither effects nor the id.
     *
     * @throws LockLostException if the message was lost meanwhile; nothing was committed
     * @throws NotAdmittedException if the database failed before the handler's turn had come
     * @throws Exception what the handler or the database threw, as it was thrown
     */
    Result process(InboundMessage message, Work work, Admitter terms) throws Exception {
        OpenTransaction begun = begin(message, work);
        Result result;
        try {
            result = process(begun, message, work, terms);
        } catch (Throwable e) {
            begun.abandon(e);
            throw e;
        }
        if (!work.next.isBegun()) {
            begun.end();
        }
        return result;
    }

    private OpenTransaction begin(InboundMessage message, Work work) throws NotAdmittedException, InterruptedException {
        try {
            return work.next.take(message, connections);
        } catch (SQLException e) {
            throw new NotAdmittedException(e);
        }
    }

    private Result process(OpenTransaction begun, InboundMessage message, Work work, Admitter terms) throws Exception {
        Connection connection = begun.connection();
        work.using(connection);
        Admission admission = admission(begun, message, work, terms);
        if (admission.wanted()) {
            work.wanted();
        }
        work.handling(message, admission.backend());
        var result =
                new Result(admission, admission.mayBeHandled() ? verdict(connection, message, work) : Verdict.done());
        work.end();
        work.requireLock();
        boolean concluded = result.isDone() && terms.conclude(connection, message, admission);
        if (concluded || result.isHandled()) {
            work.next.commit(begun, terms, work.fence());
        } else {
            connection.rollback();
        }
        return result;
    }

    private static Admission admission(OpenTransaction begun, InboundMessage message, Work work, Admitter terms)
            throws NotAdmittedException {
        @Nullable Admission known = begun.admission();
        try {
            return known == null ? terms.admit(begun.connection(), message, work.fence()) : known;
        } catch (SQLException e) {
            throw new NotAdmittedException(e);
        }
    }

    private Verdict verdict(Connection connection, InboundMessage message, Work work) throws Exception {
        try {
            return Objects.requireNonNull(handler.handle(dsl(connection), message), "The handler returned no verdict");
        } catch (LockLostException e) {
            work.requireLock();
            throw new IllegalStateException("The handler says that a lock was lost; this message's was not", e);
        }
    }

    static DSLContext dsl(Connection connection) {
        return DSL.using(HANDLERS.derive(new DefaultConnectionProvider(HandlersConnection.of(connection)))
                .derive(new Savepoints()));
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
