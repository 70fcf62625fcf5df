package dev.waybill.relay.loop;

import static org.jooq.impl.DSL.val;

import dev.waybill.hold.Cause;
import dev.waybill.relay.send.SendFailure;
import dev.waybill.schema.SchemaName;
import dev.waybill.supervision.Fault;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs and records that a destination refuses whatever is sent to it, and that it does so no more. Confined to the loop's thread. */
final class Refusals {
    private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

    /** The alarm lasts for five minutes after the refusal was seen last. */
    private static final long INTERVAL = Duration.ofSeconds(30).toNanos();

    private final DSLContext dsl;
    private final SchemaName schema;
    private final LongSupplier nanoTime;
    private final Map<String, State> states = new HashMap<>();

    Refusals(DSLContext dsl, SchemaName schema, LongSupplier nanoTime) {
        this.dsl = dsl;
        this.schema = schema;
        this.nanoTime = nanoTime;
    }

    private static final class State {
        private final Fault refusing = Fault.severe(LOG, System::nanoTime);
        private @Nullable Throwable last;
        private boolean accepts;
        private long recordedAt;
    }

    /**
     * After each turn.
     *
     * @param accepted how many messages were accepted in it
     */
    void note(Destination destination, int accepted) {
        State state = states.computeIfAbsent(destination.name(), name -> new State());
        @Nullable Throwable refusal = destination.sender().breaker().refusal();
        if (refusal != null) {
            refuse(destination.name(), state, refusal);
        } else if (accepted > 0 && !state.accepts) {
            accept(destination.name(), state);
        }
    }

    private void refuse(String destination, State state, Throwable refusal) {
        if (refusal != state.last) {
            state.refusing.met("'" + destination + "' accepts no message; its messages wait", refusal);
        }
        long now = nanoTime.getAsLong();
        if (state.last == null || now - state.recordedAt > INTERVAL) {
            Cause cause = SendFailure.causeOf(refusal);
            dsl.execute(REFUSED.formatted(schema), val(destination), val(cause.reason()), val(cause.description()));
            state.recordedAt = now;
        }
        state.last = refusal;
        state.accepts = false;
    }

    // Also once after the start: a relay that is no more may have recorded it.
    private void accept(String destination, State state) {
        dsl.execute(ACCEPTED.formatted(schema), val(destination));
        state.refusing.over("'" + destination + "' accepts messages again");
        state.last = null;
        state.accepts = true;
    }

    private static final String REFUSED = """
            update %1$s.outbox_destination
            set refused_at = coalesce(refused_at, clock_timestamp()), refusal_seen_at = clock_timestamp(),
              refusal_reason = {1}, refusal_description = {2}
            where destination = {0}
            """;

    private static final String ACCEPTED = """
            update %1$s.outbox_destination
            set refused_at = null, refusal_seen_at = null, refusal_reason = null, refusal_description = null
            where destination = {0} and refused_at is not null
            """;
}
