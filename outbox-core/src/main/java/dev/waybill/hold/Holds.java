package dev.waybill.hold;

import static dev.waybill.hold.HoldTables.HOLD;

import dev.waybill.message.MessageContent;
import dev.waybill.schema.AutoCommitConnections;
import dev.waybill.schema.OptionalTables;
import dev.waybill.schema.Page;
import dev.waybill.schema.SchemaName;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/**
 * An operator's actions on the holds of one side. Each action locks the hold and writes an audit row in the same transaction.
 * Actions never publish: the owner of the session does. Needs the grants of {@code Role.OPERATOR}. Immutable and thread-safe.
 *
 * <p>Each action throws {@link NoSuchElementException} if the hold or message does not exist, and {@link IllegalStateException}
 * if the data source returns a connection in an open transaction. Actions on many holds use a transaction for each and skip
 * holds with a running attempt. If one stops early, the finished changes stay; repeat the call.
 */
public final class Holds {
    private final DSLContext dsl;
    private final DSLContext changes;
    private final HoldSide side;
    private final AfterSkip afterSkip;
    private final HoldTable table;
    private final HoldAudit audit;
    private final BiPredicate<Hold, List<AuditEntry>> still;

    private Holds(DataSource dataSource, SchemaName schema, HoldSide side, AfterSkip afterSkip) {
        var tables = new HoldTables(schema, side);
        this.dsl = tables.in(OptionalTables.of(DSL.using(dataSource, SQLDialect.POSTGRES), schema));
        this.changes = tables.in(OptionalTables.of(AutoCommitConnections.using(dataSource), schema));
        this.side = side;
        this.afterSkip = afterSkip;
        this.table = HoldTable.in(schema, side);
        this.audit = new HoldAudit(tables);
        this.still = (hold, history) -> true;
    }

    private Holds(Holds from, BiPredicate<Hold, List<AuditEntry>> still) {
        this.dsl = from.dsl;
        this.changes = from.changes;
        this.side = from.side;
        this.afterSkip = from.afterSkip;
        this.table = from.table;
        this.audit = from.audit;
        this.still = still;
    }

    /** Holds of destinations. */
    public static Holds ofOutbox(DataSource dataSource, SchemaName schema) {
        return new Holds(dataSource, schema, HoldSide.OUTBOX, (tx, key, message) -> {});
    }

    /** Holds of consumers. {@code afterSkip} records that a skipped message must not be handled when it is delivered again. */
    public static Holds ofInbox(DataSource dataSource, SchemaName schema, AfterSkip afterSkip) {
        return new Holds(dataSource, schema, HoldSide.INBOX, afterSkip);
    }

    /**
     * Changes a single hold only if it still is as the operator saw it, checked under its lock. Otherwise the action throws a
     * {@link NoSuchElementException}. {@code still} receives the hold and its history, oldest first.
     */
    public Holds provided(BiPredicate<Hold, List<AuditEntry>> still) {
        return new Holds(this, still);
    }

    /** All holds, oldest first. */
    public List<Hold> list() {
        return HoldRows.fetch(dsl, side, DSL.noCondition());
    }

    /** A page of holds in the order of their ids; {@code after} is the last id of the previous page, or 0. */
    public Page<Hold> page(long after, int most) {
        return page(HoldFilter.everything(), after, most);
    }

    /** As {@link #page(long, int)}, for selected holds. */
    public Page<Hold> page(HoldFilter filter, long after, int most) {
        return HoldRows.page(dsl, side, which(filter), after, most);
    }

    /** A snapshot of the first selected holds, in the order of their ids. Counts no more than {@code most}. */
    public HoldPart part(HoldFilter filter, int most) {
        return HoldRows.part(dsl, which(filter), most);
    }

    /** Counts holds by scope, reason and state; the largest groups first. */
    public Page<HoldGroup> groups(HoldFilter filter, int most) {
        return HoldRows.groups(dsl, side, which(filter), most);
    }

    public Optional<Hold> show(HoldKey key) {
        return HoldRows.fetch(dsl, side, HoldRows.is(own(key))).stream().findFirst();
    }

    /** Finds a hold of this side by its {@link Hold#id}. */
    public Optional<Hold> show(long id) {
        return HoldRows.fetch(dsl, side, HOLD.ID.eq(id)).stream().findFirst();
    }

    /** Visits the selected holds, oldest first, with few in memory at a time. */
    public void forEach(HoldFilter filter, Consumer<Hold> visitor) {
        sweep(dsl, filter).show(visitor);
    }

    /** Counts what {@link #release(HoldFilter, AuditContext)} or {@link #skipAll(HoldFilter, AuditContext)} would change. */
    public HoldTally tally(HoldFilter filter) {
        return sweep(dsl, filter).tally();
    }

