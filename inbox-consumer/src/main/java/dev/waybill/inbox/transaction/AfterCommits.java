package dev.waybill.inbox.transaction;

import dev.waybill.outbox.CommitActions;
import dev.waybill.outbox.CurrentTransaction.AfterCommit;
import java.sql.Connection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Actions after the commit of one transaction, such as notifying relays of appended messages. Thread-safe. */
final class AfterCommits implements CommitActions {
    private static final Logger LOG = LoggerFactory.getLogger(AfterCommits.class);

    private final Set<AfterCommit> actions = ConcurrentHashMap.newKeySet();

    @Override
    public void afterCommit(AfterCommit action) {
        actions.add(action);
    }

    /** After a rollback: the connection's next transaction collects its own actions. */
    void drop() {
        actions.clear();
    }

    // Never throws, because the message is done. The next transaction may have begun on the connection.
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
