package dev.waybill.standalone.console.page.letter;

import dev.waybill.deadletter.Redrives;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.database.DatabaseFailure;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes re-drives until they are done, paused or failed. The database stores their progress, so another console or the
 * command line can continue a run. Thread-safe.
 */
public final class RedriveRunner {
    private static final Logger LOG = LoggerFactory.getLogger(RedriveRunner.class);
    private static final int MOST_REMEMBERED = 200;

    /** The problem of each run; empty while it is active. */
    private final Map<Run, String> runs = new ConcurrentHashMap<>();

    private final Executor threads;

    public RedriveRunner(Executor threads) {
        this.threads = threads;
    }

    private record Run(String database, long id) {}

    /** Starts a run, unless it is active here. */
    public void take(Database database, long id) {
        var run = new Run(database.name(), id);
        if (runs.size() > MOST_REMEMBERED) {
            runs.values().removeIf(why -> !why.isEmpty());
        }
        @Nullable String before = runs.put(run, "");
        if (before != null && before.isEmpty()) {
            return;
        }
        try {
            threads.execute(() -> finish(database, run));
        } catch (RejectedExecutionException e) {
            runs.put(run, "The console is stopping.");
        }
    }

    private void finish(Database database, Run run) {
        try {
            Redrives.in(database.operators(), database.schema()).finish(run.id);
            runs.remove(run);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            runs.put(run, "The console is stopping.");
        } catch (RuntimeException e) {
            LOG.warn("Re-drive {} stopped: {}", run.id, DatabaseFailure.why(e));
            runs.put(run, DatabaseFailure.why(e));
        }
    }

    boolean isAtWork(Database database, long id) {
        return "".equals(runs.get(new Run(database.name(), id)));
    }

    /** Why the run stopped here; empty otherwise. */
    String problem(Database database, long id) {
        return runs.getOrDefault(new Run(database.name(), id), "");
    }
}
