package dev.waybill.standalone.console.page;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.ConsoleSettings.Login;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.database.DatabaseFailure;
import dev.waybill.standalone.database.Pools;
import dev.waybill.standalone.doctor.Doctor;
import dev.waybill.standalone.doctor.Finding;
import dev.waybill.standalone.servicebus.Bus;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The doctor's examinations: one at a time, a minute apart at least, for all who look. Nobody waits for more than two
 * seconds: a broker that is silent delays the next findings and no page. Thread-safe.
 */
public final class DoctorRuns {
    private static final long APART_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long PATIENCE_SECONDS = 2;

    private final Configuration configuration;
    private final Executor threads;
    private final LongSupplier nanos;
    private @Nullable Examination running;
    private @Nullable Examination done;

    /** Examines on these threads. */
    public DoctorRuns(Configuration configuration, Executor threads, LongSupplier nanos) {
        this.configuration = configuration;
        this.threads = threads;
        this.nanos = nanos;
    }

    private record Examination(long begun, CompletableFuture<List<Finding>> findings) {}

    /**
     * The findings of the last examination.
     *
     * @param ageSeconds since that examination began; -1 if there was none yet
     * @param running whether one is under way
     * @param problem why the last one found nothing; empty unless it failed
     */
    public record Seen(List<Finding> findings, long ageSeconds, boolean running, String problem) {}

    /** The latest findings, by an examination that begins now if the one before is a minute old. */
    public Seen latest() {
        Examination now = begun();
        try {
            now.findings.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // The earlier findings are shown, or the failure is.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return seen();
    }

    private synchronized Examination begun() {
        long now = nanos.getAsLong();
        settle();
        if (running != null) {
            return running;
        }
        if (done != null && now - done.begun < APART_NANOS) {
            return done;
        }
        var next = new Examination(now, CompletableFuture.supplyAsync(this::examine, threads));
        running = next;
        return next;
    }

    private void settle() {
        if (running != null && running.findings.isDone()) {
            done = running;
            running = null;
        }
    }

    private synchronized Seen seen() {
        settle();
        Examination last = done;
        if (last == null) {
            return new Seen(List.of(), -1, true, "");
        }
        long age = TimeUnit.NANOSECONDS.toSeconds(nanos.getAsLong() - last.begun);
        try {
            return new Seen(last.findings.join(), age, running != null, "");
        } catch (RuntimeException e) {
            String why = DatabaseFailure.why(Optional.ofNullable(e.getCause()).orElse(e));
            return new Seen(List.of(), age, running != null, why);
        }
    }

    // As the relay's role, whose rights are examined, and unable to write.
    private List<Finding> examine() {
        var pools = new HashMap<DatabaseSettings, HikariDataSource>();
        try {
            var nobody = new Login(Optional.empty(), Optional.empty());
            configuration.databases().forEach(each -> pools.put(each, Pools.forViewers(each, nobody)));
            return Doctor.examine(
                    configuration, namespace -> new Bus(namespace).entities(), pools::get, InstantSource.system());
        } finally {
            pools.values().forEach(HikariDataSource::close);
        }
    }
}
