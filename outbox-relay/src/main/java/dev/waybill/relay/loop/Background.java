package dev.waybill.relay.loop;

import static org.jooq.impl.DSL.val;

import dev.waybill.relay.claims.ClaimCleanup;
import dev.waybill.relay.claims.ClaimTable;
import dev.waybill.relay.lease.LoopProgress;
import dev.waybill.relay.lease.RelayTable;
import dev.waybill.relay.schedule.Mover;
import dev.waybill.relay.schedule.ScheduledRows;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
import dev.waybill.supervision.Fault;
import dev.waybill.supervision.Outage;
import dev.waybill.supervision.RootCause;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Work beside the loop: moves scheduled messages, and deletes dead relays, retained messages and expired bodies. */
final class Background {
    private static final Logger LOG = LoggerFactory.getLogger(Background.class);
    private static final long TIDY_INTERVAL = Duration.ofMinutes(5).toNanos();

    /** Bodies per statement. */
    private static final int CLAIMS = 500;

    private final DSLContext dsl;
    private final SchemaName schema;
    private final SqlFiles sql;
    private final Mover mover;
    private final Map<String, Duration> retained;
    private final @Nullable ClaimCleanup claims;
    private final @Nullable RelayThread claimThread;
    private final RelayTable relays;
    private final LoopProgress progress;
    private final Supplier<Set<String>> owned;
    private final Consumer<String> moved;
    private final RelayThread thread;
    private final Fault fault = new Fault(LOG, System::nanoTime);
    private long tidiedAt = System.nanoTime() - TIDY_INTERVAL;

    /** {@code moved} receives the destination of moved messages. */
    Background(
            RelaySettings settings,
            DSLContext dsl,
            RelayTable relays,
            LoopProgress progress,
            Supplier<Set<String>> owned,
            Consumer<String> moved) {
        this.dsl = dsl;
        this.schema = settings.database().schema();
        sql = new SqlFiles(Background.class, schema);
        mover = new Mover(new ScheduledRows(dsl, schema), new SplittableRandom(), System::nanoTime);
        retained = settings.keeping().retained();
        claims = claims(settings.keeping().claims(), settings.destinations().keySet());
        this.relays = relays;
        this.progress = progress;
        this.owned = owned;
        this.moved = moved;
        thread = new RelayThread("waybill-relay-scheduled", this::step);
        claimThread = claims == null ? null : new RelayThread("waybill-relay-claims", claims::step);
    }

    private @Nullable ClaimCleanup claims(RelaySettings.@Nullable Claims from, Set<String> destinations) {
        return from == null
                ? null
                : new ClaimCleanup(
                        dsl,
                        new ClaimTable(dsl, schema, destinations),
                        from.store(),
                        from.retention(),
                        CLAIMS,
                        System::nanoTime);
    }

    private Duration step() {
        try {
            Mover.Step step = mover.step(owned.get());
            step.moved().keySet().forEach(moved);
            tidy();
            if (claims != null) {
                claims.logStandstill();
            }
            fault.recovered("Due scheduled messages are moved to the outbox again");
            progress.backgroundRecovered();
            return step.rest();
        } catch (RuntimeException e) {
            fault.failed("Due scheduled messages could not be moved to the outbox; the relay retries", e);
            progress.backgroundFailed("scheduled messages: " + RootCause.of(e));
            return Mover.LONGEST_REST;
        }
    }

    private void tidy() {
        if (System.nanoTime() - tidiedAt > TIDY_INTERVAL) {
            tidiedAt = System.nanoTime();
            relays.forgetDead();
            retained.values().stream().max(Duration::compareTo).ifPresent(this::trim);
        }
    }

    // One that retains a destination for a shorter time than others leaves it to the longest.
    private void trim(Duration longest) {
        dsl.fetch(
                sql.get("published-trim"),
                val(longest.toMillis()),
                val(retained.keySet().toArray(String[]::new)));
    }

    /** Moves all due messages on the calling thread; returns a failure or null. */
    @Nullable RuntimeException moveAll(Collection<String> destinations) {
        try {
            while (mover.step(destinations).count() > 0) {
                LOG.debug("Scheduled messages were moved to the outbox");
            }
            tidy();
            return mover.refusal();
        } catch (RuntimeException e) {
            return e;
        }
    }

    void share(Outage outage) {
        fault.share(outage, false);
        if (claims != null) {
            claims.fault().share(outage, false);
        }
    }

    void start() {
        threads().forEach(RelayThread::start);
    }

    Stream<RelayThread> threads() {
        return claimThread == null ? Stream.of(thread) : Stream.of(thread, claimThread);
    }
}
