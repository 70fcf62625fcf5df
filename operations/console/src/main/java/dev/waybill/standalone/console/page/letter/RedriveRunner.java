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
 * Takes re-drives on in this process until they are done, paused, or fail. The progress of a run is in the database: after an end
 * of the process, somebody takes it on here, at another console or by the command line. Thread-safe.
 */
public final class RedriveRunner {
    private static final Logger LOG = LoggerFactory.getLogger(RedriveRunner.class);
    private static final int MOST_REMEMBERED = 200;

    /** In each, a text: empty while it is at work, or else why it stopped. */
    private final Map<Run, String> runs = new ConcurrentHashMap<>();

    private final Executor threads;

    /** Work on these threads, each of which a run keeps for as long as it takes. */
    public RedriveRunner(Executor threads) {
        this.threads = threads;
    }

    private record Run(String database, long id) {}

    /** Takes it on, unless it is taken on here already. */
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
            runs.put(run, "The console ends.");
        }
    }

    private void finish(Database database, Run run) {
        try {
            Redrives.in(database.operators(), database.schema()).finish(run.id);
            runs.remove(run);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            runs.put(run, "The console ends.");
        } catch (RuntimeException e) {
            LOG.warn("Re-drive {} does not go on: {}", run.id, DatabaseFailure.why(e));
            runs.put(run, DatabaseFailure.why(e));
        }
    }

    /** Whether this process takes it on. */
    boolean isAtWork(Database database, long id) {
        return "".equals(runs.get(new Run(database.name(), id)));
    }

    /** Why this process has stopped; empty if it has not. */
    String problem(Database database, long id) {
        return runs.getOrDefault(new Run(database.name(), id), "");
    }
}
