package dev.waybill.deadletter;

/** A re-drive that was not begun, because some of its messages could not go where they are to go. */
public final class RedriveRefusedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    RedriveRefusedException(RedrivePlan plan) {
        super("Nothing is re-driven: " + String.join("; ", plan.obstacles()));
    }
}
