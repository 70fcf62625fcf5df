package dev.waybill.test.proof;

import dev.waybill.test.jdbc.Session;
import dev.waybill.test.jdbc.Step;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What handlers do through other connections than the message's. Thread-safe. */
final class OutsideWork {
    private static final List<String> WRITING =
            List.of("insert ", "update ", "delete ", "merge ", "nextval(", "setval(", "for update", "outbox_append(");

    private final Predicate<String> allowed;
    private final Set<Work> works = new LinkedHashSet<>();
    private final Set<String> reads = new LinkedHashSet<>();

    OutsideWork(Predicate<String> allowed) {
        this.allowed = allowed;
    }

    /** Work of one kind. */
    record Work(FaultKind kind, String sql, String message) {}

    /** Statements of a transaction that is open. */
    private static final class Open {
        private final List<Work> works = new ArrayList<>();
    }

    synchronized void before(Session session, Step step, Attempt attempt) throws SQLException {
        if (!step.isStatement() || allowed.test(step.sql())) {
            return;
        }
        if (isRead(step.sql())) {
            reads.add(step.sql());
        } else if (session.isAutoCommit()) {
            works.add(new Work(
                    FaultKind.AUTO_COMMIT, step.sql(), attempt.message().id()));
        } else {
            Open open = session.note() instanceof Open known ? known : new Open();
            open.works.add(new Work(
                    FaultKind.LOST_TRANSACTION, step.sql(), attempt.message().id()));
            session.note(open);
        }
    }

    synchronized void after(Session session, Step step) {
        if (step.kind() == Step.Kind.COMMIT) {
            report(session, FaultKind.OWN_TRANSACTION);
        }
    }

    /** Without a commit, what it did is lost. */
    synchronized void closed(Session session) {
        report(session, FaultKind.LOST_TRANSACTION);
    }

    synchronized void rolledBack(Session session) {
        session.note(null);
    }

    synchronized void add(String line, String message) {
        works.add(new Work(FaultKind.OUTSIDE, line, message));
    }

    private void report(Session session, FaultKind kind) {
        @Nullable Object note = session.note();
        if (note instanceof Open open) {
            open.works.forEach(work -> works.add(new Work(kind, work.sql(), work.message())));
            session.note(null);
        }
    }

    private static boolean isRead(String sql) {
        String lower = sql.toLowerCase(Locale.ROOT) + " ";
        boolean reads = lower.startsWith("select ")
                || lower.startsWith("with ")
                || lower.startsWith("show ")
                || lower.startsWith("set ")
                || lower.startsWith("values ")
                || lower.startsWith("table ");
        return reads && WRITING.stream().noneMatch(lower::contains);
    }

    synchronized List<Work> works() {
        return List.copyOf(works);
    }

    synchronized List<String> reads() {
        return List.copyOf(reads);
    }
}
