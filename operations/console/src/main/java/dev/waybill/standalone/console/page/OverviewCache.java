package dev.waybill.standalone.console.page;

import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.database.BacklogSamples;
import dev.waybill.standalone.database.BacklogSamples.Sample;
import dev.waybill.standalone.database.DatabaseFailure;
import dev.waybill.standalone.database.InstalledTables;
import dev.waybill.standalone.database.Overview;
import dev.waybill.standalone.database.OverviewReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the status of each outbox at most every two seconds, in parallel. A page waits a limited time for a hanging database,
 * and shows the previous status meanwhile. Thread-safe.
 */
public final class OverviewCache {
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(2);
    // Counting a million letters takes seconds.
    private static final int LETTERS_COUNTED = 10_000;
    private static final long PATIENCE_SECONDS = 6;
    // Many holds slow a reading down; the previous status is shown meanwhile.
    private static final long PATIENCE_WITH_EARLIER_NANOS = TimeUnit.MILLISECONDS.toNanos(150);
    private static final long OLDEST_NANOS = TimeUnit.SECONDS.toNanos(15);

    private final Map<String, Look> looks = new ConcurrentHashMap<>();
    private final Executor threads;
    private final LongSupplier nanos;
    private final Function<Database, Read> reader;

    public OverviewCache(Executor threads, LongSupplier nanos) {
        this(threads, nanos, database -> readNow(database, nanos));
    }

    OverviewCache(Executor threads, LongSupplier nanos, Function<Database, Read> reader) {
        this.threads = threads;
        this.nanos = nanos;
        this.reader = reader;
    }

    /** The status of an outbox with the backlog of the last hour by destination, or why it is unreadable. */
    public record Seen(
            Database database, @Nullable Overview overview, Map<String, List<Sample>> samples, String problem) {}

    record Read(Overview overview, Map<String, List<Sample>> samples) {}

    private record Look(
            long begun,
            CompletableFuture<Read> result,
            @Nullable Look earlier) {
        boolean serves(long now) {
            return !result.isDone() || now - begun < FRESH_NANOS;
        }

        @Nullable Look asEarlier(long now) {
            boolean usable = result.isDone() && !result.isCompletedExceptionally() && now - begun < OLDEST_NANOS;
            return usable ? new Look(begun, result, null) : null;
        }
    }

    public List<Seen> of(List<Database> databases) {
        List<Look> begun = databases.stream().map(this::look).toList();
        long end = nanos.getAsLong() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        var seen = new ArrayList<Seen>();
        for (int i = 0; i < begun.size(); i++) {
            seen.add(await(databases.get(i), begun.get(i), end));
        }
        return seen;
    }

    private Look look(Database database) {
        return looks.compute(database.name(), (name, before) -> {
            long now = nanos.getAsLong();
            return before != null && before.serves(now)
                    ? before
                    : new Look(now, read(database), before == null ? null : before.asEarlier(now));
        });
    }

    private CompletableFuture<Read> read(Database database) {
        return CompletableFuture.supplyAsync(() -> reader.apply(database), threads);
    }

    private static Read readNow(Database database, LongSupplier nanos) {
        try {
            return new Read(
                    new OverviewReader(database.name(), database.viewers(), database.schema()).read(LETTERS_COUNTED),
                    new BacklogSamples(database.viewers(), database.schema(), nanos).lastHour());
        } catch (DataAccessException e) {
            throw InstalledTables.explained(e, database.viewers(), database.schema());
        }
    }

    private Seen await(Database database, Look look, long end) {
        Look earlier = look.earlier;
        long patience = Math.max(1, end - nanos.getAsLong());
        if (earlier == null || nanos.getAsLong() - earlier.begun > OLDEST_NANOS) {
            return await(database, look.result, patience);
        }
        boolean isNew = isDone(look.result, Math.min(patience, PATIENCE_WITH_EARLIER_NANOS));
        return await(database, isNew ? look.result : earlier.result, patience);
    }

    private static boolean isDone(CompletableFuture<Read> result, long patience) {
        try {
            result.get(patience, TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            return result.isDone();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return true;
    }

    private static Seen await(Database database, CompletableFuture<Read> result, long patience) {
        try {
            Read read = result.get(patience, TimeUnit.NANOSECONDS);
            return new Seen(database, read.overview, read.samples, "");
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            return unseen(database, DatabaseFailure.text(database.settings(), cause));
        } catch (TimeoutException e) {
            return unseen(database, "The database has not answered within " + PATIENCE_SECONDS + " s.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return unseen(database, "The console is stopping.");
        }
    }

    private static Seen unseen(Database database, String problem) {
        return new Seen(database, null, Map.of(), problem);
    }
}
