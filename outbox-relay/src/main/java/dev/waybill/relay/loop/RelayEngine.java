package dev.waybill.relay.loop;

import static org.jooq.impl.DSL.val;

import dev.waybill.outbox.WakeChannel;
import dev.waybill.relay.HoldPolicy;
import dev.waybill.relay.RelayHealth;
import dev.waybill.relay.claims.ClaimTable;
import dev.waybill.relay.connect.LoopConnection;
import dev.waybill.relay.connect.RelayConnections;
import dev.waybill.relay.lease.DestinationTable;
import dev.waybill.relay.lease.Heartbeat;
import dev.waybill.relay.lease.Lease;
import dev.waybill.relay.lease.LoopProgress;
import dev.waybill.relay.lease.Places;
import dev.waybill.relay.lease.RelayTable;
import dev.waybill.relay.send.Breaker;
import dev.waybill.relay.send.DestinationSender;
import dev.waybill.relay.settle.AcceptedRows;
import dev.waybill.relay.settle.HeldRows;
import dev.waybill.schema.FeatureMissing;
import dev.waybill.schema.IdleLimit;
import dev.waybill.schema.SchemaName;
import dev.waybill.supervision.BoundedConnections;
import dev.waybill.supervision.BoundedWaits;
import dev.waybill.supervision.DeferredInterrupts;
import dev.waybill.supervision.KeepAlive;
import dev.waybill.supervision.Outage;
import dev.waybill.supervision.StopSignal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** Connects a relay's parts: the loop, the heartbeat, background work and a listener. As thread-safe as {@code Relay}. */
public final class RelayEngine {
    /** The payload of a notification that the set of relays or free destinations has changed. */
    private static final String MEMBERS = "members";

    private final RelaySettings settings;
    private final BoundedWaits waits = new BoundedWaits();
    private final LongSupplier nanoTime = System::nanoTime;
    private final StopSignal signal = new StopSignal();
    private final DSLContext dsl;
    private final SchemaName schema;
    private final LoopProgress progress;
    private final Places places = new Places();
    private final Heartbeat heart;
    private final LoopConnection connection;
    private final ExecutorService statements;
    private final RelayLoop loop;
    private final LoopTurn turn;
    private final RelayThread loopThread;
    private final RelayThread heartbeat;
    private final Background background;
    private final @Nullable WakeListener listener;
    private final Outage outage;
    private volatile @Nullable KeepAlive alive;

    public RelayEngine(RelaySettings settings) {
        this.settings = settings;
        schema = settings.database().schema();
        dsl = schema.in(database());
        var destinations = List.copyOf(settings.destinations().keySet());
        var lease = new Lease(settings.leaseDuration(), nanoTime);
        progress = new LoopProgress(destinations, settings.longestTurn(), nanoTime);
        String name = settings.database().relay();
        var relays = new RelayTable(dsl, schema, name, settings.publisher().followsEntities(), places);
        heart = new Heartbeat(relays, lease, progress, nanoTime);
        heartbeat = new RelayThread("waybill-relay-heartbeat", heart::step);
        connection = new LoopConnection(
                dsl, settings.longestAnswer().toMillis(), !settings.database().single());
        statements = Executors.newSingleThreadExecutor(RelayEngine::statementThread);
        var sending = new Sending(
                lease, new IsolationRecord(dsl, schema), settings.polling().batchRows(), signal::wake);
        var inOrder = new Statements(statements, sending::isQuiet, signal::wake);
        loop = new RelayLoop(
                parts(lease, sending, inOrder),
                inOrder,
                lease,
                progress,
                settings.destinations().entrySet().stream()
                        .map(this::destination)
                        .toList(),
                nanoTime);
        turn = new LoopTurn(loop, progress, nanoTime, settings.leaseDuration(), this::announce);
        loopThread = new RelayThread("waybill-relay", turn::take, this::leave, signal);
        background = new Background(settings, dsl, relays, progress, loop::ownedNames, this::moved);
        listener = settings.database().listening() ? new WakeListener(dsl, schema, this::notified) : null;
        outage = new Outage("relay '" + name + "'", nanoTime);
        heart.fault().share(outage, true);
        turn.fault().share(outage, true);
        background.share(outage);
        if (listener != null) {
            listener.fault().share(outage, false);
        }
    }

    private Duration interval() {
        return settings.polling().interval();
    }

    private DSLContext database() {
        var pool = new BoundedConnections(settings.database().dataSource(), waits);
        Duration longest = settings.longestAnswer();
        return IdleLimit.of(
                longest,
                settings.database().single()
                        ? RelayConnections.one(pool, longest)
                        : RelayConnections.using(pool, longest));
    }

    private LoopParts parts(Lease lease, Sending sending, Statements inOrder) {
        var reading = new Reading(connection, schema, interval(), nanoTime);
        var time =
                HeldSends.Time.of(settings.leaseDuration(), settings.publisher().longestSend());
        return new LoopParts(
                reading,
                sending,
                new Settling(
                        inOrder,
                        new AcceptedRows(
                                connection,
                                schema,
                                settings.keeping().retained().keySet()),
                        new HeldRows(dsl, schema),
                        reading.floors(),
                        settings.keeping().claims() == null
                                ? null
                                : new ClaimTable(
                                        dsl, schema, settings.destinations().keySet()),
                        nanoTime),
                new Ownership(
                        new DestinationTable(dsl, schema),
                        lease,
                        reading.floors(),
                        nanoTime,
                        this::announce,
                        settings.database().single() ? Level.DEBUG : Level.INFO),
                new HeldSends(dsl, schema, settings.keeping().retained().keySet(), time, nanoTime, signal::wake),
                new Refusals(dsl, schema, nanoTime));
    }

