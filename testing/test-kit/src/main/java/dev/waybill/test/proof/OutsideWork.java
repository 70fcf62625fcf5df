package dev.waybill.test.proof;

import dev.waybill.test.jdbc.Session;
import dev.waybill.test.jdbc.SqlText;
import dev.waybill.test.jdbc.Step;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Statements of handlers through other connections than the message's. Thread-safe. */
final class OutsideWork {
    private final Predicate<String> allowed;
    private final Set<Work> works = new LinkedHashSet<>();
    private final Set<String> reads = new LinkedHashSet<>();

    OutsideWork(Predicate<String> allowed) {
        this.allowed = allowed;
    }

    record Work(FaultKind kind, String sql, String message) {}

    private static final class Open {
        private final List<Work> works = new ArrayList<>();
    }

    synchronized void before(Session session, Step step, Attempt attempt) throws SQLException {
        if (!step.isStatement() || allowed.test(step.sql())) {
            return;
        }
        SqlText.Effect effect = SqlText.of(step.sql()).effect();
        if (effect == SqlText.Effect.NONE) {
            return;
        }
        if (effect == SqlText.Effect.READS) {
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
        SqlText text = SqlText.of(step.isStatement() ? step.sql() : "");
        if (step.kind() == Step.Kind.COMMIT || text.commits()) {
            report(session, FaultKind.OWN_TRANSACTION);
        } else if (text.rollsBack()) {
            session.note(null);
        }
    }

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

    synchronized List<Work> works() {
        return List.copyOf(works);
    }

    synchronized List<String> reads() {
        return List.copyOf(reads);
    }
}
