package dev.waybill.schema;

import java.util.List;
import java.util.function.Function;

/**
 * Some rows of a list, and how many come behind them.
 *
 * @param rows not more than were asked for
 * @param more how many come behind them
 */
public record Page<T>(List<T> rows, long more) {
    /** Copies the rows. */
    public Page {
        rows = List.copyOf(rows);
    }

    /** The first of so many. */
    public static <T> Page<T> of(List<T> rows, long all) {
        return new Page<>(rows, Math.max(0, all - rows.size()));
    }

    /** The same rows in another form. */
    public <R> Page<R> map(Function<? super T, ? extends R> form) {
        return new Page<>(rows.stream().<R>map(form).toList(), more);
    }
}
