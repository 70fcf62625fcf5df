package dev.waybill.supervision;

/** Thrown by a turn that has already logged its failure. The loop counts the cause and does not log it. */
public final class CountedFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Throwable failure;
    private final boolean handled;

    private CountedFailure(Throwable failure, boolean handled) {
        super(failure);
        this.failure = failure;
        this.handled = handled;
    }

    /** After a handled failure the next turn follows at once. */
    public static CountedFailure handled(Throwable failure) {
        return new CountedFailure(failure, true);
    }

    /** After this failure the loop backs off. */
    public static CountedFailure logged(Throwable failure) {
        return new CountedFailure(failure, false);
    }

    public Throwable failure() {
        return failure;
    }

    boolean isHandled() {
        return handled;
    }

    static Throwable unwrapped(Throwable thrown) {
        return thrown instanceof CountedFailure counted ? counted.failure : thrown;
    }
}
