package dev.waybill.inbox;

import java.time.Duration;

/** A handler's decision about a message. All but {@link Done} roll the handler's effects back. */
public sealed interface Verdict {
    /** The effects are right: commit them and complete the message. */
    static Verdict done() {
        return Done.DONE;
    }

    /** Not now: roll back and hand the message to the handler again after a while, before any other of its session. */
    static Verdict retry(Duration after) {
        return new Retry(after);
    }

    /** Never: roll back and move the message to the dead-letter queue. */
    static Verdict deadLetter(String reason, String description) {
        return new DeadLetter(reason, description);
    }

    /** See {@link #done()}. */
    enum Done implements Verdict {
        /** The only one. */
        DONE
    }

    /** See {@link #retry}. */
    record Retry(Duration after) implements Verdict {}

    /** See {@link #deadLetter}. */
    record DeadLetter(String reason, String description) implements Verdict {}
}
