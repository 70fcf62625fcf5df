package dev.waybill.relay.lease;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** A relay of a test, without a loop. */
public final class OneRelay {
    public static final Duration LEASE = Duration.ofMinutes(1);
    public static final Duration LONGEST_STEP = Duration.ofMinutes(2);

    public final HandClock clock = new HandClock();
    public final Lease lease = new Lease(LEASE, clock);
    public final LoopProgress progress;
    public final RelayTable table;
    public final Heartbeat heartbeat;
    public final DestinationTable destinations;
    private final Places places = new Places();
    private final List<String> serving;

    /** One that is alive and owns nothing. */
    public OneRelay(NewTables tables, String... serving) {
        this(tables, true, serving);
    }

    public OneRelay(NewTables tables, boolean follows, String... serving) {
        this(tables, follows, "", List.of(serving));
    }

    private OneRelay(NewTables tables, boolean follows, String place, List<String> serving) {
        this.serving = serving;
        serving.forEach(destination -> places.learn(destination, place));
        progress = new LoopProgress(this.serving, LONGEST_STEP, clock);
        table = new RelayTable(tables.dsl, tables.schema, "test", follows, places);
        heartbeat = new Heartbeat(table, lease, progress, clock);
        destinations = new DestinationTable(tables.dsl, tables.schema);
        destinations.ensure(this.serving);
        progress.becomeReady();
        heartbeat.beat();
    }

    /** One that publishes to a place. */
    public static OneRelay at(String place, NewTables tables, String... serving) {
        return new OneRelay(tables, true, place, List.of(serving));
    }

    public UUID id() {
        return lease.relay();
    }

    public List<Claim> claim() {
        return destinations.claim(id(), serving);
    }

    /** It is so long since its loop has taken a turn that it hangs. */
    public void hang() {
        clock.advance(LONGEST_STEP.plusSeconds(1));
        heartbeat.beat();
    }

    public void move() {
        progress.tookTurn();
        heartbeat.beat();
    }
}
