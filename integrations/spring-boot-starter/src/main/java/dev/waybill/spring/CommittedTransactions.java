package dev.waybill.spring;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Knows whether the calling thread's transaction has been committed or rolled back. While Spring tells of that, the
 * transaction still counts as active. A write at that time is committed by nobody, or by accident, and undone in
 * silence by a pool whose auto-commit is off. Thread-safe.
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
            if (TransactionSynchronizationManager.isSynchronizationActive()) {
                TransactionSynchronizationManager.registerSynchronization(new End());
            }
        }
    }

    /**
     * Hears first of all that the transaction has ended. A listener before the commit, or an entity's in the flush that a
     * commit begins with, still belongs to it.
     */
    private final class End implements TransactionSynchronization {
        @Override
        public int getOrder() {
            return Ordered.HIGHEST_PRECEDENCE;
        }

        @Override
        public void afterCommit() {
            end();
        }

        @Override
        public void afterCompletion(int status) {
            end();
        }

        private void end() {
            leave();
            enter(Phase.OVER);
        }
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
