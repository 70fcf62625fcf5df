package dev.waybill.deadletter.exchange;

import dev.waybill.deadletter.Arrival;
import dev.waybill.deadletter.store.DeadLetterLine;
import org.jooq.exception.DataAccessException;

/**
 * A line that is to be imported.
 *
 * @param number from 1 on
 * @param characters how long it is
 */
record ImportLine(int number, int characters, Arrival arrival) {
    /**
     * Reads it.
     *
     * @throws IllegalArgumentException saying what is wrong with it
     */
    static ImportLine read(int number, String text) {
        return new ImportLine(number, text.length(), ImportRules.checked(DeadLetterLine.read(text)));
    }

    /** Why a line is refused. */
    static String why(RuntimeException refusal) {
        Throwable cause =
                refusal instanceof DataAccessException && refusal.getCause() != null ? refusal.getCause() : refusal;
        return String.valueOf(cause.getMessage());
    }
}
