package dev.waybill.outbox;

import java.sql.Connection;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells relays of commits: the one in this process first, and all by a notification unless that one says that it publishes
 * everything itself. Never fails the caller, whose transaction has committed. Thread-safe.
 */
final class CommitNews {
    private static final Logger LOG = LoggerFactory.getLogger(CommitNews.class);

    /** Commits to more are notified, and told to nobody by a call. Only a transaction manager's need an action for each. */
    static final int MOST_DESTINATIONS = 1_000;

    private final @Nullable LocalRelay local;
    private final @Nullable Wake wake;

    // A transaction manager takes the same object for the same action, and runs it once.
    private final CurrentTransaction.AfterCommit notification = this::notifyRelays;
    private final Map<String, CurrentTransaction.AfterCommit> byDestination = new ConcurrentHashMap<>();

    /**
     * News of one outbox.
     *
     * @param local null if there is no relay in this process
     * @param wake null if nobody is notified
     */
    CommitNews(@Nullable LocalRelay local, @Nullable Wake wake) {
        this.local = local;
        this.wake = wake;
    }

    /** Tells of messages that have committed, through a connection that is in no transaction. */
    void committed(Connection connection, Collection<OutboxMessage> messages) {
        tell(destinations(messages), connection);
    }

    /** The actions to run after the commit of a transaction that has appended such messages. */
    List<CurrentTransaction.AfterCommit> actions(Collection<OutboxMessage> messages) {
        if (local == null) {
            return List.of(notification);
        }
        return destinations(messages).stream().map(this::action).distinct().toList();
    }

    // The names that an application appends to may be without end.
    private CurrentTransaction.AfterCommit action(String destination) {
        CurrentTransaction.AfterCommit known = byDestination.get(destination);
        if (known != null) {
            return known;
        }
        return byDestination.size() < MOST_DESTINATIONS
                ? byDestination.computeIfAbsent(destination, this::newAction)
                : notification;
    }

    private CurrentTransaction.AfterCommit newAction(String destination) {
        var only = Set.of(destination);
        return connection -> tell(only, connection);
    }

    private void tell(Set<String> destinations, Connection connection) {
        if (!isTold(destinations)) {
            notifyRelays(connection);
        }
    }

    /** Notifies all relays, if that is due. */
    void notifyRelays(Connection connection) {
        if (wake != null) {
            wake.send(connection);
        }
    }

    // All are told, also once one of them needs others.
    private boolean isTold(Set<String> destinations) {
        boolean all = local != null;
        for (String destination : destinations) {
            all &= isTold(destination);
        }
        return all;
    }

    // Catches everything: functions of Kotlin throw checked exceptions, too.
    private boolean isTold(String destination) {
        try {
            return local != null && local.wake(destination);
        } catch (Throwable e) {
            LOG.debug("The relay in this process could not be told of a commit to {}", destination, e);
            return false;
        }
    }

    private static Set<String> destinations(Collection<OutboxMessage> messages) {
        return messages.size() == 1
                ? Set.of(messages.iterator().next().destination())
                : messages.stream().map(OutboxMessage::destination).collect(Collectors.toCollection(HashSet::new));
    }
}
