package dev.waybill.inbox.settle;

import dev.waybill.hold.Cause;
import dev.waybill.hold.HeldMessage.Origin;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.HoldTable;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.lock.Fence;
import dev.waybill.inbox.lock.Fencing;
import dev.waybill.inbox.lock.InboxKey;
import dev.waybill.inbox.record.InboxInsert;
import dev.waybill.message.MessageContent;
import dev.waybill.schema.SchemaName;
import java.time.Duration;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Puts messages on hold, each in its own transaction; the caller completes them afterwards. Thread-safe.
 *
 * <p>The transaction inserts and deletes the message's id. The insert waits for a concurrent delivery of the message. If that delivery
 * is done, nothing is held.
 */
public final class HoldWriter {
    private final DSLContext dsl;
    private final HoldTable table;
    private final InboxInsert insert;
    private final Fencing fencing;
    private final String consumer;
    private final String takeBack;

    public HoldWriter(DSLContext dsl, SchemaName schema, InboxInsert insert, Fencing fencing, String consumer) {
        this.dsl = dsl;
        this.table = HoldTable.in(schema, HoldSide.INBOX);
        this.insert = insert;
        this.fencing = fencing;
        this.consumer = consumer;
        this.takeBack = "delete from " + schema.table("inbox_message") + " where key = ?";
    }

    // Adds the message to the hold that its record found. False if the message was done. Throws LockLostException if
    // the session has a later owner.
    public boolean join(InboundMessage message, @Nullable String seen, @Nullable Fence fence) {
        HoldKey alone = alone(message);
        HoldKey key = alone.text().equals(seen) ? alone : whole(message);
        return keep(message, fence, tx -> table.join(tx, key));
    }

    /** Holds the message and its session until an operator decides. */
    boolean park(InboundMessage message, Cause cause, @Nullable Fence fence) {
        return keep(message, fence, tx -> table.park(tx, whole(message), cause));
    }

    /** Holds the message and its session for a time. */
    boolean postpone(InboundMessage message, Cause cause, Duration rest, @Nullable Fence fence) {
        return keep(message, fence, tx -> table.postpone(tx, whole(message), cause, rest));
    }

    private boolean keep(InboundMessage message, @Nullable Fence fence, Opening opening) {
        MessageContent content = HeldInbound.content(message);
        return dsl.transactionResult(tx -> {
            boolean first = tx.dsl().connectionResult(connection -> insert.execute(connection, consumer, message.id()));
            if (first) {
                tx.dsl().connection(connection -> {
                    fencing.require(connection, fence);
                    try (var statement = connection.prepareStatement(takeBack)) {
                        statement.setObject(1, InboxKey.of(consumer, message.id()));
                        statement.executeUpdate();
                    }
                });
                var origin = new Origin(message.sequenceNumber(), message.enqueuedAt(), message.deliveryCount());
                table.add(tx.dsl(), open(tx.dsl(), message, opening), origin, content);
            }
            return first;
        });
    }

    // The held message may have got a hold of its own meanwhile: a second copy joins the first.
    private long open(DSLContext tx, InboundMessage message, Opening opening) {
        long hold = opening.open(tx);
        long own = table.lock(tx, alone(message)).orElse(hold);
        if (own != hold) {
            table.endIfEmpty(tx, hold);
        }
        return own;
    }

    HoldKey alone(InboundMessage message) {
        return HoldKey.message(HoldSide.INBOX, consumer, message.session().orElse(null), message.id());
    }

    private HoldKey whole(InboundMessage message) {
        return message.session()
                .map(session -> HoldKey.session(HoldSide.INBOX, consumer, session))
                .orElseGet(() -> alone(message));
    }

    private interface Opening {
        long open(DSLContext tx);
    }
}
