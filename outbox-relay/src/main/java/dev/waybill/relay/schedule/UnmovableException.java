package dev.waybill.relay.schedule;

import dev.waybill.relay.schedule.Page.Due;
import java.util.List;
import org.jooq.exception.DataAccessException;

/** The database rejects one of these rows, and might accept the others. */
final class UnmovableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<Due> rows;
    private final DataAccessException refusal;

    UnmovableException(List<Due> rows, DataAccessException cause) {
        super(rows.size() + " due rows cannot be moved together", cause);
        this.rows = List.copyOf(rows);
        this.refusal = cause;
    }

    DataAccessException refusal() {
        return refusal;
    }

    List<Due> rows() {
        return rows;
    }
}
