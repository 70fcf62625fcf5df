package dev.waybill.standalone.console.access;

/** A request that is not answered. The text is shown to the person. */
public final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    /**
     * A refusal.
     *
     * @param status of HTTP
     * @param text a sentence for the person
     */
    public Refusal(int status, String text) {
        super(text, null, false, false);
        this.status = status;
    }

    /** The status of HTTP. */
    public int status() {
        return status;
    }
}
