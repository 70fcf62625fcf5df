package dev.waybill.servicebus.embedded.mailbox;

import dev.waybill.servicebus.embedded.loop.BrokerClock;
import dev.waybill.servicebus.embedded.loop.EventLoop;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The locked messages of a mailbox by lock token, with their deadlines. */
final class MessageLocks {
    private static final SplittableRandom TOKENS = new SplittableRandom();

    private final Map<UUID, Entry> locked = new HashMap<>();
    private final Deadlines<Entry> deadlines;

    MessageLocks(EventLoop loop, Consumer<Entry> ranOut) {
        this.deadlines = new Deadlines<>(loop, entry -> entry.lockedUntil, Entry::sequenceNumber, ranOut);
    }

    // Until BrokerClock.NEVER the lock lasts as long as its session.
    void lock(Entry entry, long until) {
        UUID token = new UUID(TOKENS.nextLong(), TOKENS.nextLong());
        entry.lockToken = token;
        entry.lockedUntil = until;
        locked.put(token, entry);
        deadlines.add(entry);
        if (entry.session != null) {
            entry.session.locked.add(entry);
        }
    }

    void extend(Entry entry, long until) {
        deadlines.remove(entry);
        entry.lockedUntil = until;
        deadlines.add(entry);
    }

    void unlock(Entry entry) {
        if (entry.lockToken == null) {
            return;
        }
        locked.remove(entry.lockToken);
        deadlines.remove(entry);
        entry.lockToken = null;
        entry.lockedUntil = BrokerClock.NEVER;
        if (entry.session != null) {
            entry.session.locked.remove(entry);
        }
    }

    @Nullable Entry find(UUID token) {
        return locked.get(token);
    }

    List<Entry> all() {
        return List.copyOf(locked.values());
    }

    void clear() {
        deadlines.clear();
        locked.clear();
    }
}
