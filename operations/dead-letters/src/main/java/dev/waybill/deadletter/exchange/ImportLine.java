package dev.waybill.deadletter.exchange;

import dev.waybill.deadletter.ReceivedDeadLetter;
import dev.waybill.deadletter.store.DeadLetterJson;
import org.jooq.exception.DataAccessException;

/** A line to import; the first one is 1. */
record ImportLine(int number, int characters, ReceivedDeadLetter letter) {
    static ImportLine read(int number, String text) {
        return new ImportLine(number, text.length(), ImportRules.checked(DeadLetterJson.read(text)));
    }

    static String why(RuntimeException refusal) {
        Throwable cause =
                refusal instanceof DataAccessException && refusal.getCause() != null ? refusal.getCause() : refusal;
        return String.valueOf(cause.getMessage());
    }
}
