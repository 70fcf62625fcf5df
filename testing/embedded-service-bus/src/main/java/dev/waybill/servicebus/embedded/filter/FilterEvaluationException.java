package dev.waybill.servicebus.embedded.filter;

/**
 * A valid filter or action failed on one message, for example by a division by zero. The subscription's settings decide whether the
 * message is dead-lettered.
 */
public final class FilterEvaluationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    FilterEvaluationException(String problem) {
        super(problem);
    }
}
