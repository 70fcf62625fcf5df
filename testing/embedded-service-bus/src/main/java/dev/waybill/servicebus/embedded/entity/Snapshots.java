package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.entity.EntitySnapshot.LockView;
import dev.waybill.servicebus.embedded.entity.EntitySnapshot.SessionView;
import dev.waybill.servicebus.embedded.loop.BrokerClock;
import dev.waybill.servicebus.embedded.mailbox.Entry;
import dev.waybill.servicebus.embedded.mailbox.Mailbox;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

final class Snapshots {
    private final BrokerClock clock;

    Snapshots(BrokerClock clock) {
        this.clock = clock;
    }

    EntitySnapshot of(MessageEntity entity) {
        Map<Entry.State, Integer> states = new EnumMap<>(Entry.State.class);
        List<LockView> locks = new ArrayList<>();
        for (Entry entry : entity.main().entries()) {
            states.merge(entry.state, 1, Integer::sum);
            if (entry.state == Entry.State.LOCKED) {
                locks.add(lock(entry));
            }
        }
        int locked = states.getOrDefault(Entry.State.LOCKED, 0);
        var counts = new EntitySnapshot.Counts(
                states.getOrDefault(Entry.State.ACTIVE, 0) + locked,
                locked,
                states.getOrDefault(Entry.State.DEFERRED, 0),
                states.getOrDefault(Entry.State.SCHEDULED, 0),
                entity.deadLetters().entries().size(),
                entity.transferDeadLetters().entries().size());
        Mailbox main = entity.main();
        int waiting = main.hasSessions() ? main.sessions().waitingCount() : 0;
        var receiving = new EntitySnapshot.Receiving(main.receivers(), waiting);
        return new EntitySnapshot(entity.path(), counts, entity.bytesHeld(), locks, receiving, sessions(main));
    }

    private LockView lock(Entry entry) {
        return new LockView(entry.sequenceNumber(), entry.messageId(), entry.sessionId(), wall(entry.lockDeadline()));
    }

    private List<SessionView> sessions(Mailbox mailbox) {
        if (!mailbox.hasSessions()) {
            return List.of();
        }
        return mailbox.sessions().sessions().stream()
                .map(session -> new SessionView(
                        session.id,
                        session.messages,
                        session.receiver != null,
                        session.receiver == null ? null : wall(session.lockedUntil),
                        session.state == null ? 0 : session.state.length))
                .sorted(Comparator.comparing(SessionView::id))
                .toList();
    }

    private Instant wall(long deadline) {
        return Instant.ofEpochMilli(clock.toWall(deadline));
    }
}