    private static Thread statementThread(Runnable work) {
        var thread = new Thread(work, "waybill-relay-statements");
        thread.setDaemon(true);
        return thread;
    }

    private Destination destination(Map.Entry<String, HoldPolicy> served) {
        var breaker = new Breaker(nanoTime, new SplittableRandom());
        var sender = new DestinationSender(served.getKey(), served.getValue(), settings.publisher(), breaker);
        return new Destination(
                sender,
                new PollSchedule(interval(), settings.polling().longestIdle(), nanoTime.getAsLong()),
                this::membersChanged);
    }

    private void membersChanged() {
        loop.membersChanged();
        signal.wake();
    }

    // Other relays then check the members.
    private void announce() {
        dsl.fetch("select pg_notify({0}, {1})", val(WakeChannel.of(schema)), val(MEMBERS));
        membersChanged();
    }

    private void notified(Set<String> payloads) {
        if (payloads.contains(MEMBERS)) {
            membersChanged();
        }
        wake();
    }

    private void moved(String destination) {
        if (loop.wake(destination)) {
            signal.wake();
        }
    }

    public DSLContext dsl() {
        return dsl;
    }

    public Outage outage() {
        return outage;
    }

    /** How many connections the relay needs at once. */
    public int connections() {
        return listener == null ? 3 : 4;
    }

    /** Inserts the relay's rows and begins to serve its destinations. */
    public void signOn() {
        if (!settings.keeping().retained().isEmpty()) {
            FeatureMissing.require(dsl, schema, "outbox_published");
        }
        new DestinationTable(dsl, schema).ensure(settings.destinations().keySet());
        places.ask(settings.publisher(), settings.destinations().keySet());
        progress.becomeReady();
        heart.beat();
    }

    public void start() {
        announce();
        alive = KeepAlive.start("waybill-relay-alive");
        heartbeat.start();
        background.start();
        loopThread.start();
        if (listener != null) {
            listener.start();
        }
    }

    /** Publishes committed and due messages on the calling thread; returns the number of accepted messages. */
    public int publishCommitted() {
        RuntimeException unmoved = background.moveAll(settings.destinations().keySet());
        int published = turn.drain(settings.leaseDuration().dividedBy(4).multipliedBy(3), signal);
        if (unmoved != null) {
            throw unmoved;
        }
        return published;
    }

    public void wake() {
        if (loop.wake()) {
            signal.wake();
        }
    }

    /** Returns whether this relay publishes the destination. */
    public boolean wake(String destination) {
        boolean publishes = loop.publishes(destination);
        if (publishes && loop.wake(destination)) {
            signal.wake();
        }
        return publishes;
    }

    public RelayHealth health() {
        return progress.health();
    }

    public boolean isOwnThread() {
        return threads().anyMatch(RelayThread::isCurrent);
    }

    private Stream<RelayThread> threads() {
        return Stream.concat(background.threads(), Stream.of(loopThread, heartbeat));
    }

    // On the loop's thread, after its last turn.
    private void leave() {
        progress.enter(LoopProgress.NOT_AT_WORK, "the relay stops");
        turn.leave(settings.publisher().longestSend());
        statements.execute(connection::close);
        statements.shutdown();
        try {
            var unused = statements.awaitTermination(settings.longestAnswer().toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** How long a stop may take. */
    public Duration patience() {
        return settings.publisher().longestSend().plus(settings.leaseDuration());
    }

    /** Ends the relay and closes its publisher. {@code inTurns}: it ran on its caller's threads. */
    public void end(boolean inTurns, BoundedWaits.Limit limit, DeferredInterrupts interrupts) {
        try {
            if (listener != null) {
                listener.close();
            }
            List<RelayThread> working =
                    Stream.concat(background.threads(), Stream.of(loopThread)).toList();
            working.forEach(RelayThread::stop);
            working.forEach(thread -> thread.join(patience()));
            if (inTurns) {
                interrupts.deferAgain();
                leave();
            }
            heartbeat.stop();
            heartbeat.join(settings.leaseDuration());
            limit.last("waybill-relay-leave", this::signOff);
        } finally {
            interrupts.deferAgain();
            progress.becomeUnready();
            letProcessEnd();
            settings.publisher().close();
        }
    }

    private void letProcessEnd() {
        @Nullable KeepAlive last = alive;
        if (last != null) {
            last.close();
        }
    }

    private void signOff() {
        heart.stop(loop.isQuiet() ? Duration.ZERO : settings.publisher().longestSend());
        turn.announceEnd();
    }

    /** Limits waits for connections during a stop. */
    public BoundedWaits.Limit limitWaits() {
        return waits.limit(BoundedWaits.AT_A_STOP);
    }
}
