package dev.waybill.deadletter.archive;

import static dev.waybill.schema.jooq.Tables.DEAD_LETTER;

import dev.waybill.deadletter.store.DeadLetterRows;
import dev.waybill.deadletter.store.ErasureOrders;
import dev.waybill.schema.DeadlockRetry;
import java.util.ArrayList;
import java.util.List;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Record;

/** Changes letters in the order of collecting, 100 in each transaction, which locks them and survives deadlocks. */
public record LetterChunks(DSLContext dsl) {
    private static final int CHUNK = 100;

    public Result each(Condition which, Work work) {
        int done = 0;
        var unchanged = new ArrayList<Long>();
        long after = 0;
        Chunk chunk;
        do {
            long from = after;
            chunk = DeadlockRetry.of(() -> dsl.transactionResult(tx -> take(tx.dsl(), which, from, work)));
            chunk.result.afterwards.run();
            done += chunk.result.done;
            unchanged.addAll(chunk.result.unchanged);
            after = chunk.last;
        } while (chunk.rows == CHUNK);
        return new Result(done, unchanged, () -> {});
    }

    private static Chunk take(DSLContext tx, Condition which, long after, Work work) {
        ErasureOrders.readCommitted(tx);
        List<? extends Record> rows = tx.selectFrom(DEAD_LETTER)
                .where(which, DeadLetterRows.after(after))
                .orderBy(DEAD_LETTER.ID)
                .limit(CHUNK)
                .forUpdate()
                .fetch();
        return rows.isEmpty()
                ? new Chunk(0, after, Result.of(0))
                : new Chunk(rows.size(), rows.get(rows.size() - 1).get(DEAD_LETTER.ID), work.on(tx, rows));
    }

    private record Chunk(int rows, long last, Result result) {}

    public interface Work {
        Result on(DSLContext tx, List<? extends Record> rows);
    }

    /** How many letters were changed, which could not be, and what is to be done after the commit. */
    public record Result(int done, List<Long> unchanged, Runnable afterwards) {
        public static Result of(int done) {
            return new Result(done, List.of(), () -> {});
        }
    }
}
