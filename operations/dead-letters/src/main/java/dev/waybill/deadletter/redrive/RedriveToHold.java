package dev.waybill.deadletter.redrive;

import static dev.waybill.schema.jooq.Tables.DEAD_LETTER;

import dev.waybill.deadletter.DeadLetter.BodyKind;
import dev.waybill.deadletter.RedriveRun;
import dev.waybill.deadletter.store.DeadLetterRows;
import dev.waybill.hold.HeldMessage;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.HoldTable;
import dev.waybill.message.BodyText;
import dev.waybill.message.MessageContent;
import dev.waybill.schema.SchemaName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** Hands letters to the consumer that failed: they join their session's hold, or replace what it has of them. */
final class RedriveToHold {
    private final HoldTable table;

    RedriveToHold(SchemaName schema) {
        table = HoldTable.in(schema, HoldSide.INBOX);
    }

    /** Returns letters that were not handed over, because the consumer is attempting the held message. */
    List<RedriveItem> add(DSLContext tx, RedriveRun run, List<RedriveItem> items, String now) {
        String consumer = run.request().target().orElseThrow();
        // Holds are locked in the order of their keys.
        var byKey = new TreeMap<HoldKey, List<RedriveItem>>(Comparator.comparing(HoldKey::text));
        for (RedriveItem item : items) {
            byKey.computeIfAbsent(key(consumer, item), key -> new ArrayList<>()).add(item);
        }
        var left = new ArrayList<RedriveItem>();
        byKey.forEach((key, messages) -> {
            long hold = table.join(tx, key);
            messages.stream()
                    // A message that failed out of the session's hold may have been set aside, in a hold of its own.
                    .filter(item -> !add(
                            tx, table.lock(tx, alone(consumer, item), item.id()).orElse(hold), item, run.id(), now))
                    .forEach(left::add);
            table.endIfEmpty(tx, hold);
        });
        return left;
    }

    private boolean add(DSLContext tx, long hold, RedriveItem item, long run, String now) {
        MessageContent content =
                tx.selectFrom(DEAD_LETTER).where(DEAD_LETTER.ID.eq(item.id())).fetchSingle(DeadLetterRows::content);
        var origin = new HeldMessage.Origin(
                item.sequenceNumber(), item.death().enqueuedAt(), item.death().deliveries());
        return table.bring(tx, hold, item.id(), origin, redriven(content, item, run, now));
    }

    private static MessageContent redriven(MessageContent content, RedriveItem item, long run, String now) {
        return content.toBuilder()
                .brokerMessageId(item.brokerId(run))
                .scheduledEnqueueTime(null)
                .contentType(
                        item.message().body().kind() == BodyKind.TEXT
                                ? BodyText.utf8(content.contentType())
                                : content.contentType())
                .headers(item.headers(now))
                .build();
    }

    private static HoldKey key(String consumer, RedriveItem item) {
        @Nullable String session = item.message().session();
        return session == null ? alone(consumer, item) : HoldKey.session(HoldSide.INBOX, consumer, session);
    }

    private static HoldKey alone(String consumer, RedriveItem item) {
        return HoldKey.message(
                HoldSide.INBOX,
                consumer,
                item.message().session(),
                item.message().id());
    }
}
