package dev.waybill.inbox;

import dev.waybill.inbox.Deferrals.Wanted;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches deferred messages that somebody wants back and hands them to the handler: under their session's lock, as every
 * message of it. Thread-safe.
 *
 * <p>A session that somebody has at the moment is left for the next time; its owner gives it back when it is idle.
 */
final class ResumeTurn {
    private static final Logger LOG = LoggerFactory.getLogger(ResumeTurn.class);
    private static final Duration ACCEPT = Duration.ofSeconds(5);

    private final MessageSource source;
    private final MessageTurn messages;
    private final Deferrals deferrals;
    private final Database database;
    private final String consumer;
    private final ConsumerListener listener;

    ResumeTurn(
            MessageSource source,
            MessageTurn messages,
            Deferrals deferrals,
            Database database,
            String consumer,
            ConsumerListener listener) {
        this.source = source;
        this.messages = messages;
        this.deferrals = deferrals;
        this.database = database;
        this.consumer = consumer;
        this.listener = listener;
    }

    /** Fetches what is wanted now; returns how many messages were settled. */
    int run(Work work) throws InterruptedException, SQLException {
        int settled = 0;
        for (var session : bySession().entrySet()) {
            settled += resume(session.getKey(), session.getValue(), work);
        }
        return settled;
    }

    private Map<String, List<Wanted>> bySession() throws SQLException {
        var sessions = new LinkedHashMap<String, List<Wanted>>();
        for (Wanted wanted : deferrals.wanted(database, consumer)) {
            sessions.computeIfAbsent(wanted.session() == null ? "" : wanted.session(), id -> new ArrayList<>())
                    .add(wanted);
        }
        return sessions;
    }

    private int resume(String session, List<Wanted> wanted, Work work) throws InterruptedException, SQLException {
        Optional<Receiver> accepted = source.accept(session, ACCEPT);
        if (accepted.isEmpty()) {
            for (Wanted missed : wanted) {
                deferrals.again(database, missed);
            }
            return 0;
        }
        int settled = 0;
        try (Receiver receiver = accepted.get()) {
            work.accepted(receiver);
            var settling = new Settling(receiver, listener);
            for (Wanted next : wanted) {
                settled += resume(receiver, settling, next, work) ? 1 : 0;
                settling.confirm(0);
            }
        } catch (LockLostException e) {
            LOG.info("{}; unsettled messages are resumed again", e.getMessage(), e);
            for (Wanted next : wanted) {
                deferrals.again(database, next);
            }
        } finally {
            work.released();
        }
        return settled;
    }

    // Not found is no proof of loss: the broker may never have been told to defer it, or somebody else has it.
    private boolean resume(Receiver receiver, Settling settling, Wanted wanted, Work work)
            throws InterruptedException, SQLException {
        Optional<InboundMessage> message = receiver.receiveDeferred(wanted.sequenceNumber());
        if (message.isPresent()) {
            return messages.run(settling, message.get(), work);
        }
        if (!deferrals.forgetIfDone(database, wanted)) {
            LOG.warn(
                    "Deferred message '{}' (number {}) was not found, try {}",
                    wanted.messageId(),
                    wanted.sequenceNumber(),
                    wanted.tries() + 1);
            deferrals.again(database, wanted);
        }
        return false;
    }
}
