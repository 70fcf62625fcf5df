package dev.waybill.deadletter.redrive;

import static dev.waybill.schema.jooq.Tables.DEAD_LETTER_REDRIVE;
import static org.jooq.impl.DSL.val;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.RedriveRequest.Way;
import dev.waybill.deadletter.RedriveRun;
import dev.waybill.deadletter.RedriveRun.State;
import dev.waybill.deadletter.audit.DeadLetterAudit;
import dev.waybill.deadletter.audit.DeadLetterAudit.Entry;
import dev.waybill.deadletter.audit.DeadLetterAudit.Transition;
import dev.waybill.deadletter.store.ClaimTable;
import dev.waybill.deadletter.store.DeadLetterRows;
import dev.waybill.deadletter.store.ErasureOrders;
import dev.waybill.deadletter.store.StateTable;
import dev.waybill.outbox.YieldingAppend;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.ResultQuery;
import org.jooq.SelectForUpdateStep;

/** Takes the next messages of a run in the caller's transaction. Thread-safe. */
final class RedriveBatch {
    private final SchemaName schema;
    private final SqlFiles sql;
    private final RedriveToOutbox outbox;
    private final RedriveToHold holds;
    private final int rows;
    private final String now;
    private final RedriveItems items;
    private final ErasureOrders orders;
    private final ClaimTable claims;

    RedriveBatch(SchemaName schema, int rows) {
        this.schema = schema;
        sql = new SqlFiles(RedriveBatch.class, schema);
        this.rows = rows;
        items = new RedriveItems(schema);
        orders = new ErasureOrders(schema);
        claims = new ClaimTable(schema);
        now = "select date_trunc('milliseconds', clock_timestamp()), " + schema.table("erasure_gate") + "()";
        outbox = new RedriveToOutbox(schema);
        holds = new RedriveToHold(schema);
    }

    RedriveRun.Step take(YieldingAppend append, long id) {
        DSLContext tx = append.tx();
        RedriveRun seen = run(select(tx, id), id);
        if (due(tx, seen) == 0) {
            return nothing(seen);
        }
        if (seen.request().way() != Way.CONSUMER) {
            append.lockTable();
        }
        // Another step may have moved or ended the run while this one waited.
        RedriveRun run = run(select(tx, id).forUpdate(), id);
        int due = due(tx, run);
        return due == 0 ? nothing(run) : take(append, run, Math.min(due, append.most()));
    }

    private static SelectForUpdateStep<? extends Record> select(DSLContext tx, long id) {
        return tx.selectFrom(DEAD_LETTER_REDRIVE).where(DEAD_LETTER_REDRIVE.ID.eq(id));
    }

    private static RedriveRun run(ResultQuery<? extends Record> row, long id) {
        return row.fetchOptional()
                .map(RedriveRows::run)
                .orElseThrow(() -> new NoSuchElementException("There is no re-drive " + id));
    }

    private static RedriveRun.Step nothing(RedriveRun run) {
        return new RedriveRun.Step(
                0,
                run.state(),
                run.state() == State.RUNNING ? restFor(run.request().rate().orElse(1), 1) : Duration.ZERO);
    }

    private RedriveRun.Step take(YieldingAppend append, RedriveRun run, int due) {
        DSLContext tx = append.tx();
        int most = Math.min(RedrivePages.leftOn(run.position()), Math.min(due, run.items() - run.position()));
        OptionalInt canary = run.request().canary();
        if (canary.isPresent()) {
            most = Math.min(most, canary.getAsInt() - run.position());
        }
        most = most == 0 ? 0 : items.fitting(tx, run, most);
        List<RedriveItem> taken = most == 0 ? List.of() : items.take(tx, run, most);
        int redriven = redrive(append, run, taken);
        int position = run.position() + most;
        State state = position >= run.items() ? State.DONE : State.RUNNING;
        boolean pausing = state == State.RUNNING && canary.isPresent() && position >= canary.getAsInt();
        State after = pausing ? State.PAUSED : state;
        tx.execute(
                sql.get("redrive-move-on"),
                val(run.id()),
                val(position),
                val(redriven),
                val(DeadLetterRows.column(after)),
                val(pausing));
        Duration rest = run.request().rate().isPresent()
                ? restFor(run.request().rate().getAsInt(), Math.max(1, most))
                : Duration.ZERO;
        return new RedriveRun.Step(redriven, after, after == State.RUNNING ? rest : Duration.ZERO);
    }

