package dev.waybill.inbox;

import dev.waybill.inbox.failure.DeadLetterText;
import java.time.Duration;

/**
 * A handler's decision about a message. All but {@link Done} roll the handler's effects back, and leave no record that the
 * message was handled.
 */
public sealed interface Verdict {
    /** The effects are right: commit them and complete the message. */
    static Verdict done() {
        return Done.DONE;
    }

    /** Not now: roll back and hand the message to the handler again after a while, before any other of its session. */
    static Verdict retry(Duration after) {
        return new Retry(after);
    }

    /** Never: roll back; the message has failed, and the consumer's policy says whether its session goes on. */
    static Verdict deadLetter(String reason, String description) {
        return new DeadLetter(reason, description);
    }

    /**
     * Not before something else has happened: roll back, and set the message aside on the broker until somebody
     * {@linkplain Deferrals#resume resumes} the key. The rest of its session goes on without it. A message out of a hold, which
     * the broker no longer has, waits in a hold of its own; if nobody resumes it, it is handled again after a day.
     *
     * @param key of the application's choice, up to 500 characters; several messages may have the same
     */
    static Verdict defer(String key) {
        return new Defer(key);
    }

    /** See {@link #done()}. */
    enum Done implements Verdict {
        /** The only one. */
        DONE
    }

    /** See {@link #retry}. */
    record Retry(Duration after) implements Verdict {
        /** Refuses a negative pause. */
        public Retry {
            if (after.isNegative()) {
                throw new IllegalArgumentException("A message cannot be tried again before now: " + after);
            }
        }
    }

    /** See {@link #deadLetter}. */
    record DeadLetter(String reason, String description) implements Verdict {
        /** Trims both to what the broker takes. */
        public DeadLetter {
            reason = DeadLetterText.reason(reason);
            description = DeadLetterText.description(description);
        }
    }

    /** See {@link #defer}. */
    record Defer(String key) implements Verdict {
        private static final int LONGEST_KEY = 500;

        /** Refuses an empty key, and one that no index could take. */
        public Defer {
            if (key.isEmpty()) {
                throw new IllegalArgumentException("A deferred message needs a key to be resumed by");
            }
            if (key.length() > LONGEST_KEY || key.indexOf('\0') >= 0) {
                throw new IllegalArgumentException("A key to resume a message by has at most " + LONGEST_KEY
                        + " characters, and none of them is NUL");
            }
        }
    }
}
