package dev.waybill.supervision;

/** A turn has failed and has told so itself. The loop counts the cause and does not log it. */
public final class CountedFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Throwable met;
    private final boolean handled;

    private CountedFailure(Throwable met, boolean handled) {
        super(met);
        this.met = met;
        this.handled = handled;
    }

    /** A failure that was dealt with, a rest included: the next turn follows immediately. */
    public static CountedFailure handled(Throwable met) {
        return new CountedFailure(met, true);
    }

    /** A failure after which the loop rests as after any other. */
    public static CountedFailure told(Throwable met) {
        return new CountedFailure(met, false);
    }

    /** The failure itself. */
    public Throwable met() {
        return met;
    }

    boolean isHandled() {
        return handled;
    }

    static Throwable unwrapped(Throwable thrown) {
        return thrown instanceof CountedFailure counted ? counted.met : thrown;
    }
}
