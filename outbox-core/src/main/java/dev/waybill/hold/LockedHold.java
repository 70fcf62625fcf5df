package dev.waybill.hold;

import static dev.waybill.hold.HoldTables.HOLD;
import static org.jooq.impl.DSL.val;

import dev.waybill.hold.HoldAudit.Change;
import dev.waybill.hold.Holds.AfterSkip;
import dev.waybill.message.MessageContent;
import dev.waybill.message.SendRules;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/** A hold that this transaction has locked, and the operators' actions on it. */
record LockedHold(DSLContext tx, long id, HoldKey key, HoldAudit audit) {
    /** Most messages in memory during {@link #skipAll}. */
    private static final int PAGE = 20;

    boolean isBusy() {
        return tx.fetchExists(HOLD, HOLD.ID.eq(id), HOLD.ATTEMPT_UNTIL.gt(HoldRows.NOW));
    }

    long messages() {
        return HeldMessages.count(tx, id);
    }

    void retry(Duration rest, AuditContext instruction) {
        reschedule("retry", HoldRows.after(rest), HOLD.ATTEMPTS, instruction);
    }

    void release(AuditContext instruction) {
        reschedule("release", HoldRows.NOW, val(0), instruction);
    }

    HeldMessage skip(long place, AuditContext instruction, AfterSkip afterSkip) {
        HeldMessage message = idleMessage(place);
        skip(List.of(message), instruction, afterSkip);
        endIfEmpty();
        return message;
    }

    /** Deletes the first message and releases the others; returns the number of deleted messages, 0 or 1. */
    long skipFirst(AuditContext instruction, AfterSkip afterSkip) {
        endAttempt();
        List<HeldMessage> first = HeldMessages.after(tx, id, 0, 1);
        skip(first, instruction, afterSkip);
        if (!endIfEmpty()) {
            release(instruction);
        }
        return first.size();
    }

    /** Deletes all messages and ends the hold; returns the number of deleted messages. */
    long skipAll(AuditContext instruction, AfterSkip afterSkip) {
        long skipped = 0;
        List<HeldMessage> page;
        do {
            page = HeldMessages.after(tx, id, 0, PAGE);
            skip(page, instruction, afterSkip);
            skipped += page.size();
        } while (page.size() == PAGE);
        endIfEmpty();
        return skipped;
    }

    void edit(long place, UnaryOperator<MessageContent> change, AuditContext instruction) {
        MessageContent old = idleMessage(place).content();
        var before = audit.message(tx, id, place);
        HeldMessages.replace(tx, id, place, checked(old, change.apply(old)));
        audit.write(tx, key, "edit", instruction, new Change(before, audit.message(tx, id, place)));
    }

    private void skip(List<HeldMessage> messages, AuditContext instruction, AfterSkip afterSkip) {
        List<Long> places = messages.stream().map(HeldMessage::place).toList();
        audit.skipped(tx, key, id, places, instruction);
        HeldMessages.remove(tx, id, places);
        messages.forEach(message -> afterSkip.in(tx, key, message));
    }

    private boolean endIfEmpty() {
        boolean empty = HeldMessages.none(tx, id);
        if (empty) {
            tx.deleteFrom(HOLD).where(HOLD.ID.eq(id)).execute();
        }
        return empty;
    }

    private void reschedule(String action, Field<?> dueAt, Field<Integer> attempts, AuditContext instruction) {
        var before = audit.hold(tx, id);
        tx.update(HOLD)
                .set(HOLD.STATE, HoldState.RETRYING.column())
                .set(HOLD.DUE_AT, dueAt.coerce(HOLD.DUE_AT))
                .set(HOLD.ATTEMPTS, attempts)
                .set(HOLD.CHANGED_AT, HoldRows.NOW)
                .where(HOLD.ID.eq(id))
                .execute();
        audit.write(tx, key, action, instruction, new Change(before, audit.hold(tx, id)));
    }

    private HeldMessage idleMessage(long place) {
        if (isBusy()) {
            throw new HoldBusyException(key);
        }
        endAttempt();
        return HeldMessages.after(tx, id, place - 1, 1).stream()
                .filter(message -> message.place() == place)
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("The hold of the " + key + " has no message " + place));
    }

    // Invalidates an expired attempt, whose worker may have sent the old content.
    private void endAttempt() {
        tx.update(HOLD)
                .setNull(HOLD.ATTEMPT_TOKEN)
                .setNull(HOLD.ATTEMPT_UNTIL)
                .set(HOLD.ATTEMPTS, 0)
                .set(HOLD.CHANGED_AT, HoldRows.NOW)
                .where(HOLD.ID.eq(id))
                .execute();
    }

    static MessageContent checked(MessageContent old, MessageContent changed) {
        if (!old.messageId().equals(changed.messageId()) || !Objects.equals(old.sessionId(), changed.sessionId())) {
            throw new IllegalArgumentException("An edit keeps the logical id and the session of a message");
        }
        changed.properties();
        @Nullable String broken = SendRules.violation(old, changed);
        if (broken != null) {
            throw new IllegalArgumentException("The edited message " + broken);
        }
        return changed;
    }
}
