package dev.waybill.test.proof;

import org.jspecify.annotations.Nullable;

/**
 * A disturbance of one attempt, or of a whole run.
 *
 * @param message whose first attempt is disturbed; null for a whole run
 * @param step which statement of the attempt, from 1; 0 for none
 */
record Disturbance(Kind kind, @Nullable String message, int step, String statement) {
    static final Disturbance NONE = new Disturbance(Kind.NONE, null, 0, "");
    static final Disturbance ANOTHER_ORDER = new Disturbance(Kind.ANOTHER_ORDER, null, 0, "");
    static final Disturbance SIDE_BY_SIDE = new Disturbance(Kind.SIDE_BY_SIDE, null, 0, "");

    enum Kind {
        NONE,
        END_BEFORE,
        END_AFTER,
        FAIL,
        ROLL_BACK,
        END_BEFORE_COMMIT,
        END_AFTER_COMMIT,
        ANOTHER_ORDER,
        SIDE_BY_SIDE
    }

    boolean isAt(Kind when, int taken) {
        return kind == when && step == taken;
    }

    @Override
    public String toString() {
        String of = " of message '" + message + "'";
        String at = "statement " + step + of + " (" + statement + ")";
        return switch (kind) {
            case NONE -> "in a run that nobody disturbed";
            case END_BEFORE -> "the process ended before " + at;
            case END_AFTER -> "the process ended after " + at;
            case FAIL -> at + " failed";
            case ROLL_BACK -> "the transaction" + of + " was rolled back in the place of its commit";
            case END_BEFORE_COMMIT -> "the process ended before the commit" + of;
            case END_AFTER_COMMIT -> "the process ended after the commit" + of + ", before it knew";
            case ANOTHER_ORDER -> "the sessions came in the reverse order";
            case SIDE_BY_SIDE -> "the sessions were handled side by side, statement by statement";
        };
    }
}
