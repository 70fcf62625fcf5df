package dev.waybill.servicebus.embedded.filter;

/** The text of a filter or an action is not valid; nothing was created from it. */
public final class FilterSyntaxException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int position;

    FilterSyntaxException(String problem, int position) {
        super(problem + " (at position " + position + ")");
        this.position = position;
    }

    /** For constants, with which evaluation could only fail each time. */
    FilterSyntaxException(FilterEvaluationException cause, int position) {
        super(cause.getMessage() + " (at position " + position + ")", cause);
        this.position = position;
    }

    /** Where the problem begins: an index into the expression, from 0; its length when the end came too early. */
    public int position() {
        return position;
    }
}
