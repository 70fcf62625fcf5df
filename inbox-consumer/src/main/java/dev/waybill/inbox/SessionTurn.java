package dev.waybill.inbox;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One session from acceptance until it is idle: its messages one after the other. Thread-safe. */
final class SessionTurn {
    private static final Logger LOG = LoggerFactory.getLogger(SessionTurn.class);

    private final SessionSource source;
    private final MessageTurn messages;
    private final Duration idle;
    private final BooleanSupplier stopping;

    SessionTurn(SessionSource source, MessageTurn messages, Duration idle, BooleanSupplier stopping) {
        this.source = source;
        this.messages = messages;
        this.idle = idle;
        this.stopping = stopping;
    }

    /** Takes one session; returns how many messages were settled, 0 also if there was no session. */
    int run() throws InterruptedException {
        Optional<MessageSession> accepted = source.acceptNext();
        if (accepted.isEmpty()) {
            return 0;
        }
        try (MessageSession session = accepted.get()) {
            return serve(session);
        } catch (SessionLostException e) {
            LOG.info("{}; its messages come again", e.getMessage(), e);
            return 0;
        }
    }

    private int serve(MessageSession session) throws InterruptedException {
        int settled = 0;
        while (!stopping.getAsBoolean()) {
            Optional<InboundMessage> message = session.receive(idle);
            if (message.isEmpty() || !messages.run(session, message.get())) {
                return settled;
            }
            settled++;
        }
        return settled;
    }
}
