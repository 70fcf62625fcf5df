package dev.waybill.inbox.failure;

import dev.waybill.supervision.ErrorDetails;
import java.io.PrintWriter;
import java.io.StringWriter;

public final class FailureText {
    private FailureText() {}

    public static String reason(Throwable thrown) {
        return DeadLetterText.reason(thrown.getClass().getName());
    }

    /** The stack trace, trimmed for a dead letter and without the details that a database adds. */
    public static String description(Throwable thrown) {
        try {
            var trace = new StringWriter();
            thrown.printStackTrace(new PrintWriter(trace));
            return DeadLetterText.description(ErrorDetails.without(trace.toString(), thrown));
        } catch (Throwable e) {
            return thrown.getClass().getName() + ", whose description failed with "
                    + e.getClass().getName();
        }
    }

    public static String brief(Throwable thrown) {
        String first = description(thrown).lines().findFirst().orElse("");
        return first.isEmpty() ? thrown.getClass().getName() : first;
    }
}
