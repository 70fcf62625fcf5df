package dev.waybill.hold;

/**
 * How many holds and messages an operation changed, or would change in a dry run.
 *
 * @param holds how many holds
 * @param messages how many of their messages
 * @param busy how many more holds the choice named that were left alone, because their messages were being tried
 */
public record HoldTally(long holds, long messages, long busy) {
    /** Nothing. */
    public static final HoldTally NONE = new HoldTally(0, 0, 0);

    /** Both together. */
    public HoldTally plus(HoldTally other) {
        return new HoldTally(holds + other.holds, messages + other.messages, busy + other.busy);
    }
}
