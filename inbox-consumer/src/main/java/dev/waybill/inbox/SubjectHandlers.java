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
    /** For subjects that this consumer ignores: records and completes the message. */
    public static final Handler IGNORE = (tx, message) -> Verdict.done();

    /** For unexpected subjects: the message fails. */
    public static final Handler REFUSE = (tx, message) -> Verdict.deadLetter(
            "UnknownSubject",
            "There is no handler for subject '" + message.subject().orElse("") + "'");

    private final Map<String, Handler> handlers;
    private final Handler otherwise;

    private SubjectHandlers(Builder builder) {
        handlers = Map.copyOf(builder.handlers);
        otherwise = builder.otherwise;
    }

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

        /** Sets the handler of one subject; an empty subject stands for messages without one. Throws if the subject has a handler. */
        public Builder on(String subject, Handler handler) {
            if (handlers.putIfAbsent(subject, handler) != null) {
                throw new IllegalArgumentException("Subject '" + subject + "' has two handlers");
            }
            return this;
        }

        /** Sets the handler of all other subjects. Default: {@link #REFUSE}. */
        public Builder otherwise(Handler handler) {
            this.otherwise = handler;
            return this;
        }

        public SubjectHandlers build() {
            return new SubjectHandlers(this);
        }
    }
}
