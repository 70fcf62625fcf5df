package dev.waybill.test.proof;

import dev.waybill.inbox.Verdict;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The outcome of an attempt. */
record Fate(Kind kind, String text, @Nullable Throwable thrown) {
    static final Fate DONE = new Fate(Kind.DONE, "done", null);
    static final Fate DUPLICATE = new Fate(Kind.DONE, "done", null);
    static final Fate BEHIND = new Fate(Kind.LATER, "to be tried behind another message of its session", null);

    enum Kind {
        DONE,
        SET_ASIDE,
        AGAIN,
        LATER,
        /** Done by its verdict, after a statement was made to fail and the transaction was of no use any more. */
        SWALLOWED
    }

    static Fate again(Throwable thrown) {
        return new Fate(Kind.AGAIN, "failed: " + thrown, thrown);
    }

    static Fate hung(Duration limit) {
        return new Fate(
                Kind.AGAIN,
                "failed: the handler did not come to an end in " + limit.toMillis()
                        + " ms. Does a connection of its own" + " wait for a lock of the message's transaction?",
                null);
    }

    static Fate swallowed(Throwable thrown) {
        return new Fate(Kind.SWALLOWED, "done without a transaction", thrown);
    }

    static Fate of(Verdict verdict) {
        if (verdict instanceof Verdict.Retry retry) {
            return new Fate(Kind.LATER, "to be tried again after " + retry.after(), null);
        }
        return new Fate(Kind.SET_ASIDE, verdict.toString(), null);
    }

    boolean isFinal() {
        return kind == Kind.DONE || kind == Kind.SET_ASIDE;
    }
}
