package dev.waybill.servicebus.embedded.filter;

/**
 * A valid filter or action could not be evaluated against one message, for example because it divides by zero.
 * A subscription that dead-letters on filter evaluation errors dead-letters the message for it.
 */
public final class FilterEvaluationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    FilterEvaluationException(String problem) {
        super(problem);
    }
}
