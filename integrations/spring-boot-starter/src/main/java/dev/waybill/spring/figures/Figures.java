package dev.waybill.spring.figures;

import dev.waybill.schema.OptionalTables;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
import dev.waybill.supervision.RootCause;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToDoubleFunction;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what waits. A gauge that finds the last reading older than 15 s starts the next one on a thread beside it, and waits for that at
 * most 1 s: an absent database holds up no scrape, and without scrapes nothing is read. Thread-safe.
 */
public final class Figures {
    private static final Logger LOG = LoggerFactory.getLogger(Figures.class);
    private static final long FRESH_NANOS = Duration.ofSeconds(15).toNanos();
    private static final int ANSWER_SECONDS = 5;
    private static final long PATIENCE_MILLIS = 1_000;

    private final DSLContext dsl;
    private final SqlFiles sql;
    private final AtomicBoolean reading = new AtomicBoolean();
    private volatile @Nullable Reading last;

    private record Reading(
            List<Figure> figures, long at, @Nullable String failure) {}

    public Figures(DataSource dataSource, SchemaName schema) {
        dsl = OptionalTables.of(
                DSL.using(
                        dataSource,
                        SQLDialect.POSTGRES,
                        new Settings().withExecuteLogging(false).withQueryTimeout(ANSWER_SECONDS)),
                schema);
        sql = new SqlFiles(Figures.class, schema);
    }

    /** Reads now. Throws a {@link org.jooq.exception.DataAccessException} if the database fails, or does not let this service read. */
    public List<Figure> read() {
        return dsl.fetch(sql.get("figures"))
                .map(row -> new Figure(
                        row.get("figure", String.class),
                        row.get("name", String.class),
                        row.get("messages", Long.class),
                        row.get("oldest_seconds", Double.class)));
    }

    /** The alarms of relays and consumers; throws as {@link #read}. */
    public List<Alarm> alarms() {
        return dsl.fetch(sql.get("alarms")).into(Alarm.class);
    }

    /** Messages of the last reading; not a number if there is none, or the database has not answered. */
    double messages(String figure, String name) {
        return value(figure, name, Figure::messages);
    }

    /** The age of the oldest, as {@link #messages}. */
    double oldestSeconds(String figure, String name) {
        return value(figure, name, found -> found.oldestSeconds() == null ? 0 : found.oldestSeconds());
    }

    private double value(String figure, String name, ToDoubleFunction<Figure> value) {
        @Nullable Reading before = last;
        if (before == null || System.nanoTime() - before.at() > FRESH_NANOS) {
            readBeside();
        }
        @Nullable Reading known = last;
        if (known == null || known.failure() != null) {
            return Double.NaN;
        }
        return known.figures().stream()
                .filter(each -> each.figure().equals(figure) && each.name().equals(name))
                .mapToDouble(value)
                .sum();
    }

    private void readBeside() {
        if (reading.compareAndSet(false, true)) {
            var thread = new Thread(this::readNow, "waybill-figures");
            thread.setDaemon(true);
            thread.start();
            try {
                thread.join(PATIENCE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void readNow() {
        try {
            last = new Reading(read(), System.nanoTime(), null);
        } catch (RuntimeException e) {
            @Nullable Reading before = last;
            String why = RootCause.of(e);
            if (before == null || before.failure() == null) {
                LOG.warn("The gauges of Waybill's tables have no values: {}", why);
            }
            last = new Reading(List.of(), System.nanoTime(), why);
        } finally {
            reading.set(false);
        }
    }
}
