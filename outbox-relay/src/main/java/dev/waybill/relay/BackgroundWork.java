package dev.waybill.relay;

import dev.waybill.schema.Prerequisites;
import dev.waybill.schema.SchemaName;
import dev.waybill.supervision.Fault;
import dev.waybill.supervision.Outage;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** Does a relay's work beside its destinations: tidies up, moves messages whose time has come, removes bodies, listens. */
final class BackgroundWork {
    /** How many messages whose time has come are moved in one transaction. */
    private static final int SCHEDULED_ROWS = 500;

    /** How many bodies are looked at, and removed, in one statement. */
    private static final int CLAIMS = 500;

    private final RelayOptions settings;
    private final DSLContext dsl;
    private final DSLContext brief;
    private final SchemaName schema;
    private final Scheduling schedule;
    private final List<Part> parts;
    private final @Nullable WakeListener listener;

    /**
     * The work of one relay.
     *
     * @param trouble told what of the housekeeping does not work
     * @param listening told when the listener takes a connection and gives it back
     * @param loops told when there may be something to publish
     */
    BackgroundWork(
            RelayOptions settings,
            DSLContext dsl,
            RelayBeats beats,
            Trouble trouble,
            Consumer<Boolean> listening,
            Loops loops) {
        this.settings = settings;
        this.dsl = dsl;
        brief = BriefWaits.of(dsl, settings.longestAnswer(), settings.longestLockWait());
        schema = settings.database().schema();
        RelayOptions.@Nullable Claims claims = settings.space().claims();
        @Nullable ClaimCleanup cleanup = claims == null ? null : cleanup(claims);
        Housekeeping tidying = housekeeping(beats, trouble, cleanup == null ? () -> {} : cleanup::tellStandstill);
        schedule = scheduling(loops.one());
        parts = Stream.concat(
                        Stream.of(
                                part("housekeeping", tidying::step, tidying.fault()),
                                part("scheduling", schedule::step, schedule.fault())),
                        Stream.ofNullable(cleanup).map(removing -> part("claims", removing::step, removing.fault())))
                .toList();
        listener = settings.database().listening() ? new WakeListener(dsl, schema, listening, loops.all()) : null;
    }

    /**
     * How the loops are woken.
     *
     * @param one told the destination
     */
    record Loops(Runnable all, Consumer<String> one) {}

    private static Part part(String name, Supplier<Duration> step, Fault fault) {
        return new Part(new RelayThread("waybill-relay-" + name, step), fault);
    }

    private record Part(RelayThread thread, Fault fault) {}

    /** @param watch looks at what may have come to a standstill on another thread */
    private Housekeeping housekeeping(RelayBeats beats, Trouble trouble, Runnable watch) {
        var clock = new RingClock(brief, schema, settings.space().partitionAge());
        var stragglers = new Stragglers(brief, schema);
        var messages = Ring.ofMessages(brief, schema, settings.space().historyPartitions());
        // A policy may come while the relay runs. The tasks fail at rows that it would hide, and this tells of
        // all tables.
        Runnable seesAll = () -> Prerequisites.requireAllRows(dsl, schema);
        return new Housekeeping(
                new OutboxHistory(brief, schema),
                List.of(
                        watch,
                        seesAll,
                        clock::turn,
                        stragglers::turn,
                        messages::turn,
                        Ring.ofProgress(brief, schema)::turn,
                        Ring.ofBeats(brief, schema)::turn,
                        () -> brief.transaction(tx -> beats.forgetTheDead(tx.dsl())),
                        new EventRing(brief, schema)::turn),
                List.of(seesAll, messages::turn),
                trouble);
    }

    private ClaimCleanup cleanup(RelayOptions.Claims claims) {
        return new ClaimCleanup(
                dsl, new ClaimTable(brief, schema), claims.store(), claims.retention(), CLAIMS, System::nanoTime);
    }

    private Scheduling scheduling(Consumer<String> wake) {
        var table = new ScheduledTable(brief, schema, SCHEDULED_ROWS);
        return new Scheduling(table, List.copyOf(settings.destinations().keySet()), wake, new SplittableRandom());
    }

    Scheduling schedule() {
        return schedule;
    }

    /** All of it rests for long after a failure, so the outage does not wait for it. */
    void share(Outage outage) {
        parts.forEach(part -> part.fault().share(outage, false));
        if (listener != null) {
            listener.fault().share(outage, false);
        }
    }

    void start() {
        threads().forEach(RelayThread::start);
    }

    void listen() {
        if (listener != null) {
            listener.start();
        }
    }

    void stopListening() {
        if (listener != null) {
            listener.close();
        }
    }

    Stream<RelayThread> threads() {
        return parts.stream().map(Part::thread);
    }
}
