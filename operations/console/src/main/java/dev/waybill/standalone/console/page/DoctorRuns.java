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
 * Runs the doctor at most once a minute, one run at a time. A page waits two seconds for the result, so that a silent broker
 * delays no page. Thread-safe.
 */
public final class DoctorRuns {
    private static final long APART_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long PATIENCE_SECONDS = 2;

    private final Configuration configuration;
    private final Executor threads;
    private final LongSupplier nanos;
    private @Nullable Examination running;
    private @Nullable Examination done;

    public DoctorRuns(Configuration configuration, Executor threads, LongSupplier nanos) {
        this.configuration = configuration;
        this.threads = threads;
        this.nanos = nanos;
    }

    private record Examination(long begun, CompletableFuture<List<Finding>> findings) {}

    /** The findings of the last run, or why it failed; the age is -1 before the first result. */
    public record Seen(List<Finding> findings, long ageSeconds, boolean running, String problem) {}

    /** The latest findings; starts a run if they are a minute old. */
    public Seen latest() {
        Examination now = begun();
        try {
            now.findings.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // The page shows earlier findings, or the failure.
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

    // Uses the relay's login, whose rights are checked, in read-only transactions.
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
