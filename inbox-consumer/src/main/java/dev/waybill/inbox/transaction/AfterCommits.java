package dev.waybill.inbox.transaction;

import dev.waybill.outbox.CommitActions;
import dev.waybill.outbox.CurrentTransaction.AfterCommit;
import java.sql.Connection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Actions for after the commit of one transaction, such as to tell relays of messages that its handler has appended. Thread-safe. */
final class AfterCommits implements CommitActions {
    private static final Logger LOG = LoggerFactory.getLogger(AfterCommits.class);

    private final Set<AfterCommit> actions = ConcurrentHashMap.newKeySet();

    @Override
    public void afterCommit(AfterCommit action) {
        actions.add(action);
    }

    /** The transaction has rolled back; the next one on its connection may leave others. */
    void drop() {
        actions.clear();
    }

    /**
     * The transaction has committed. Never fails: the message is done.
     *
     * @param committed its connection, on which the next one may have begun
     */
    void run(Connection committed) {
        for (AfterCommit action : actions) {
            try {
                action.run(committed);
            } catch (Throwable e) {
                LOG.debug("An action after a commit has failed; the message is done", e);
            }
        }
    }
}
