package dev.waybill.relay.loop;

import static org.jooq.impl.DSL.val;

import dev.waybill.hold.Cause;
import dev.waybill.relay.send.Breaker;
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

/**
 * Logs and records when an owned destination begins and ceases to refuse all messages. Forgets it with the ownership: the alarm
 * is the next owner's. Confined to the loop's thread.
 */
final class Refusals {
    private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

    /** The alarm lasts five minutes beyond the last recorded refusal. */
    private static final long INTERVAL = Duration.ofSeconds(30).toNanos();

    /** The delay after the destination was locked, or was found to be another owner's. */
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
        private final long epoch;
        private @Nullable Throwable last;
        private long recorded;
        private boolean accepts;
        private long refuseDueAt;
        private long acceptDueAt;

        State(long epoch, long now) {
            this.epoch = epoch;
            refuseDueAt = now;
            acceptDueAt = now;
        }
    }

    void note(Destination destination, int accepted) {
        @Nullable Owned owned = destination.owned();
        if (owned == null) {
            states.remove(destination.name());
            return;
        }
        State state = state(owned);
        Breaker breaker = destination.sender().breaker();
        @Nullable Throwable refusal = breaker.refusal();
        if (refusal != null) {
            refuse(destination.name(), state, refusal, breaker.refusals());
        } else if (accepted > 0 && !state.accepts) {
            accept(destination.name(), state);
        }
    }

    private State state(Owned owned) {
        @Nullable State state = states.get(owned.destination());
        if (state == null || state.epoch != owned.epoch()) {
            state = new State(owned.epoch(), nanoTime.getAsLong());
            states.put(owned.destination(), state);
        }
        return state;
    }

    // Records only new refusals, so that the alarm ends when nothing is left to send.
    private void refuse(String destination, State state, Throwable refusal, long refusals) {
        if (refusal != state.last) {
            state.refusing.failed("'" + destination + "' accepts no message; its messages wait", refusal);
        }
        state.last = refusal;
        state.accepts = false;
        long now = nanoTime.getAsLong();
        if (refusals != state.recorded && now - state.refuseDueAt >= 0) {
            boolean done = record(destination, state.epoch, SendFailure.causeOf(refusal));
            state.recorded = done ? refusals : state.recorded;
            state.refuseDueAt = now + (done ? INTERVAL : AFTER_LOCK);
        }
    }

    private boolean record(String destination, long epoch, Cause cause) {
        return dsl.execute(
                        sql.get("destination-refused"),
                        val(destination),
                        val(epoch),
                        val(cause.reason()),
                        val(cause.description()))
                == 1;
    }

    // Also once after each claim, because a former owner may have recorded a refusal.
    private void accept(String destination, State state) {
        long now = nanoTime.getAsLong();
        if (now - state.acceptDueAt < 0) {
            return;
        }
        if (dsl.fetchSingle(sql.get("destination-accepted"), val(destination), val(state.epoch))
                .get(0, Boolean.class)) {
            state.acceptDueAt = now + AFTER_LOCK;
            return;
        }
        state.refusing.recovered("'" + destination + "' accepts messages again");
        state.last = null;
        state.refuseDueAt = now;
        state.accepts = true;
    }
}
