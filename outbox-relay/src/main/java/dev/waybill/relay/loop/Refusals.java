package dev.waybill.relay.loop;

import static org.jooq.impl.DSL.val;

import dev.waybill.hold.Cause;
import dev.waybill.relay.send.SendFailure;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
import dev.waybill.supervision.Fault;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs and records when a destination begins and ceases to refuse all messages. Confined to the loop's thread. */
final class Refusals {
    private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

    /** The alarm lasts five minutes beyond the last recorded refusal. */
    private static final long INTERVAL = Duration.ofSeconds(30).toNanos();

    /** The delay after the destination was locked. */
    private static final long AFTER_LOCK = Duration.ofSeconds(2).toNanos();

    private final DSLContext dsl;
    private final SqlFiles sql;
    private final LongSupplier nanoTime;
    private final Map<String, State> states = new HashMap<>();

    Refusals(DSLContext dsl, SchemaName schema, LongSupplier nanoTime) {
        this.dsl = dsl;
        sql = new SqlFiles(Refusals.class, schema);
        this.nanoTime = nanoTime;
    }

    private static final class State {
        private final Fault refusing = Fault.severe(LOG, System::nanoTime);
        private @Nullable Throwable last;
        private boolean accepts;
        private long recordedAt;
        private long acceptDueAt;

        State(long now) {
            acceptDueAt = now;
        }
    }

    void note(Destination destination, int accepted) {
        State state = states.computeIfAbsent(destination.name(), name -> new State(nanoTime.getAsLong()));
        @Nullable Throwable refusal = destination.sender().breaker().refusal();
        if (refusal != null) {
            refuse(destination.name(), state, refusal);
        } else if (accepted > 0 && !state.accepts) {
            accept(destination.name(), state);
        }
    }

    private void refuse(String destination, State state, Throwable refusal) {
        if (refusal != state.last) {
            state.refusing.failed("'" + destination + "' accepts no message; its messages wait", refusal);
        }
        long now = nanoTime.getAsLong();
        if (state.last == null || now - state.recordedAt > INTERVAL) {
            Cause cause = SendFailure.causeOf(refusal);
            dsl.execute(
                    sql.get("destination-refused"), val(destination), val(cause.reason()), val(cause.description()));
            state.recordedAt = now;
        }
        state.last = refusal;
        state.accepts = false;
    }

    // Also once after the start, because a former relay may have recorded a refusal.
    private void accept(String destination, State state) {
        long now = nanoTime.getAsLong();
        if (now - state.acceptDueAt < 0) {
            return;
        }
        if (dsl.fetchSingle(sql.get("destination-accepted"), val(destination)).get(0, Boolean.class)) {
            state.acceptDueAt = now + AFTER_LOCK;
            return;
        }
        state.refusing.recovered("'" + destination + "' accepts messages again");
        state.last = null;
        state.accepts = true;
    }
}
