package dev.waybill.hold;

import static dev.waybill.migrations.jooq.Tables.HOLD;
import static org.jooq.impl.DSL.val;

import dev.waybill.hold.HoldAudit.Change;
import dev.waybill.migrations.SchemaName;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/**
 * What an operator may do about holds of one side. Changes states and messages under the hold's lock, each time with an
 * audit row in the same transaction, and never publishes: the owner of the session does. Needs the grants of
 * {@code Role.OPERATOR}. Immutable and thread-safe.
 *
 * <p>All changes throw {@link NoSuchElementException} if the hold, or the message, does not exist (any more).
 */
public final class Holds {
    private final DSLContext dsl;
    private final Side side;
    private final AfterSkip afterSkip;
    private final HoldTable table;
    private final HoldAudit audit;

    private Holds(DataSource dataSource, SchemaName schema, Side side, AfterSkip afterSkip) {
        this.dsl = schema.in(DSL.using(dataSource, SQLDialect.POSTGRES));
        this.side = side;
        this.afterSkip = afterSkip;
        this.table = HoldTable.in(schema);
        this.audit = new HoldAudit(schema);
    }

    /** The messages that wait to be published. */
    public static Holds ofOutbox(DataSource dataSource, SchemaName schema) {
        return new Holds(dataSource, schema, Side.OUTBOX, (tx, key, message) -> {});
    }

    /**
     * The messages that wait to be handled.
     *
     * @param afterSkip records that a skipped message must not be handled when the broker delivers it again
     */
    public static Holds ofInbox(DataSource dataSource, SchemaName schema, AfterSkip afterSkip) {
        return new Holds(dataSource, schema, Side.INBOX, afterSkip);
    }

    /** All holds, oldest first. */
    public List<Hold> list() {
        return HoldRows.fetch(dsl, HOLD.SIDE.eq(side.column()));
    }

    /** One hold. */
    public Optional<Hold> show(HoldKey key) {
        return HoldRows.fetch(dsl, HoldRows.is(own(key))).stream().findFirst();
    }

    /** The first messages of a hold, in order. */
    public List<HeldMessage> messages(HoldKey key, int most) {
        return dsl.select(HOLD.ID)
                .from(HOLD)
                .where(HoldRows.is(own(key)))
                .fetchOptional(HOLD.ID)
                .map(id -> HeldMessages.first(dsl, id, most))
                .orElseGet(List::of);
    }

    /** What operators did to a hold, oldest first; also after it has ended. */
    public List<AuditEntry> history(HoldKey key) {
        return audit.of(dsl, own(key));
    }

    /** Lets the hold be tried after a rest. What it has met so far keeps counting. */
    public void retry(HoldKey key, Duration rest, Instruction instruction) {
        reschedule(key, "retry", HoldRows.after(rest), HOLD.ATTEMPTS, instruction);
    }

    /** Lets the hold go at once, with attempts counted anew. It ends when all its messages are through. */
    public void release(HoldKey key, Instruction instruction) {
        reschedule(key, "release", HoldRows.NOW, val(0), instruction);
    }

    /**
     * Takes a message out for good; the audit keeps it. The hold stays as it is, or ends if that was its last message.
     *
     * @param place of the message in the hold
     * @return the message
     * @throws HoldBusyException if an attempt is running
     */
    public HeldMessage skip(HoldKey key, long place, Instruction instruction) {
        return dsl.transactionResult(tx -> {
            long id = lock(tx.dsl(), key);
            HeldMessage message = idleMessage(tx.dsl(), key, id, place);
            var change = new Change(audit.message(tx.dsl(), id, place), null);
            HeldMessages.remove(tx.dsl(), id, List.of(place));
            if (HeldMessages.none(tx.dsl(), id)) {
                tx.dsl().deleteFrom(HOLD).where(HOLD.ID.eq(id)).execute();
            }
            audit.write(tx.dsl(), key, "skip", instruction, change);
            afterSkip.in(tx.dsl(), key, message);
            return message;
        });
    }

    /**
     * Changes what a message says. Logical id and session stay; the audit keeps the original. The hold stays as it is.
     *
     * @throws HoldBusyException if an attempt is running
     * @throws IllegalArgumentException if the id or the session is another, or the application properties do not decode
     */
    public void edit(HoldKey key, long place, UnaryOperator<MessageContent> change, Instruction instruction) {
        dsl.transaction(tx -> {
            long id = lock(tx.dsl(), key);
            MessageContent old = idleMessage(tx.dsl(), key, id, place).content();
            var before = audit.message(tx.dsl(), id, place);
            HeldMessages.replace(tx.dsl(), id, place, checked(old, change.apply(old)));
            audit.write(tx.dsl(), key, "edit", instruction, new Change(before, audit.message(tx.dsl(), id, place)));
        });
    }

    private void reschedule(
            HoldKey key, String action, Field<?> dueAt, Field<Integer> attempts, Instruction instruction) {
        dsl.transaction(tx -> {
            long id = lock(tx.dsl(), key);
            var before = audit.hold(tx.dsl(), id);
            tx.dsl()
                    .update(HOLD)
                    .set(HOLD.STATE, HoldState.RETRYING.column())
                    .set(HOLD.DUE_AT, dueAt.coerce(HOLD.DUE_AT))
                    .set(HOLD.ATTEMPTS, attempts)
                    .set(HOLD.CHANGED_AT, HoldRows.NOW)
                    .where(HOLD.ID.eq(id))
                    .execute();
            audit.write(tx.dsl(), key, action, instruction, new Change(before, audit.hold(tx.dsl(), id)));
        });
    }

    private long lock(DSLContext tx, HoldKey key) {
        return table.lock(tx, own(key)).orElseThrow(() -> new NoSuchElementException("There is no hold of the " + key));
    }

    // One that ran out and was not settled: who comes back with it now has sent what no longer stands here.
    private static void endAttempt(DSLContext tx, long id) {
        tx.update(HOLD)
                .setNull(HOLD.ATTEMPT_TOKEN)
                .setNull(HOLD.ATTEMPT_UNTIL)
                .set(HOLD.ATTEMPTS, 0)
                .set(HOLD.CHANGED_AT, HoldRows.NOW)
                .where(HOLD.ID.eq(id))
                .execute();
    }

    private static HeldMessage idleMessage(DSLContext tx, HoldKey key, long id, long place) {
        if (tx.fetchExists(HOLD, HOLD.ID.eq(id), HOLD.ATTEMPT_UNTIL.gt(HoldRows.NOW))) {
            throw new HoldBusyException(key);
        }
        endAttempt(tx, id);
        return HeldMessages.at(tx, id, place)
                .orElseThrow(() -> new NoSuchElementException("The hold of the " + key + " has no message " + place));
    }

    private static MessageContent checked(MessageContent old, MessageContent changed) {
        if (!old.messageId().equals(changed.messageId()) || !Objects.equals(old.sessionId(), changed.sessionId())) {
            throw new IllegalArgumentException("An edit keeps the logical id and the session of a message");
        }
        changed.properties();
        return changed;
    }

    private HoldKey own(HoldKey key) {
        if (key.side() != side) {
            throw new IllegalArgumentException("These are holds of the " + side.column() + "; not so the " + key);
        }
        return key;
    }

    /** What else a skip does, in its transaction. */
    @FunctionalInterface
    public interface AfterSkip {
        /** The message was taken out. */
        void in(DSLContext tx, HoldKey key, HeldMessage message);
    }
}
