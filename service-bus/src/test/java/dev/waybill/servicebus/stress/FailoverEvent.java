package dev.waybill.servicebus.stress;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** An event that befalls the database, the ways to it, the relays or the broker. */
enum FailoverEvent {
    /** The primary ends, and the standby takes over with what it has. */
    PROMOTE(2),
    /** As before, and the standby has not received what was last committed. */
    PROMOTE_LAGGING(2),
    /** The primary stands still, the standby takes over, and the old primary goes on for a moment. */
    PROMOTE_BESIDE_FROZEN(2),
    /** The standby has everything when it takes over. */
    SWITCH_OVER(1),
    /** Connections of one relay go silent; new ones are served. */
    HANG_RELAY(4),
    /** One relay reaches no database for longer than its lease. */
    SILENCE_RELAY(3),
    /** Connections of writers go silent, perhaps in the middle of a transaction. */
    HANG_WRITERS(2),
    /** The standby begins or ends to lag. */
    LAG(2),
    RESTART_PRIMARY(1),
    DROP_BROKER_CONNECTIONS(2),
    REPLACE_RELAY(2),
    /** The rows are restored into another cluster. */
    RESTORE(1);

    private static final List<FailoverEvent> FEW =
            List.of(PROMOTE_LAGGING, PROMOTE_BESIDE_FROZEN, HANG_RELAY, SILENCE_RELAY, HANG_WRITERS);

    private final int share;

    FailoverEvent(int share) {
        this.share = share;
    }

    boolean isPromotion() {
        return this == PROMOTE || this == PROMOTE_LAGGING || this == PROMOTE_BESIDE_FROZEN || this == SWITCH_OVER;
    }

    /** The least that is worth a run. */
    static List<FailoverEvent> few(Random random) {
        var events = new ArrayList<>(FEW);
        Collections.shuffle(events, random);
        events.add(random.nextInt(events.size() + 1), RESTORE);
        return events;
    }

    /** Many of all kinds, each according to its share. */
    static List<FailoverEvent> many(int count, Random random) {
        var events = new ArrayList<FailoverEvent>();
        while (events.size() < count) {
            var round = new ArrayList<FailoverEvent>();
            for (FailoverEvent event : values()) {
                round.addAll(Collections.nCopies(event.share, event));
            }
            Collections.shuffle(round, random);
            events.addAll(round);
        }
        return events.subList(0, count);
    }
}