    private int due(DSLContext tx, RedriveRun run) {
        OptionalInt rate = run.request().rate();
        if (run.state() != State.RUNNING) {
            return 0;
        }
        if (rate.isEmpty()) {
            return rows;
        }
        int due = tx.fetchSingle(sql.get("redrive-due"), val(run.id()), val(rate.getAsInt()))
                .get(0, Integer.class);
        return Math.min(rows, due);
    }

    private int redrive(YieldingAppend append, RedriveRun run, List<RedriveItem> taken) {
        if (taken.isEmpty()) {
            return 0;
        }
        DSLContext tx = append.tx();
        Record time = tx.fetchSingle(now);
        List<RedriveItem> items =
                withoutEmptied(tx, time.get(1, Boolean.class) ? withoutErased(tx, run, taken) : taken);
        String at = time.get(0, OffsetDateTime.class).toInstant().toString();
        List<RedriveItem> gone = run.request().way() == Way.CONSUMER ? toHolds(tx, run, items, at) : items;
        if (run.request().way() != Way.CONSUMER && !gone.isEmpty()) {
            outbox.append(append, run, gone, at);
        }
        audit(tx, run, "redrive", gone, DeadLetterRows.column(DeadLetter.State.REDRIVEN));
        return gone.size();
    }

    private static Duration restFor(int rate, int messages) {
        return Duration.ofMillis(1 + 1_000L * messages / rate);
    }

    // Ordered to be erased after the run was begun.
    private List<RedriveItem> withoutErased(DSLContext tx, RedriveRun run, List<RedriveItem> taken) {
        Set<Long> forbidden = Set.copyOf(
                orders.forbidden(tx, taken.stream().map(RedriveItem::id).toList()));
        List<RedriveItem> erased =
                taken.stream().filter(item -> forbidden.contains(item.id())).toList();
        if (erased.isEmpty()) {
            return taken;
        }
        StateTable.remove(tx, forbidden);
        claims.forget(
                tx,
                tx.fetch(FORGET.formatted(schema), val(forbidden.toArray(Long[]::new)))
                        .getValues(0, UUID.class));
        audit(tx, run, "erase", erased, "erased");
        return taken.stream().filter(item -> !forbidden.contains(item.id())).toList();
    }

    // Redacted after the run was begun.
    private static List<RedriveItem> withoutEmptied(DSLContext tx, List<RedriveItem> items) {
        List<Long> emptied =
                items.stream().filter(RedriveItem::emptied).map(RedriveItem::id).toList();
        if (emptied.isEmpty()) {
            return items;
        }
        StateTable.set(tx, emptied, DeadLetter.State.OPEN);
        return items.stream().filter(item -> !item.emptied()).toList();
    }

    private List<RedriveItem> toHolds(DSLContext tx, RedriveRun run, List<RedriveItem> items, String at) {
        List<RedriveItem> left = holds.add(tx, run, items, at);
        if (left.isEmpty()) {
            return items;
        }
        StateTable.set(tx, left.stream().map(RedriveItem::id).toList(), DeadLetter.State.OPEN);
        return items.stream().filter(item -> !left.contains(item)).toList();
    }

    private static void audit(DSLContext tx, RedriveRun run, String action, List<RedriveItem> items, String to) {
        List<Transition> transitions = items.stream()
                .map(item -> new Transition(item.id(), DeadLetterRows.column(DeadLetter.State.OPEN)))
                .toList();
        DeadLetterAudit.write(tx, transitions, new Entry(action, run.instruction(), run.id()), to);
    }

    private static final String FORGET = "delete from %1$s.dead_letter_message where id = any({0}) returning claim";
}
