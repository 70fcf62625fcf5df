package dev.waybill.deadletter;

/** Thrown if some letters of a re-drive cannot be sent; nothing is re-driven. */
public final class RedriveRefusedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /** Names the obstacles of a plan. */
    public RedriveRefusedException(RedrivePlan plan) {
        super("Nothing is re-driven: " + String.join("; ", plan.obstacles()));
    }
}
