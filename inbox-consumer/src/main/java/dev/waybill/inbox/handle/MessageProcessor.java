package dev.waybill.inbox.handle;

import dev.waybill.hold.Cause;
import dev.waybill.inbox.ConsumerListener;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.LockLostException;
import dev.waybill.inbox.heartbeat.CrashCounter;
import dev.waybill.inbox.lock.InFlightWork;
import dev.waybill.inbox.record.Handling;
import dev.waybill.inbox.record.Recorder;
import dev.waybill.inbox.settle.FailureHandling;
import dev.waybill.inbox.settle.FallbackDisposal;
import dev.waybill.inbox.settle.Handled;
import dev.waybill.inbox.settle.Settlements;
import dev.waybill.inbox.transaction.AttemptOutcome;
import dev.waybill.inbox.transaction.InboxTransaction;
import dev.waybill.supervision.Traces;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles one message: attempts in place, then exactly one settlement. Thread-safe. */
public final class MessageProcessor {
    private static final Logger LOG = LoggerFactory.getLogger(MessageProcessor.class);
    private static final Traces TRACES = new Traces();

    private final InPlaceRetry tries;
    private final Recorder recorder;
    private final FailureHandling disposal;
    private final CrashCounter crashes;
    private final FallbackDisposal fallback;
    private final ConsumerListener listener;

    public MessageProcessor(
            InPlaceRetry tries,
            Recorder recorder,
            FailureHandling disposal,
            CrashCounter crashes,
            FallbackDisposal fallback,
            ConsumerListener listener) {
        this.tries = tries;
        this.recorder = recorder;
        this.disposal = disposal;
        this.crashes = crashes;
        this.fallback = fallback;
        this.listener = listener;
    }

    /** Throws {@link LockLostException} if the message's lock is lost. */
    public Handled run(Settlements settling, InboundMessage message, InFlightWork work) throws InterruptedException {
        return run(settling, message, null, work);
    }

    /** The next message may begin with this one's commit; null if unknown. */
    public Handled run(Settlements settling, InboundMessage message, @Nullable InboundMessage next, InFlightWork work)
            throws InterruptedException {
        var handling = new Handling(message, recorder, next);
        return take(
                settling,
                message,
                work,
                () -> crashes.concerns(message)
                        ? handleSuspect(settling, handling, work)
                        : handle(settling, handling, work));
    }

    public interface Taking {
        public Handled run() throws InterruptedException, SQLException;
    }

    /** Counts or logs every exception of {@code taking}. */
    public Handled take(Settlements settling, InboundMessage message, InFlightWork work, Taking taking)
            throws InterruptedException {
        listener.received(message);
        work.received(message);
        try {
            return taking.run();
        } catch (LockLostException e) {
            listener.lockLost(message);
            throw e;
        } catch (Throwable e) {
            tries.abandonNext(work);
            if (e instanceof InterruptedException stop && tries.stopping()) {
                throw stop;
            }
            return fallback.take(settling, message, e);
        } finally {
            work.settled();
        }
    }

    private Handled handleSuspect(Settlements settling, Handling handling, InFlightWork work)
            throws InterruptedException, SQLException {
        InboundMessage message = handling.message();
        int begun = begun(message);
        Handled handled = Handled.UNSETTLED;
        try {
            handled = begun > crashes.most()
                    ? disposal.failed(
                            settling,
                            message,
                            new Cause(
                                    "ProcessStopped",
                                    "Handling started " + (begun - 1)
                                            + " times without an end, so the message may end its process"))
                    : handle(settling, handling, work);
            return handled;
        } finally {
            crashes.end(message, handled == Handled.SETTLED);
        }
    }

    private int begun(InboundMessage message) {
        try {
            return crashes.begin(message);
        } catch (SQLException e) {
            TRACES.warn(LOG, "The start of message '" + message.id() + "' could not be recorded", e);
            return 0;
        }
    }

    private Handled handle(Settlements settling, Handling handling, InFlightWork work)
            throws InterruptedException, SQLException {
        InboundMessage message = handling.message();
        Optional<AttemptOutcome> last = tries.inPlace(handling, work);
        if (last.isEmpty()) {
            return disposal.stopped(settling, message);
        }
        InboxTransaction.Result result = last.get().result();
        if (result == null || !result.isDone()) {
            return disposal.dispose(settling, message, last.get());
        }
        settling.complete(message, result.outcome());
        return Handled.SETTLED;
    }
}
