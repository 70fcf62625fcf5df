package dev.waybill.deadletter.stuck;

import dev.waybill.deadletter.store.CustomPlans;
import dev.waybill.deadletter.stuck.StuckMessages.Group.Where;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.HeldMessage;
import dev.waybill.hold.Hold;
import dev.waybill.hold.HoldFilter;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.HoldTally;
import dev.waybill.hold.Holds;
import dev.waybill.message.MessageContent;
import dev.waybill.schema.AutoCommitConnections;
import dev.waybill.schema.OptionalTables;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jooq.DSLContext;

/**
 * All that does not move by itself, wherever it is, in the same words: dead letters, and what is held in outbox and inbox. To
 * re-drive what is held is to release its hold; to discard one of its messages is to skip it. A change of many is
 * a transaction for each hold, which is chosen again under its lock, with an audit row; if the change ends early,
 * the holds that it has changed stay so. Immutable and thread-safe.
 */
public final class StuckMessages {
    private final DSLContext dsl;
    private final SchemaName schema;
    private final Holds outbox;
    private final Holds inbox;

    private StuckMessages(DSLContext dsl, SchemaName schema, Holds outbox, Holds inbox) {
        this.dsl = dsl;
        this.schema = schema;
        this.outbox = outbox;
        this.inbox = inbox;
    }

    /**
     * A desk.
     *
     * @param inbox what consumers hold: {@code InboxHolds.in}
     */
    public static StuckMessages in(DataSource dataSource, SchemaName schema, Holds inbox) {
        return new StuckMessages(
                CustomPlans.in(OptionalTables.of(AutoCommitConnections.using(dataSource), schema)),
                schema,
                Holds.ofOutbox(dataSource, schema),
                inbox);
    }

    /** Everything that there is, by place, scope, reason and state; the oldest first. */
    public List<Group> list() {
        return dsl.fetch(new SqlFiles(StuckMessages.class, schema).get("stuck"))
                .map(row -> new Group(
                        Where.valueOf(row.get("place", String.class).toUpperCase(Locale.ROOT)),
                        row.get("scope", String.class),
                        row.get("reason", String.class),
                        row.get("state", String.class),
                        row.get("messages", Long.class),
                        Duration.ofMillis(row.get("age", Long.class))));
    }

    /** Shows the holds that a filter names to a visitor, those of the outbox first; as {@link Holds#forEach}. */
    public void forEach(HoldFilter filter, Consumer<Hold> visitor) {
        outbox.forEach(filter, visitor);
        inbox.forEach(filter, visitor);
    }

    /**
     * The next messages of a hold, in order.
     *
     * @param after place of the last one seen; 0 for the first page
     */
    public List<HeldMessage> show(HoldKey held, long after, int most) {
        return holds(held).messages(held, after, most);
    }

    /**
     * The holds and messages that re-driving or discarding would change now; changes nothing. For {@link
     * #discardFirst} the number of messages is that of the holds.
     */
    public HoldTally plan(HoldFilter filter) {
        return outbox.tally(filter).plus(inbox.tally(filter));
    }

    /** Lets what is held go on at once; as {@link Holds#release(HoldKey, AuditContext)}. */
    public void redrive(HoldKey held, AuditContext instruction) {
        holds(held).release(held, instruction);
    }

    /** Lets all go on that a filter names; as {@link Holds#release(HoldFilter, AuditContext)}. */
    public HoldTally redrive(HoldFilter filter, AuditContext instruction) {
        return outbox.release(filter, instruction).plus(inbox.release(filter, instruction));
    }

    /** Takes a held message out for good; as {@link Holds#skip(HoldKey, long, AuditContext)}. */
    public void discard(HoldKey held, long place, AuditContext instruction) {
        holds(held).skip(held, place, instruction);
    }

    /**
     * Takes out for good all that is held where a filter names it, also what only waits behind another message; as
     * {@link Holds#skipAll(HoldFilter, AuditContext)}.
     */
    public HoldTally discardAll(HoldFilter filter, AuditContext instruction) {
        return outbox.skipAll(filter, instruction).plus(inbox.skipAll(filter, instruction));
    }

    /**
     * Takes out the message that stands first in each hold, to which its reason belongs, and lets the others go on; as
     * {@link Holds#skipFirst}.
     */
    public HoldTally discardFirst(HoldFilter filter, AuditContext instruction) {
        return outbox.skipFirst(filter, instruction).plus(inbox.skipFirst(filter, instruction));
    }

    /** Changes what a held message says; as {@link Holds#edit}. */
    public void edit(HoldKey held, long place, UnaryOperator<MessageContent> change, AuditContext instruction) {
        holds(held).edit(held, place, change, instruction);
    }

    private Holds holds(HoldKey held) {
        return held.side() == HoldSide.OUTBOX ? outbox : inbox;
    }

    /**
     * Messages that do not move by themselves.
     *
     * @param scope the entity of dead letters, the destination of held outbox messages, the consumer of held inbox messages
     * @param state open, quarantined, retrying or parked
     * @param oldestAge since the first of them has been here
     */
    public record Group(Where where, String scope, String reason, String state, long count, Duration oldestAge) {
        /** Where they are. */
        public enum Where {
            /** Collected from the broker; see {@link DeadLetters}. */
            DEAD_LETTERS,
            /** In front of the broker; see {@code Holds.ofOutbox}. */
            HELD_IN_OUTBOX,
            /** In front of a handler; see {@code Holds.ofInbox}. */
            HELD_IN_INBOX
        }
    }
}
