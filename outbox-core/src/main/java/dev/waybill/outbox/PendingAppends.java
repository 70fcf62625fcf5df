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

/** Appends that wait for the commit; a nested rollback drops its own. Confined to the transaction's thread. */
final class PendingAppends {
    private static final Object KEY = PendingAppends.class;

    private final Deque<List<OutboxMessage>> levels = new ArrayDeque<>();
    private final Set<CurrentTransaction.AfterCommit> actions = new LinkedHashSet<>();

    private PendingAppends() {}

    /** Null if the transaction does not collect appends. */
    static @Nullable PendingAppends of(Configuration configuration) {
        return (PendingAppends) configuration.data(KEY);
    }

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

    /** Runs an action once, after the outermost commit. */
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

    /** Ends a nested transaction; its messages move to the enclosing one. */
    void keep() {
        List<OutboxMessage> done = levels.pop();
        if (!levels.isEmpty()) {
            levels.element().addAll(done);
        }
    }

    /** Rolls back a level. After a failed commit the level may be gone. */
    void drop() {
        levels.poll();
    }
}
