package dev.waybill.proof.role;

/** Which messages the subscription {@code notify} takes by its rule. */
public final class Notified {
    /** The rule. */
    static final String RULE = "notify = 1";

    private Notified() {}

    /** Whether a message of this id carries the property of the rule. */
    public static boolean isNotified(String id) {
        return Transfer.lot(id, "notify") % 10 == 0;
    }
}
