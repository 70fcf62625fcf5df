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
 * An operator's decisions about the holds of one side. Changes states and messages under the hold's lock, each
 * time with an audit row in the same transaction, and never publishes: the owner of the session does. Needs the
 * grants of {@code Role.OPERATOR}. Immutable and thread-safe.
 *
 * <p>All changes throw {@link NoSuchElementException} if the hold, or the message, does not exist (any more), and {@link
 * IllegalStateException} if the data source gives a connection inside an open transaction: they commit.
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

    /** The messages that wait to be published. */
    public static Holds ofOutbox(DataSource dataSource, SchemaName schema) {
        return new Holds(dataSource, schema, HoldSide.OUTBOX, (tx, key, message) -> {});
    }

    /**
     * The messages that wait to be handled.
     *
     * @param afterSkip records that a skipped message must not be handled when the broker delivers it again
     */
    public static Holds ofInbox(DataSource dataSource, SchemaName schema, AfterSkip afterSkip) {
        return new Holds(dataSource, schema, HoldSide.INBOX, afterSkip);
    }

    /**
     * The same, where changes of a single hold are made only if it is still as somebody has seen it. It is asked under the hold's
     * lock, so of two who have seen the same only one changes it. The other one gets a {@link NoSuchElementException}.
     *
     * @param still whether a hold, with what operators did to it, oldest first, is as it was seen
     */
    public Holds provided(BiPredicate<Hold, List<AuditEntry>> still) {
        return new Holds(this, still);
    }

    /** All holds, oldest first. */
    public List<Hold> list() {
        return HoldRows.fetch(dsl, side, DSL.noCondition());
    }

    /**
     * The next holds in the order in which they were opened.
     *
     * @param after {@link Hold#id} of the last one seen; 0 for the first page
     */
    public Page<Hold> page(long after, int most) {
        return page(HoldFilter.everything(), after, most);
    }

    /** The same of those that a filter names. */
    public Page<Hold> page(HoldFilter filter, long after, int most) {
        return HoldRows.page(dsl, side, which(filter), after, most);
    }

    /**
     * The first holds of a choice as of now, in the order in which they were opened. No more than these are counted.
     *
     * @param most how many at most
     */
    public HoldPart part(HoldFilter filter, int most) {
        return HoldRows.part(dsl, which(filter), most);
    }

    /** How many of each scope, reason and state, the most frequent first. */
    public Page<HoldGroup> groups(HoldFilter filter, int most) {
        return HoldRows.groups(dsl, side, which(filter), most);
    }

    /** One hold. */
    public Optional<Hold> show(HoldKey key) {
        return HoldRows.fetch(dsl, side, HoldRows.is(own(key))).stream().findFirst();
    }

    /** The same by its {@link Hold#id}; empty too if it is of the other side. */
    public Optional<Hold> show(long id) {
        return HoldRows.fetch(dsl, side, HOLD.ID.eq(id)).stream().findFirst();
    }

    /** Shows those that a filter names to a visitor, oldest first, a few in memory at a time. */
    public void forEach(HoldFilter filter, Consumer<Hold> visitor) {
        sweep(dsl, filter).show(visitor);
    }

    /**
     * The holds that {@link #release(HoldFilter, AuditContext)} or {@link #skipAll(HoldFilter, AuditContext)}
     * would change now.
     */
    public HoldTally tally(HoldFilter filter) {
        return sweep(dsl, filter).tally();
    }

    /** The first messages of a hold, in order. */
    public List<HeldMessage> messages(HoldKey key, int most) {
        return messages(key, 0, most);
    }

    /**
     * The next messages of a hold, in order.
     *
     * @param after place of the last one seen; 0 for the first page
     */
    public List<HeldMessage> messages(HoldKey key, long after, int most) {
        return dsl.select(HOLD.ID)
                .from(HOLD)
                .where(HoldRows.is(own(key)))
                .fetchOptional(HOLD.ID)
                .map(id -> HeldMessages.after(dsl, id, after, most))
                .orElseGet(List::of);
    }

    /** The actions of operators on a hold, oldest first; also after it has ended. */
    public List<AuditEntry> history(HoldKey key) {
        return audit.of(dsl, own(key));
    }

    /** Lets the hold be tried after a rest. Its attempts so far keep counting. */
    public void retry(HoldKey key, Duration rest, AuditContext instruction) {
        change(key, hold -> {
            hold.retry(rest, instruction);
            return key;
        });
    }

    /**
     * Lets each hold be tried after a rest that a filter names, in a transaction of its own, and goes on counting. One that is
     * being tried is left alone. If this ends early, what was done stays, and it can be done again.
     */
    public HoldTally retry(HoldFilter filter, Duration rest, AuditContext instruction) {
        return sweep(changes, filter).each(hold -> {
            hold.retry(rest, instruction);
            return hold.messages();
        });
    }

    /** Lets the hold go at once, with attempts counted anew. It ends when all its messages are through. */
    public void release(HoldKey key, AuditContext instruction) {
        change(key, hold -> {
            hold.release(instruction);
            return key;
        });
    }

    /**
     * Lets each hold go that a filter names, in a transaction of its own. One that is being tried is left alone.
     * If this ends early, what was done stays, and it can be done again.
     */
    public HoldTally release(HoldFilter filter, AuditContext instruction) {
        return sweep(changes, filter).each(hold -> {
            hold.release(instruction);
            return hold.messages();
        });
    }

    /**
     * Takes a message out for good; the audit keeps it. The hold stays as it is, or ends if that was its last
     * message.
     *
     * @param place of the message in the hold
     * @return the message
     * @throws HoldBusyException if an attempt is running
     */
    public HeldMessage skip(HoldKey key, long place, AuditContext instruction) {
        return change(key, hold -> hold.skip(place, instruction, afterSkip));
    }

    /**
     * Takes out all messages of each hold that a filter names, those that only waited behind the first one too,
     * and ends it, in a transaction of its own; the audit keeps them. One that is being tried is left alone. If
     * this ends early, what was done stays, and doing it again takes out what is held then.
     */
    public HoldTally skipAll(HoldFilter filter, AuditContext instruction) {
        return sweep(changes, filter).each(hold -> hold.skipAll(instruction, afterSkip));
    }

    /**
     * Takes out the first message of each hold that a filter names, to which its reason belongs, and lets the
     * others go, in a transaction of its own. One that is being tried is left alone. If this ends early, what was done
     * stays. Repeat it with {@link HoldFilter#parked} only, or else the messages that have moved up are taken out too;
     * so is a message that was tried and parked meanwhile.
     */
    public HoldTally skipFirst(HoldFilter filter, AuditContext instruction) {
        return sweep(changes, filter).each(hold -> hold.skipFirst(instruction, afterSkip));
    }

    /**
     * Changes what a message says. Logical id and session stay; the audit keeps the original. The hold stays as it
     * is.
     *
     * @throws HoldBusyException if an attempt is running
     * @throws IllegalArgumentException if the id or the session is another, or the application properties do not
     *     decode
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
            throw new IllegalArgumentException("These are holds of the " + side.column() + "; not so the " + key);
        }
        return key;
    }

    /** An action that belongs to a skip, in its transaction. */
    @FunctionalInterface
    public interface AfterSkip {
        /** The message was taken out. */
        void in(DSLContext tx, HoldKey key, HeldMessage message);
    }
}
