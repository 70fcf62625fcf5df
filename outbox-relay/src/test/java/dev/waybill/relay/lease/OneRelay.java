package dev.waybill.relay.lease;

import dev.waybill.message.BrokerNames;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;

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

    private OneRelay(NewTables tables, boolean follows, String host, List<String> serving) {
        this(tables, follows, serving, name -> host.isEmpty() ? "" : host + "/" + BrokerNames.key(name));
    }

    private OneRelay(NewTables tables, boolean follows, List<String> serving, UnaryOperator<String> place) {
        this.serving = serving;
        serving.forEach(destination -> places.learn(destination, place.apply(destination)));
        progress = new LoopProgress(this.serving, LONGEST_STEP, clock);
        table = new RelayTable(tables.dsl, tables.schema, "test", follows, places);
        heartbeat = new Heartbeat(table, lease, progress, clock);
        destinations = new DestinationTable(tables.dsl, tables.schema);
        destinations.ensure(this.serving);
        progress.becomeReady();
        heartbeat.beat();
    }

    /** One that publishes to a namespace. */
    public static OneRelay at(String host, NewTables tables, String... serving) {
        return new OneRelay(tables, true, host, List.of(serving));
    }

    /** One that publishes a destination to an entity. */
    static OneRelay to(String place, NewTables tables, String destination) {
        return new OneRelay(tables, true, List.of(destination), name -> place);
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
