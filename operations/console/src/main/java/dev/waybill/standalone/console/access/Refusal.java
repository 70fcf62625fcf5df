package dev.waybill.standalone.console.access;

/** Rejects a request with a status and a sentence for the person. */
public final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    public Refusal(int status, String text) {
        super(text, null, false, false);
        this.status = status;
    }

    public int status() {
        return status;
    }
}
