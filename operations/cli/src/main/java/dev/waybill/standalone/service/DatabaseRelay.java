package dev.waybill.standalone.service;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.deadletter.DeadLetterCollector;
import dev.waybill.deadletter.DeadLetterQueue;
import dev.waybill.relay.Relay;
import dev.waybill.schema.FeatureMissing;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.database.BacklogSamples;
import dev.waybill.standalone.database.DatabaseFailure;
import dev.waybill.standalone.database.Status;
import dev.waybill.standalone.health.HealthCheck;
import dev.waybill.standalone.metrics.DatabaseMetrics;
import dev.waybill.standalone.metrics.SendMetrics;
import dev.waybill.supervision.Fault;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** The relay of one database, with two loops on their own threads. */
final class DatabaseRelay {
    private static final Logger LOG = LoggerFactory.getLogger(DatabaseRelay.class);
    private static final Duration FIRST_REST = Duration.ofSeconds(1);
    private static final Duration LONGEST_REST = Duration.ofSeconds(15);
    private static final String TIME_ZONE = "invalid value for parameter \"TimeZone\"";
    private static final Duration SILENCE = Duration.ofSeconds(30);

    private final DatabaseSettings settings;
    private final HikariDataSource pool;
    private final Work work;
    private final SendMetrics sends;
    private final DatabaseMetrics figures;
    private volatile @Nullable DeadLetterCollector collector;
    private volatile boolean hopeless;
    private boolean publishing;
    private volatile boolean sampled = true;
    private volatile boolean started;
    private volatile String database = "not asked yet";
    private volatile boolean answers;
    private final Fault starting = new Fault(LOG, System::nanoTime);
    private final Fault looking = new Fault(LOG, System::nanoTime);
    private final Fault sampling = new Fault(LOG, System::nanoTime);
    private final BacklogSamples samples;
    private Duration rest = FIRST_REST;

    DatabaseRelay(
            DatabaseSettings settings, HikariDataSource pool, Work work, SendMetrics sends, DatabaseMetrics figures) {
        this.settings = settings;
        this.pool = pool;
        this.work = work;
        this.sends = sends;
        this.figures = figures;
        this.samples = new BacklogSamples(pool, settings.schema(), System::nanoTime);
    }

    /** Whether no retry can help: PostgreSQL refuses every connection of this process. */
    boolean isHopeless() {
        return hopeless;
    }

    String name() {
        return settings.name();
    }

    /** Tries to start the relay; returns zero on success, or the delay before a retry. */
    Duration start() {
        try {
            startRelay();
            if (!work.deadLetters.isEmpty()) {
                collector = DeadLetterCollector.start(pool, settings.schema(), work.deadLetters);
            }
            started = true;
            starting.recovered("The relay of " + settings + " has started");
            LOG.info(
                    "Relay of {} started, schema '{}', destinations {}",
                    settings,
                    settings.schema(),
                    settings.destinations());
            return Duration.ZERO;
        } catch (Throwable e) {
            hopeless = DatabaseFailure.why(e).contains(TIME_ZONE);
            if (hopeless) {
                LOG.error(
                        "The relay of {} cannot start: PostgreSQL does not know the JVM's time zone '{}'. Set"
                                + " -Duser.timezone or TZ to a name of pg_timezone_names, such as Asia/Kolkata",
                        settings,
                        TimeZone.getDefault().getID());
                return Duration.ZERO;
            }
            starting.failed(
                    "The relay of " + settings + " cannot start and tries again, every 15 s in the end",
                    DatabaseFailure.text(settings, e));
            Duration now = rest;
            rest = rest.multipliedBy(2).compareTo(LONGEST_REST) > 0 ? LONGEST_REST : rest.multipliedBy(2);
            return now;
        }
    }

    // Only once, because the collector may fail afterwards.
    private void startRelay() {
        if (!publishing) {
            work.relay.start();
            publishing = true;
        }
    }

    void look() {
        try {
            Status status = figures.read();
            sample(status);
            database = status.liveRelays() + (status.liveRelays() == 1 ? " relay alive" : " relays alive");
            answers = true;
            looking.recovered("The status of " + settings + " can be read again");
        } catch (Throwable e) {
            figures.hide();
            database = "does not answer: " + DatabaseFailure.why(e);
            answers = false;
            looking.failed("The status of " + settings + " cannot be read", DatabaseFailure.text(settings, e));
        }
    }

    // The console draws the samples; the relay works without them.
    private void sample(Status status) {
        if (!sampled) {
            return;
        }
        try {
            if (samples.keep(status.destinations())) {
                sampling.recovered("What waits in " + settings + " is kept for the console again");
            }
        } catch (FeatureMissing e) {
            // Without a console no chart is missing.
            LOG.atLevel(work.console ? Level.INFO : Level.DEBUG)
                    .log("{} has no tables for the console's charts: {}", settings, e.getMessage());
            sampled = false;
        } catch (RuntimeException e) {
            sampling.failed(
                    "What waits in " + settings + " is not kept for the console", DatabaseFailure.text(settings, e));
        }
    }

    void hideOldFigures() {
        figures.hideOld();
    }

    OptionalLong waitingDestinations() {
        return figures.waiting();
    }

    HealthCheck startup() {
        return new HealthCheck("relay of " + settings.name(), started, started ? "started" : "not started yet");
    }

    HealthCheck databaseReadiness() {
        return new HealthCheck("database " + settings.name(), answers, database);
    }

    HealthCheck brokerReadiness() {
        Duration silence = sends.silence();
        boolean ok = silence.compareTo(SILENCE) < 0;
        return new HealthCheck(
                "broker of " + settings.name(),
                ok,
                ok
                        ? "no send has waited for " + SILENCE.toSeconds() + " s"
                        : "silent for " + silence.toSeconds() + " s"
                                + sends.cause().map(cause -> ": " + cause).orElse(""));
    }

    /** Settles messages in flight and releases the leases. */
    void handOver() {
        work.relay.close();
        @Nullable DeadLetterCollector collecting = collector;
        if (collecting != null) {
            collecting.close();
        }
        pool.close();
    }

    /** {@code console}: whether this process serves one. */
    record Work(Relay relay, List<DeadLetterQueue> deadLetters, boolean console) {}
}
