package dev.waybill.inbox;

import dev.waybill.inbox.failure.DeadLetterText;
import dev.waybill.message.TextRules;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A handler's decision about a message. Every verdict except {@link Done} rolls the handler's effects back and leaves the id
 * unrecorded.
 */
public sealed interface Verdict {
    /** Commits the effects and completes the message. */
    static Verdict done() {
        return Done.DONE;
    }

    /** Rolls back and calls the handler again after the delay, before other messages of the session. */
    static Verdict retry(Duration after) {
        return new Retry(after);
    }

    /** Rolls back and fails the message; {@link OnFailure} decides whether its session continues. */
    static Verdict deadLetter(String reason, String description) {
        return new DeadLetter(reason, description);
    }

    /**
     * Rolls back and defers the message on the broker until the application {@linkplain Deferrals#resume resumes} the key. Its session
     * continues without it. A message out of a hold is no longer on the broker and waits in a hold of its own; the consumer handles it
     * again after a day if it is not resumed.
     *
     * @param key chosen by the application, 1 to 500 characters; several messages may share it
     */
    static Verdict defer(String key) {
        return new Defer(key);
    }

    enum Done implements Verdict {
        DONE
    }

    record Retry(Duration after) implements Verdict {
        public Retry {
            if (after.isNegative()) {
                throw new IllegalArgumentException("The delay of a retry must not be negative: " + after);
            }
        }
    }

    record DeadLetter(String reason, String description) implements Verdict {
        /** Both texts are trimmed to the broker's limits. */
        public DeadLetter {
            reason = DeadLetterText.reason(reason);
            description = DeadLetterText.description(description);
        }
    }

    record Defer(String key) implements Verdict {
        private static final int LONGEST_KEY = 500;

        public Defer {
            if (key.isEmpty()) {
                throw new IllegalArgumentException("The key of a deferral must not be empty");
            }
            if (key.length() > LONGEST_KEY) {
                throw new IllegalArgumentException(
                        "The key of a deferral must have at most " + LONGEST_KEY + " characters");
            }
            @Nullable String broken = TextRules.violation("key", key);
            if (broken != null) {
                throw new IllegalArgumentException("The deferral " + broken);
            }
        }
    }
}
