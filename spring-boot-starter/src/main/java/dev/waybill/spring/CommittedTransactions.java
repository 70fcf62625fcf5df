package dev.waybill.spring;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Knows whether the calling thread's transaction is being committed, or has been. While Spring tells of a commit,
 * the transaction still counts as active. What is written then is committed by nobody, and undone in silence by a
 * pool whose auto-commit is off. Thread-safe.
 */
final class CommittedTransactions implements TransactionExecutionListener {
    // One for each set of managers: a service may have two outboxes. Empty where there is no transaction.
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable Deque<Phase>> phases = new ThreadLocal<>();

    private enum Phase {
        OPEN,
        OVER
    }

    /** Whether the innermost of the thread's transactions takes no more. */
    boolean isOver() {
        Deque<Phase> mine = phases.get();
        return mine != null && mine.peek() == Phase.OVER;
    }

    @Override
    public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
        if (failure == null) {
            enter(Phase.OPEN);
        }
    }

    // All that belongs to the transaction has been written: this is called right before the COMMIT.
    @Override
    public void beforeCommit(TransactionExecution transaction) {
        leave();
        enter(Phase.OVER);
    }

    @Override
    public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
        leave();
    }

    @Override
    public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
        leave();
    }

    private void enter(Phase phase) {
        Deque<Phase> mine = phases.get();
        if (mine == null) {
            mine = new ArrayDeque<>();
            phases.set(mine);
        }
        mine.push(phase);
    }

    private void leave() {
        Deque<Phase> mine = phases.get();
        if (mine != null) {
            mine.poll();
            if (mine.isEmpty()) {
                phases.remove();
            }
        }
    }
}
