package dev.waybill.inbox;

import java.util.HashMap;
import java.util.Map;
import org.jooq.DSLContext;

/**
 * A handler per subject.
 *
 * <pre>{@code
 * SubjectHandlers.builder()
 *         .on("WalletDebited", ledger::debited)
 *         .on("WalletCredited", ledger::credited)
 *         .otherwise(SubjectHandlers.IGNORE)
 *         .build()
 * }</pre>
 *
 * Immutable; thread-safe if its handlers are.
 */
public final class SubjectHandlers implements Handler {
    /** For subjects that are no business of this consumer: recorded and completed. */
    public static final Handler IGNORE = (tx, message) -> Verdict.done();

    /** For subjects that should not be there: the message has failed. */
    public static final Handler REFUSE = (tx, message) -> Verdict.deadLetter(
            "UnknownSubject",
            "There is no handler for subject '" + message.subject().orElse("") + "'");

    private final Map<String, Handler> handlers;
    private final Handler otherwise;

    private SubjectHandlers(Builder builder) {
        handlers = Map.copyOf(builder.handlers);
        otherwise = builder.otherwise;
    }

    /** Begins a list of subjects. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public Verdict handle(DSLContext tx, InboundMessage message) throws Exception {
        return handlers.getOrDefault(message.subject().orElse(""), otherwise).handle(tx, message);
    }

    /** Collects handlers. Not thread-safe. */
    public static final class Builder {
        private final Map<String, Handler> handlers = new HashMap<>();
        private Handler otherwise = REFUSE;

        private Builder() {}

        /**
         * Handles one subject.
         *
         * @param subject as the sender wrote it; empty for messages without one
         * @throws IllegalArgumentException if it has a handler already
         */
        public Builder on(String subject, Handler handler) {
            if (handlers.putIfAbsent(subject, handler) != null) {
                throw new IllegalArgumentException("Subject '" + subject + "' has two handlers");
            }
            return this;
        }

        /** Handles all other subjects. Default: {@link #REFUSE}. */
        public Builder otherwise(Handler handler) {
            this.otherwise = handler;
            return this;
        }

        /** The handler of all of them. */
        public SubjectHandlers build() {
            return new SubjectHandlers(this);
        }
    }
}
