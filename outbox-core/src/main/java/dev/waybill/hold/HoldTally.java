package dev.waybill.hold;

/** What an operation changed, or would change. {@code busy} holds were skipped because an attempt was running. */
public record HoldTally(long holds, long messages, long busy) {
    public static final HoldTally NONE = new HoldTally(0, 0, 0);

    public HoldTally plus(HoldTally other) {
        return new HoldTally(holds + other.holds, messages + other.messages, busy + other.busy);
    }
}
