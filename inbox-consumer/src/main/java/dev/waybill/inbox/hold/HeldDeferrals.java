package dev.waybill.inbox.hold;

import static dev.waybill.schema.jooq.Tables.INBOX_HOLD;

import dev.waybill.hold.Attempt;
import dev.waybill.hold.AttemptResult;
import dev.waybill.hold.Attempts;
import dev.waybill.hold.Cause;
import dev.waybill.hold.HeldMessage;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.HoldTable;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.LockLostException;
import dev.waybill.inbox.defer.DeferralTable;
import dev.waybill.inbox.defer.DeferringAttempt;
import dev.waybill.inbox.settings.ConsumerSettings;
import dev.waybill.supervision.Traces;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jooq.DSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Defers messages out of holds: each waits in a hold of its own, because the broker no longer has it. Thread-safe. */
final class HeldDeferrals {
    private static final Logger LOG = LoggerFactory.getLogger(HeldDeferrals.class);
    private static final Traces TRACES = new Traces();

    /** The handler is then called again, although the message was not resumed. */
    private static final Duration LONGEST = Duration.ofDays(1);

    private final DSLContext dsl;
    private final ConsumerSettings settings;
    private final DeferralTable deferrals;
    private final Attempts attempts;
    private final HoldTable table;

    HeldDeferrals(DSLContext dsl, DeferralTable deferrals, ConsumerSettings settings) {
        this.dsl = dsl;
        this.settings = settings;
        this.deferrals = deferrals;
        attempts = Attempts.in(settings.store().schema(), HoldSide.INBOX);
        table = HoldTable.in(settings.store().schema(), HoldSide.INBOX);
    }

    // Returns ENDED if the message was alone in its hold. Throws LockLostException without a change if the attempt has
    // ended.
    AttemptState defer(Attempt attempt, HeldMessage held, InboundMessage message, DeferringAttempt deferral) {
        boolean alone = attempt.key().message() != null;
        var cause = new Cause("Deferred", "The handler deferred it until '" + deferral.deferKey() + "' is resumed");
        boolean ours = dsl.transactionResult(tx -> {
            boolean left = alone ? stays(tx.dsl(), attempt, cause) : attempts.done(tx.dsl(), attempt, held);
            if (left) {
                long hold = alone ? attempt.holdId() : setAside(tx.dsl(), held, cause);
                tx.dsl().connection(connection -> deferrals.storeHeld(connection, message, deferral, hold));
            }
            return left;
        });
        if (!ours) {
            throw new LockLostException("The attempt at the hold of the " + attempt.key() + " has ended", null);
        }
        judge(message, deferral);
        return alone ? AttemptState.ENDED : AttemptState.OPEN;
    }

    // A deferral is a regular end, so earlier attempts must not cast suspicion on the message.
    private boolean stays(DSLContext tx, Attempt attempt, Cause cause) {
        boolean ours = attempts.settle(tx, attempt, List.of(), AttemptResult.later(cause, LONGEST));
        if (ours) {
            settings.store()
                    .schema()
                    .in(tx)
                    .update(INBOX_HOLD)
                    .set(INBOX_HOLD.ATTEMPTS, 0)
                    .where(INBOX_HOLD.ID.eq(attempt.holdId()))
                    .execute();
        }
        return ours;
    }

    private long setAside(DSLContext tx, HeldMessage held, Cause cause) {
        var content = held.content();
        var key =
                HoldKey.message(HoldSide.INBOX, settings.store().consumer(), content.sessionId(), content.messageId());
        long hold = table.postpone(tx, key, cause, LONGEST);
        table.add(tx, hold, held);
        return hold;
    }

    private void judge(InboundMessage message, DeferringAttempt deferral) {
        try {
            deferrals.judge(message, deferral);
        } catch (SQLException e) {
            TRACES.warn(
                    LOG,
                    "Message '" + message.id()
                            + "' was deferred in its hold, but not matched with resumptions; it is handled again soon",
                    e);
        }
    }
}
