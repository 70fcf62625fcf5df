package dev.waybill.relay.loop;

import dev.waybill.relay.connect.BriefWaits;
import dev.waybill.relay.lease.LoopProgress;
import dev.waybill.relay.lease.RelayTable;
import dev.waybill.relay.schedule.Mover;
import dev.waybill.relay.schedule.ScheduledRows;
import dev.waybill.schema.SchemaName;
import dev.waybill.supervision.Fault;
import dev.waybill.supervision.Outage;
import dev.waybill.supervision.RootCause;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Work beside the loop: moves scheduled messages whose time has come, removes rows of dead relays. */
final class Background {
    private static final Logger LOG = LoggerFactory.getLogger(Background.class);
    private static final long TIDY_INTERVAL = Duration.ofMinutes(5).toNanos();

    private final Mover mover;
    private final RelayTable relays;
    private final LoopProgress progress;
    private final Supplier<Set<String>> owned;
    private final Consumer<String> moved;
    private final RelayThread thread;
    private final Fault fault = new Fault(LOG, System::nanoTime);
    private long tidiedAt = System.nanoTime() - TIDY_INTERVAL;

    /**
     * The work of one relay.
     *
     * @param owned the destinations whose messages it moves
     * @param moved told the destination after messages to it have come into the outbox
     */
    Background(
            DSLContext dsl,
            SchemaName schema,
            RelayTable relays,
            LoopProgress progress,
            Supplier<Set<String>> owned,
            Consumer<String> moved) {
        mover = new Mover(new ScheduledRows(dsl, schema), new SplittableRandom(), System::nanoTime);
        this.relays = relays;
        this.progress = progress;
        this.owned = owned;
        this.moved = moved;
        thread = new RelayThread("waybill-relay-scheduled", this::step);
    }

    private Duration step() {
        try {
            Mover.Step step = mover.step(owned.get());
            step.moved().keySet().forEach(moved);
            tidy();
            fault.over("Scheduled messages are moved into the outbox again");
            progress.untroubled();
            return step.rest();
        } catch (RuntimeException e) {
            fault.met("Scheduled messages that are due could not be moved into the outbox, and it is tried again", e);
            progress.troubled("scheduled messages: " + RootCause.of(e));
            return Mover.LONGEST_REST;
        }
    }

    private void tidy() {
        if (System.nanoTime() - tidiedAt > TIDY_INTERVAL) {
            tidiedAt = System.nanoTime();
            relays.forgetDead();
        }
    }

    /** Moves all that is due, in the calling thread; returns why not, or null. */
    @Nullable RuntimeException moveAll(Collection<String> destinations) {
        try {
            while (mover.step(destinations).count() > 0) {
                LOG.debug("Scheduled messages were moved into the outbox");
            }
            return null;
        } catch (RuntimeException e) {
            return e;
        }
    }

    void share(Outage outage) {
        fault.share(outage, false);
    }

    void start() {
        thread.start();
    }

    Stream<RelayThread> threads() {
        return Stream.of(thread);
    }
}
