package dev.waybill.outbox;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jooq.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Messages appended in a transaction and not sent yet, by savepoint: those of a nested transaction go with it if
 * it is rolled back. Confined to the transaction's thread.
 */
final class PendingAppends {
    private static final Object KEY = PendingAppends.class;

    private final Deque<List<OutboxMessage>> levels = new ArrayDeque<>();
    private final Set<CurrentTransaction.AfterCommit> actions = new LinkedHashSet<>();

    private PendingAppends() {}

    /** Those of the transaction that the configuration belongs to; null if it keeps none. */
    static @Nullable PendingAppends of(Configuration configuration) {
        return (PendingAppends) configuration.data(KEY);
    }

    /** New ones for a transaction. */
    static PendingAppends in(Configuration configuration) {
        var pending = new PendingAppends();
        configuration.data(KEY, pending);
        return pending;
    }

    void enter() {
        levels.push(new ArrayList<>());
    }

    void add(Collection<OutboxMessage> messages) {
        levels.element().addAll(messages);
    }

    /** Runs an action, once, after the outermost transaction has committed. */
    void afterCommit(CurrentTransaction.AfterCommit action) {
        actions.add(action);
    }

    Collection<CurrentTransaction.AfterCommit> actions() {
        return actions;
    }

    boolean isOutermost() {
        return levels.size() == 1;
    }

    List<OutboxMessage> messages() {
        return List.copyOf(levels.element());
    }

    /** The nested transaction has ended; what it appended belongs to the one around it. */
    void keep() {
        List<OutboxMessage> done = levels.pop();
        if (!levels.isEmpty()) {
            levels.element().addAll(done);
        }
    }

    /** The transaction is undone. One whose commit has failed may have ended before. */
    void drop() {
        levels.poll();
    }
}