    /** The first messages of a hold, in order. */
    public List<HeldMessage> messages(HoldKey key, int most) {
        return messages(key, 0, most);
    }

    /** A page of messages of a hold, in order; {@code after} is the last place of the previous page, or 0. */
    public List<HeldMessage> messages(HoldKey key, long after, int most) {
        return dsl.select(HOLD.ID)
                .from(HOLD)
                .where(HoldRows.is(own(key)))
                .fetchOptional(HOLD.ID)
                .map(id -> HeldMessages.after(dsl, id, after, most))
                .orElseGet(List::of);
    }

    /** Operators' actions on a hold, oldest first, even after its end. */
    public List<AuditEntry> history(HoldKey key) {
        return audit.of(dsl, own(key));
    }

    /** Schedules an attempt after a delay and keeps the count of attempts. */
    public void retry(HoldKey key, Duration rest, AuditContext instruction) {
        change(key, hold -> {
            hold.retry(rest, instruction);
            return key;
        });
    }

    /** Schedules an attempt at each selected hold; as {@link #retry(HoldKey, Duration, AuditContext)}. */
    public HoldTally retry(HoldFilter filter, Duration rest, AuditContext instruction) {
        return sweep(changes, filter).each(hold -> {
            hold.retry(rest, instruction);
            return hold.messages();
        });
    }

    /** Schedules an attempt at once and resets the count of attempts. */
    public void release(HoldKey key, AuditContext instruction) {
        change(key, hold -> {
            hold.release(instruction);
            return key;
        });
    }

    /** Releases each selected hold; as {@link #release(HoldKey, AuditContext)}. */
    public HoldTally release(HoldFilter filter, AuditContext instruction) {
        return sweep(changes, filter).each(hold -> {
            hold.release(instruction);
            return hold.messages();
        });
    }

    /**
     * Deletes a message; the audit keeps it. The hold ends if it is then empty.
     *
     * @throws HoldBusyException if an attempt is running
     */
    public HeldMessage skip(HoldKey key, long place, AuditContext instruction) {
        return change(key, hold -> hold.skip(place, instruction, afterSkip));
    }

    /** Deletes all messages of each selected hold, including those that only waited for the first one. The audit keeps them. */
    public HoldTally skipAll(HoldFilter filter, AuditContext instruction) {
        return sweep(changes, filter).each(hold -> hold.skipAll(instruction, afterSkip));
    }

    /**
     * Deletes the first message of each selected hold, which caused the hold, and releases the others. Repeat it only with
     * {@link HoldFilter#parked}: other filters also select released holds, with a new first message. A message that was tried
     * and parked meanwhile is deleted too.
     */
    public HoldTally skipFirst(HoldFilter filter, AuditContext instruction) {
        return sweep(changes, filter).each(hold -> hold.skipFirst(instruction, afterSkip));
    }

    /**
     * Changes the content of a message, except for logical id and session. The audit keeps the original. The state of the hold
     * stays.
     *
     * @throws HoldBusyException if an attempt is running
     * @throws IllegalArgumentException if the id or session differs, or the application properties do not decode
     */
    public void edit(HoldKey key, long place, UnaryOperator<MessageContent> change, AuditContext instruction) {
        change(key, hold -> {
            hold.edit(place, change, instruction);
            return key;
        });
    }

    private <T> T change(HoldKey key, Function<LockedHold, T> deed) {
        return changes.transactionResult(tx -> {
            long id = table.lock(tx.dsl(), own(key))
                    .orElseThrow(() -> new NoSuchElementException("There is no hold of the " + key));
            if (!isStill(tx.dsl(), id, key)) {
                throw new NoSuchElementException("The hold of the " + key + " has changed meanwhile");
            }
            return deed.apply(new LockedHold(tx.dsl(), id, key, audit));
        });
    }

    private boolean isStill(DSLContext tx, long id, HoldKey key) {
        return HoldRows.fetch(tx, side, HOLD.ID.eq(id)).stream().allMatch(hold -> still.test(hold, audit.of(tx, key)));
    }

    private HoldSweep sweep(DSLContext on, HoldFilter filter) {
        return new HoldSweep(on, side, audit, which(filter));
    }

    private Condition which(HoldFilter filter) {
        return filter.condition(side);
    }

    private HoldKey own(HoldKey key) {
        if (key.side() != side) {
            throw new IllegalArgumentException("The " + key + " is not of the " + side.column());
        }
        return key;
    }

    /** Runs in the transaction of a skip. */
    @FunctionalInterface
    public interface AfterSkip {
        void in(DSLContext tx, HoldKey key, HeldMessage message);
    }
}
