package dev.waybill.inbox;

/**
 * A turn has failed, and what can be done about that is done, a rest included. Its thread counts the cause and
 * takes the next turn at once.
 */
final class CountedFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Throwable met;

    CountedFailure(Throwable met) {
        super(met);
        this.met = met;
    }

    Throwable met() {
        return met;
    }
}
