package dev.waybill.servicebus.embedded.filter;

/** An invalid filter or action. */
public final class FilterSyntaxException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int position;

    FilterSyntaxException(String problem, int position) {
        super(problem + " (at position " + position + ")");
        this.position = position;
    }

    /** For constants, whose evaluation would always fail. */
    FilterSyntaxException(FilterEvaluationException cause, int position) {
        super(cause.getMessage() + " (at position " + position + ")", cause);
        this.position = position;
    }

    /** The index of the problem in the expression, from 0; the expression's length if it ended too early. */
    public int position() {
        return position;
    }
}
