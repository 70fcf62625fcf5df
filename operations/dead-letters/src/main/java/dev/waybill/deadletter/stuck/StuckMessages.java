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
 * One view of messages that wait for an operator: dead letters, and messages held in outbox and inbox. To re-drive held messages
 * is to release their hold; to discard one is to skip it. A change of many holds is a transaction for each hold, with an audit
 * row. Immutable and thread-safe.
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

    public static StuckMessages in(DataSource dataSource, SchemaName schema, Holds inbox) {
        return new StuckMessages(
                CustomPlans.in(OptionalTables.of(AutoCommitConnections.using(dataSource), schema)),
                schema,
                Holds.ofOutbox(dataSource, schema),
                inbox);
    }

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

    /** Passes holds to a visitor, those of the outbox first; as {@link Holds#forEach}. */
    public void forEach(HoldFilter filter, Consumer<Hold> visitor) {
        outbox.forEach(filter, visitor);
        inbox.forEach(filter, visitor);
    }

    /** The next messages of a hold after a place, 0 at first, in order. */
    public List<HeldMessage> show(HoldKey held, long after, int most) {
        return holds(held).messages(held, after, most);
    }

    /** How many holds and messages a change would concern. {@link #discardFirst} changes one message of each hold. */
    public HoldTally plan(HoldFilter filter) {
        return outbox.tally(filter).plus(inbox.tally(filter));
    }

    /** As {@link Holds#release(HoldKey, AuditContext)}. */
    public void redrive(HoldKey held, AuditContext instruction) {
        holds(held).release(held, instruction);
    }

    /** As {@link Holds#release(HoldFilter, AuditContext)}. */
    public HoldTally redrive(HoldFilter filter, AuditContext instruction) {
        return outbox.release(filter, instruction).plus(inbox.release(filter, instruction));
    }

    /** As {@link Holds#skip(HoldKey, long, AuditContext)}. */
    public void discard(HoldKey held, long place, AuditContext instruction) {
        holds(held).skip(held, place, instruction);
    }

    /** Discards all messages of the holds; as {@link Holds#skipAll(HoldFilter, AuditContext)}. */
    public HoldTally discardAll(HoldFilter filter, AuditContext instruction) {
        return outbox.skipAll(filter, instruction).plus(inbox.skipAll(filter, instruction));
    }

    /** Discards the first message of each hold, which is the one that failed; as {@link Holds#skipFirst}. */
    public HoldTally discardFirst(HoldFilter filter, AuditContext instruction) {
        return outbox.skipFirst(filter, instruction).plus(inbox.skipFirst(filter, instruction));
    }

    /** As {@link Holds#edit}. */
    public void edit(HoldKey held, long place, UnaryOperator<MessageContent> change, AuditContext instruction) {
        holds(held).edit(held, place, change, instruction);
    }

    private Holds holds(HoldKey held) {
        return held.side() == HoldSide.OUTBOX ? outbox : inbox;
    }

    /**
     * A number of messages that wait for the same reason.
     *
     * @param scope the entity of dead letters, the destination or the consumer of held messages
     * @param state open, quarantined, retrying or parked
     * @param oldestAge since the first of them was collected or held
     */
    public record Group(Where where, String scope, String reason, String state, long count, Duration oldestAge) {
        public enum Where {
            DEAD_LETTERS,
            HELD_IN_OUTBOX,
            HELD_IN_INBOX
        }
    }
}
