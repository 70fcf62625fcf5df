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
 * Wakes relays after a commit: the one in this process by a call, others by a notification if needed. Never throws.
 * Thread-safe.
 */
final class CommitNotifier {
    private static final Logger LOG = LoggerFactory.getLogger(CommitNotifier.class);

    /** Limits the memory for destinations in transaction managers. Commits to further destinations send a notification. */
    static final int MOST_DESTINATIONS = 1_000;

    private final @Nullable LocalRelay local;
    private final @Nullable PostgresNotifier postgres;

    // A transaction manager runs an equal action once, so this is one object.
    private final CurrentTransaction.AfterCommit notification = this::notifyRelays;
    private final Map<String, CurrentTransaction.AfterCommit> byDestination = new ConcurrentHashMap<>();

    /** Without {@code local} there is no relay in this process; without {@code postgres}, notifications are off. */
    CommitNotifier(@Nullable LocalRelay local, @Nullable PostgresNotifier postgres) {
        this.local = local;
        this.postgres = postgres;
    }

    /** @param connection outside a transaction */
    void committed(Connection connection, Collection<OutboxMessage> messages) {
        wakeRelays(destinations(messages), connection);
    }

    /** The actions to run after the commit of these messages. */
    List<CurrentTransaction.AfterCommit> actions(Collection<OutboxMessage> messages) {
        if (local == null) {
            return List.of(notification);
        }
        return destinations(messages).stream().map(this::action).distinct().toList();
    }

    // An application may append to an unlimited number of names.
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
        return connection -> wakeRelays(only, connection);
    }

    private void wakeRelays(Set<String> destinations, Connection connection) {
        if (!wakeLocal(destinations)) {
            notifyRelays(connection);
        }
    }

    /** Sends a notification if one is due. */
    void notifyRelays(Connection connection) {
        if (postgres != null) {
            postgres.send(connection);
        }
    }

    // Wakes the relay for every destination, even if one of them needs other relays.
    private boolean wakeLocal(Set<String> destinations) {
        boolean all = local != null;
        for (String destination : destinations) {
            all &= wakeLocal(destination);
        }
        return all;
    }

    // Catches Throwable, because Kotlin lambdas may throw checked exceptions.
    private boolean wakeLocal(String destination) {
        try {
            return local != null && local.wake(destination);
        } catch (Throwable e) {
            LOG.debug("Could not wake the relay in this process after a commit to {}", destination, e);
            return false;
        }
    }

    private static Set<String> destinations(Collection<OutboxMessage> messages) {
        return messages.size() == 1
                ? Set.of(messages.iterator().next().destination())
                : messages.stream().map(OutboxMessage::destination).collect(Collectors.toCollection(HashSet::new));
    }
}
