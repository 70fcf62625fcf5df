package dev.waybill.relay;

import dev.waybill.migrations.SchemaName;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jooq.DSLContext;

/**
 * Whether writers have been active a moment ago, by the cheapest of looks: the sequence's last value. It moves when a value
 * is drawn, not when its row commits, so it can only shorten a wait; that nothing is missed rests on reading in full from
 * time to time. Not thread-safe.
 */
final class Tide {
    /** How long after its value was drawn a row is looked for with short rests. */
    private static final long AFTERGLOW_NANOS = Duration.ofMillis(50).toNanos();

    private final DSLContext dsl;
    private final String peek;
    private final LongSupplier nanoTime;
    private long lastValue;
    private long movedAt;

    Tide(DSLContext dsl, SchemaName schema, LongSupplier nanoTime) {
        this.dsl = dsl;
        this.peek = "select last_value from " + schema.table("outbox_message_seq");
        this.nanoTime = nanoTime;
        this.movedAt = nanoTime.getAsLong();
    }

    boolean isHigh() {
        long value = dsl.fetchSingle(peek).get(0, Long.class);
        long now = nanoTime.getAsLong();
        if (value != lastValue) {
            lastValue = value;
            movedAt = now;
        }
        return now - movedAt < AFTERGLOW_NANOS;
    }
}
