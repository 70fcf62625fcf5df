package dev.waybill.deadletter.redrive;

import static dev.waybill.schema.jooq.Tables.DEAD_LETTER_REDRIVE;

import dev.waybill.deadletter.RedriveRequest;
import dev.waybill.deadletter.RedriveRequest.Way;
import dev.waybill.deadletter.RedriveRun;
import dev.waybill.deadletter.RedriveRun.State;
import dev.waybill.deadletter.store.DeadLetterRows;
import dev.waybill.hold.AuditContext;
import java.util.Optional;
import java.util.OptionalInt;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

final class RedriveRows {
    private RedriveRows() {}

    static RedriveRun run(Record row) {
        return new RedriveRun(
                row.get(DEAD_LETTER_REDRIVE.ID),
                DeadLetterRows.constant(State.class, row.get(DEAD_LETTER_REDRIVE.STATE)),
                request(row),
                new RedriveRun.Progress(
                        row.get(DEAD_LETTER_REDRIVE.ITEMS),
                        row.get(DEAD_LETTER_REDRIVE.POSITION),
                        row.get(DEAD_LETTER_REDRIVE.REDRIVEN)),
                new AuditContext(row.get(DEAD_LETTER_REDRIVE.OPERATOR), row.get(DEAD_LETTER_REDRIVE.REASON)),
                row.get(DEAD_LETTER_REDRIVE.STARTED_AT).toInstant());
    }

    static RedriveRequest request(Record row) {
        return new RedriveRequest(
                DeadLetterRows.constant(Way.class, row.get(DEAD_LETTER_REDRIVE.WAY)),
                Optional.ofNullable(row.get(DEAD_LETTER_REDRIVE.TARGET)),
                number(row.get(DEAD_LETTER_REDRIVE.CANARY)),
                number(row.get(DEAD_LETTER_REDRIVE.RATE)));
    }

    private static OptionalInt number(@Nullable Integer number) {
        return number == null ? OptionalInt.empty() : OptionalInt.of(number);
    }
}
