package dev.waybill.test.proof;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.TransactionBoundary;
import dev.waybill.test.jdbc.JdbcWatch;
import dev.waybill.test.jdbc.Session;
import dev.waybill.test.jdbc.Step;
import dev.waybill.test.jdbc.WatchedDataSource;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A process with its handler and its connections. When it ends, the connections are cut, none can be had any more,
 * and what is still running in it gets exceptions. Thread-safe.
 */
final class HandlerProcess implements JdbcWatch {
    private static final String CONNECTION_FAILURE = "08006";
    private static final String QUERY_CANCELED = "57014";

    private final Handler handler;
    private final TransactionBoundary boundary;
    private final OutsideWork outside;
    private final Lockstep lockstep;
    private final Set<Session> sessions = ConcurrentHashMap.newKeySet();
    private final Set<Attempt> attempts = ConcurrentHashMap.newKeySet();
    // One for each process: several may be there.
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable Attempt> beginning = new ThreadLocal<>();

    private volatile boolean ended;
    private volatile boolean hung;

    HandlerProcess(Terms terms, OutsideWork outside, Lockstep lockstep) {
        this.outside = outside;
        this.lockstep = lockstep;
        DataSource watched = WatchedDataSource.of(terms.place().dataSource(), this);
        handler = terms.subject().handlers().apply(watched);
        boundary = terms.subject().boundaries().apply(watched);
    }

    Handler handler() {
        return handler;
    }

    boolean isEnded() {
        return ended;
    }

    boolean isHung() {
        return hung;
    }

    void cutHanging() {
        hung = true;
        SQLException unused = end();
    }

    TransactionBoundary.Transaction begin(Attempt attempt) throws Exception {
        attempts.add(attempt);
        beginning.set(attempt);
        try {
            TransactionBoundary.Transaction begun = boundary.begin(Terms.LONGEST);
            begun.connection();
            return begun;
        } finally {
            beginning.remove();
        }
    }

    void over(Attempt attempt) {
        attempts.remove(attempt);
    }

    @Override
    public void opening() throws SQLException {
        requireAlive();
    }

    @Override
    public void opened(Session session) {
        sessions.add(session);
        Attempt attempt = beginning.get();
        if (attempt != null) {
            attempt.begunOn(session);
        }
    }

    @Override
    public void before(Session session, Step step) throws SQLException {
        if (step.kind() == Step.Kind.CLOSE) {
            sessions.remove(session);
            closed(session);
            return;
        }
        requireAlive();
        Attempt attempt = of(session);
        if (attempt == null) {
            return;
        }
        boolean own = attempt.owns(session);
        if (own
                && step.kind() == Step.Kind.COMMIT
                && attempt.disturbance().kind() == Disturbance.Kind.END_BEFORE_COMMIT) {
            throw end();
        }
        if (isTheHandlers(attempt, own, step)) {
            if (!own) {
                outside.before(session, step, attempt);
            }
            disturb(attempt, session, attempt.step(step.sql()));
        }
    }

    private void disturb(Attempt attempt, Session session, int number) throws SQLException {
        lockstep.arrive();
        Disturbance disturbance = attempt.disturbance();
        if (disturbance.isAt(Disturbance.Kind.END_BEFORE, number)) {
            throw end();
        }
        if (disturbance.isAt(Disturbance.Kind.FAIL, number)) {
            attempt.failed(!attempt.owns(session));
            throw session.fail(QUERY_CANCELED, "this statement fails because a proof says so");
        }
    }

    @Override
    public void after(Session session, Step step) throws SQLException {
        Attempt attempt = step.kind() == Step.Kind.CLOSE ? null : of(session);
        if (attempt == null) {
            return;
        }
        boolean own = attempt.owns(session);
        Disturbance disturbance = attempt.disturbance();
        if (step.kind() == Step.Kind.ROLLBACK) {
            outside.rolledBack(session);
        }
        if (own && step.kind() == Step.Kind.COMMIT && disturbance.kind() == Disturbance.Kind.END_AFTER_COMMIT) {
            throw end();
        }
        if (isTheHandlers(attempt, own, step)) {
            if (!own) {
                outside.after(session, step);
            }
            if (disturbance.isAt(Disturbance.Kind.END_AFTER, attempt.steps().size())) {
                throw end();
            }
        }
    }

    // Where something was made to fail, nothing else is expected.
    private void closed(Session session) {
        boolean disturbed = ended || attempts.stream().anyMatch(Attempt::isFailureInjected);
        if (disturbed) {
            outside.rolledBack(session);
        } else {
            outside.closed(session);
        }
    }

    // Of its own transaction statements only: the end of that is the consumer's.
    private static boolean isTheHandlers(Attempt attempt, boolean own, Step step) {
        return attempt.isHandling() && (step.isStatement() || (!own && step.kind() == Step.Kind.COMMIT));
    }

    private @Nullable Attempt of(Session session) {
        Attempt any = null;
        for (Attempt attempt : attempts) {
            if (attempt.owns(session)) {
                return attempt;
            }
            any = attempt;
        }
        return any;
    }

    private SQLException end() {
        ended = true;
        sessions.forEach(Session::cut);
        return gone();
    }

    private void requireAlive() throws SQLException {
        if (ended) {
            throw gone();
        }
    }

    private SQLException gone() {
        String why = hung
                ? "The handler did not come to an end in its time. Does a connection of its own wait for a lock of the"
                        + " message's transaction?"
                : "This process has ended: a proof says so";
        return new SQLException(why, CONNECTION_FAILURE);
    }
}
