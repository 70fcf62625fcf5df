package dev.waybill.relay;

import dev.waybill.schema.IdleLimit;
import dev.waybill.schema.SchemaName;
import dev.waybill.supervision.BoundedConnections;
import dev.waybill.supervision.BoundedWaits;
import dev.waybill.supervision.Outage;
import dev.waybill.supervision.StopSignal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** The parts of a relay, put together. */
final class RelayParts {
    /** For connections, which a stop makes short. */
    final BoundedWaits waits = new BoundedWaits();

    final RelayBeats beats;
    final Heartbeat heart;
    final RelayThread heartbeat;
    final BackgroundWork background;
    final SignOn signOn;

    /** One of each destination. */
    final List<DestinationLoop> loops = new ArrayList<>();

    /** The threads of the loops, in the same order. */
    final List<RelayThread> turns = new ArrayList<>();

    /** Where in both lists a destination is. */
    private final Map<String, Integer> places = new HashMap<>();

    private final LongSupplier nanoTime = System::nanoTime;
    private final RelayOptions settings;
    private final DSLContext dsl;

    RelayParts(RelayOptions settings) {
        this.settings = settings;
        SchemaName schema = settings.database().schema();
        String name = settings.database().relay();
        dsl = schema.in(database());
        UUID id = UUID.randomUUID();
        beats = new RelayBeats(dsl, schema, id, name, settings.publisher().followsEntities());
        var source = RelayTables.Source.of(schema, id, settings.reading().pageRows(), nanoTime);
        int listeners = settings.database().listening() ? 1 : 0;
        var connections = new LoopConnections(dsl, settings.destinations().size(), listeners, nanoTime);
        var livenesses = new ArrayList<Liveness>();
        settings.destinations()
                .forEach((destination, policy) -> livenesses.add(add(destination, policy, source, connections)));
        var trouble = trouble();
        heart = new Heartbeat(beats, livenesses, trouble, settings.leaseDuration(), nanoTime, this::wake);
        heartbeat = new RelayThread("waybill-relay-heartbeat", heart::step);
        background = new BackgroundWork(
                settings,
                dsl,
                beats,
                trouble,
                connections::listening,
                new BackgroundWork.Loops(this::wake, this::wake));
        var outage = new Outage("relay '" + name + "'", nanoTime);
        heart.fault().share(outage, true);
        loops.forEach(loop -> loop.fault().share(outage, true));
        background.share(outage);
        signOn = new SignOn(settings, dsl, connections, heart, outage);
    }

    private Trouble trouble() {
        return new Trouble(nanoTime, () -> heartbeat.wake());
    }

    private DSLContext database() {
        var pool = new BoundedConnections(settings.database().dataSource(), waits);
        return IdleLimit.of(settings.longestAnswer(), RelayConnections.using(pool, settings.longestAnswer()));
    }

    private Liveness add(
            String destination, HoldPolicy policy, RelayTables.Source source, LoopConnections connections) {
        var liveness = new Liveness(destination, settings.longestStep(), nanoTime);
        var sender = new DestinationSender(
                destination, policy, settings.publisher(), new Breaker(nanoTime, new SplittableRandom()));
        var signal = new StopSignal();
        var turn = new DestinationTurn(
                sender,
                connections,
                source,
                liveness,
                new LeaseClock(settings.leaseDuration(), nanoTime),
                signal::wake);
        var pace = new Pace(
                settings.reading().lookInterval(), settings.reading().longestIdle(), new SplittableRandom(), nanoTime);
        var alarm = new DestinationAlarm(dsl, destination);
        var loop = new DestinationLoop(sender, turn, pace, liveness, alarm, () -> heartbeat.wake());
        places.put(destination, loops.size());
        loops.add(loop);
        turns.add(new RelayThread(
                "waybill-relay-" + destination,
                loop::step,
                () -> loop.leave(settings.publisher().longestSend()),
                signal));
        return liveness;
    }

    void wake() {
        for (int i = 0; i < loops.size(); i++) {
            wake(i);
        }
    }

    /** Wakes one loop. Says whether it alone publishes to its destination. */
    boolean wake(String destination) {
        @Nullable Integer place = places.get(destination);
        if (place == null) {
            return false;
        }
        wake(place);
        return loops.get(place).isAlone();
    }

    private void wake(int place) {
        if (loops.get(place).wake()) {
            turns.get(place).wake();
        }
    }

    /** The threads that read, send or tidy up: all but the heartbeat, which outlives them. */
    Stream<RelayThread> workers() {
        return Stream.concat(background.threads(), turns.stream());
    }
}
