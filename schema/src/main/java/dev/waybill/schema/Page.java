package dev.waybill.schema;

import java.util.List;
import java.util.function.Function;

/** A page of a list; {@code more} is the number of rows after it. */
public record Page<T>(List<T> rows, long more) {
    public Page {
        rows = List.copyOf(rows);
    }

    /** The first page of {@code all} rows. */
    public static <T> Page<T> of(List<T> rows, long all) {
        return new Page<>(rows, Math.max(0, all - rows.size()));
    }

    public <R> Page<R> map(Function<? super T, ? extends R> form) {
        return new Page<>(rows.stream().<R>map(form).toList(), more);
    }
}
