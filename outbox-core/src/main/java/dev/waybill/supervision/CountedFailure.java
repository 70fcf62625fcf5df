package dev.waybill.supervision;

/** Thrown by a turn that has already logged its failure. The loop counts the cause and does not log it. */
public final class CountedFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Throwable met;
    private final boolean handled;

    private CountedFailure(Throwable met, boolean handled) {
        super(met);
        this.met = met;
        this.handled = handled;
    }

    /** After a handled failure the next turn follows at once. */
    public static CountedFailure handled(Throwable met) {
        return new CountedFailure(met, true);
    }

    /** After this failure the loop backs off. */
    public static CountedFailure told(Throwable met) {
        return new CountedFailure(met, false);
    }

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
