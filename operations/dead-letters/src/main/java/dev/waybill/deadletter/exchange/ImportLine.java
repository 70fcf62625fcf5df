package dev.waybill.deadletter.exchange;

import dev.waybill.deadletter.ReceivedDeadLetter;
import dev.waybill.deadletter.store.DeadLetterJson;
import org.jooq.exception.DataAccessException;

/**
 * A line that is to be imported.
 *
 * @param number from 1 on
 * @param characters how long it is
 */
record ImportLine(int number, int characters, ReceivedDeadLetter arrival) {
    /**
     * Reads it.
     *
     * @throws IllegalArgumentException saying what is wrong with it
     */
    static ImportLine read(int number, String text) {
        return new ImportLine(number, text.length(), ImportRules.checked(DeadLetterJson.read(text)));
    }

    /** Why a line is refused. */
    static String why(RuntimeException refusal) {
        Throwable cause =
                refusal instanceof DataAccessException && refusal.getCause() != null ? refusal.getCause() : refusal;
        return String.valueOf(cause.getMessage());
    }
}
