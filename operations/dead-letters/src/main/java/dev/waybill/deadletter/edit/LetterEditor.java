package dev.waybill.deadletter.edit;

import static dev.waybill.schema.jooq.Tables.DEAD_LETTER;
import static dev.waybill.schema.jooq.Tables.DEAD_LETTER_MESSAGE;
import static dev.waybill.schema.jooq.Tables.DEAD_LETTER_VERSION;
import static org.jooq.impl.DSL.val;
import static org.jooq.impl.DSL.when;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetter.BodyKind;
import dev.waybill.deadletter.FieldChange;
import dev.waybill.deadletter.audit.DeadLetterAudit;
import dev.waybill.deadletter.audit.DeadLetterAudit.Entry;
import dev.waybill.deadletter.store.DeadLetterRows;
import dev.waybill.deadletter.store.StateTable;
import dev.waybill.deadletter.store.StorableValues;
import dev.waybill.hold.AuditContext;
import dev.waybill.message.Headers;
import dev.waybill.message.MessageContent;
import dev.waybill.message.SendRules;
import dev.waybill.message.WireContract;
import dev.waybill.schema.BinaryParameters;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** Changes the content of letters and keeps former versions. */
public record LetterEditor(DSLContext dsl, SchemaName schema, Set<String> locked) {
    private static final String PROPERTY = "property:";

    public List<FieldChange> edit(long id, UnaryOperator<MessageContent> change, AuditContext instruction) {
        return dsl.transactionResult(tx -> edit(tx.dsl(), id, change, instruction));
    }

    public List<FieldChange> edit(DeadLetter read, MessageContent content, AuditContext instruction) {
        UnaryOperator<MessageContent> change = current -> {
            if (!ContentDiff.between(read.content(), current).isEmpty()) {
                throw new IllegalStateException("Somebody has edited dead letter " + read.id() + " since it was read");
            }
            return content;
        };
        return edit(read.id(), change, instruction);
    }

    private List<FieldChange> edit(
            DSLContext tx, long id, UnaryOperator<MessageContent> change, AuditContext instruction) {
        Record row = tx.selectFrom(DEAD_LETTER)
                .where(editable(id))
                .forUpdate()
                .fetchOptional()
                .orElseThrow(() -> noneToEdit(id));
        MessageContent old = DeadLetterRows.content(row);
        MessageContent changed = checked(tx, row, change);
        List<FieldChange> changes = ContentDiff.between(old, changed);
        if (!changes.isEmpty()) {
            write(tx, id, row.get(DEAD_LETTER.VERSION), changed);
            DeadLetterAudit.write(
                    tx, List.of(id), Entry.of("edit", instruction), digests(changes, false), digests(changes, true));
        }
        return changes;
    }

    public List<FieldChange> preview(long id, UnaryOperator<MessageContent> change) {
        Record row =
                dsl.selectFrom(DEAD_LETTER).where(editable(id)).fetchOptional().orElseThrow(() -> noneToEdit(id));
        return ContentDiff.between(DeadLetterRows.content(row), checked(dsl, row, change));
    }

    private static Condition editable(long id) {
        return DEAD_LETTER
                .ID
                .eq(id)
                .and(DEAD_LETTER.STATE.in(
                        DeadLetterRows.column(DeadLetter.State.OPEN),
                        DeadLetterRows.column(DeadLetter.State.QUARANTINED)));
    }

    private static NoSuchElementException noneToEdit(long id) {
        return new NoSuchElementException("There is no dead letter " + id + " that can be edited");
    }

    private MessageContent checked(DSLContext tx, Record row, UnaryOperator<MessageContent> change) {
        long id = row.get(DEAD_LETTER.ID);
        if (row.get(DEAD_LETTER.EMPTIED) != null) {
            throw new IllegalArgumentException(
                    "Dead letter " + id + " cannot be edited: it was redacted, or imported without its body");
        }
        MessageContent old = DeadLetterRows.content(row);
        MessageContent changed = change.apply(old);
        checkIdentity(old, changed);
        List<FieldChange> changes = ContentDiff.between(old, changed);
        if (!changes.isEmpty()) {
            check(old, changed, changes);
            checkBody(DeadLetterRows.constant(BodyKind.class, row.get(DEAD_LETTER.BODY_KIND)), changed.body());
            if (!Objects.equals(old.sessionId(), changed.sessionId())) {
                checkNotHeld(tx, id);
            }
        }
        return changed;
    }

    private static void checkIdentity(MessageContent old, MessageContent changed) {
        if (!old.messageId().equals(changed.messageId())
                || !Objects.equals(old.brokerMessageId(), changed.brokerMessageId())) {
            throw new IllegalArgumentException("An edit keeps the ids of a message");
        }
        if (old.sessionId() != null && !old.sessionId().equals(changed.sessionId())) {
            throw new IllegalArgumentException("An edit keeps the session of a message that has one");
        }
    }

    private void check(MessageContent old, MessageContent changed, List<FieldChange> changes) {
        for (FieldChange change : changes) {
            if (locked.contains(FieldChange.key(change.field())) || isOurs(change.field())) {
                throw new IllegalArgumentException("The field '" + change.field() + "' is locked");
            }
            if (!change.field().equals("body") && !isStorable(change.after())) {
                throw new IllegalArgumentException(
                        "The field '" + change.field() + "' has a NUL character or half of a surrogate pair in it");
            }
        }
        if (!StorableValues.isTimeToLive(changed.timeToLive())) {
            throw new IllegalArgumentException("A time to live is from 1 ms to 49 days, or null for none");
        }
        @Nullable String obstacle = SendRules.violation(old, changed);
        if (obstacle != null) {
            throw new IllegalArgumentException("The edited message " + obstacle);
        }
    }

    // Its next re-drive goes to the hold of the session. The message in this hold would be handled as well.
    private void checkNotHeld(DSLContext tx, long id) {
        if (tx.fetchSingle(HELD.formatted(schema), val(id)).get(0, Boolean.class)) {
            throw new IllegalArgumentException("Dead letter " + id
                    + " waits in a hold of its consumer without a session; skip it there before it is given one");
        }
    }

    private static void checkBody(BodyKind kind, byte[] body) {
        if (kind == BodyKind.TEXT && !StorableValues.isUtf8(body)) {
            throw new IllegalArgumentException("The message's body is a text; the edited one is no UTF-8");
        }
    }

    // In properties a NUL is escaped, and an obstacle to sending.
    private static boolean isStorable(@Nullable String text) {
        return text == null || (text.indexOf('\0') < 0 && !StorableValues.hasHalfPair(text));
    }

    private static boolean isOurs(String field) {
        return field.startsWith(PROPERTY) && WireContract.isReserved(field.substring(PROPERTY.length()));
    }

    // A text stays a text. Of another value only the JSON can be edited, and the result is bytes.
    private static Condition saysTheSame(byte[] body) {
        return DEAD_LETTER_MESSAGE
                .BODY_KIND
                .eq(DeadLetterRows.column(BodyKind.TEXT))
                .or(DEAD_LETTER_MESSAGE.PAYLOAD.eq(body));
    }

    private void write(DSLContext tx, long id, int version, MessageContent content) {
        tx.connection(BinaryParameters::require);
        tx.execute(new SqlFiles(LetterEditor.class, schema).get("version-keep"), val(id));
        @Nullable Duration timeToLive = content.timeToLive();
        tx.update(DEAD_LETTER_MESSAGE)
                .set(DEAD_LETTER_MESSAGE.VERSION, version + 1)
                .set(DEAD_LETTER_MESSAGE.SESSION_ID, content.sessionId())
                .set(DEAD_LETTER_MESSAGE.PARTITION_KEY, content.partitionKey())
                .set(DEAD_LETTER_MESSAGE.SUBJECT, content.subject())
                .set(DEAD_LETTER_MESSAGE.CONTENT_TYPE, content.contentType())
                .set(DEAD_LETTER_MESSAGE.CORRELATION_ID, content.correlationId())
                .set(DEAD_LETTER_MESSAGE.TO_ADDRESS, content.toAddress())
                .set(DEAD_LETTER_MESSAGE.REPLY_TO, content.replyTo())
                .set(DEAD_LETTER_MESSAGE.REPLY_TO_SESSION_ID, content.replyToSessionId())
                .set(DEAD_LETTER_MESSAGE.TIME_TO_LIVE, timeToLive == null ? null : timeToLive.toMillis())
                // In the form of all other rows.
                .set(
                        DEAD_LETTER_MESSAGE.HEADERS,
                        content.headers() == null ? null : Headers.write(content.properties()))
                .set(
                        DEAD_LETTER_MESSAGE.BODY_KIND,
                        when(saysTheSame(content.body()), DEAD_LETTER_MESSAGE.BODY_KIND)
                                .otherwise(DeadLetterRows.column(BodyKind.DATA)))
                .set(DEAD_LETTER_MESSAGE.PAYLOAD, content.body())
                .where(DEAD_LETTER_MESSAGE.ID.eq(id))
                .execute();
        StateTable.touch(tx, id);
    }

    private static Map<String, String> digests(List<FieldChange> changes, boolean after) {
        return changes.stream()
                .collect(Collectors.toMap(
                        FieldChange::field, change -> TextDigest.of(after ? change.after() : change.before())));
    }

    public List<FieldChange> diff(long id) {
        Optional<MessageContent> now =
                dsl.selectFrom(DEAD_LETTER).where(DEAD_LETTER.ID.eq(id)).fetchOptional(DeadLetterRows::content);
        Optional<MessageContent> original = original(id);
        return now.isEmpty() || original.isEmpty() ? List.of() : ContentDiff.between(original.get(), now.get());
    }

    public Optional<MessageContent> original(long id) {
        Optional<? extends Record> row =
                dsl.selectFrom(DEAD_LETTER).where(DEAD_LETTER.ID.eq(id)).fetchOptional();
        return row.map(now -> dsl.selectFrom(DEAD_LETTER_VERSION)
                .where(DEAD_LETTER_VERSION.DEAD_LETTER.eq(id), DEAD_LETTER_VERSION.VERSION.eq(1))
                .fetchOptional(old -> version(now, old))
                .orElseGet(() -> DeadLetterRows.content(now)));
    }

    private static MessageContent version(Record now, Record old) {
        @Nullable Long timeToLive = old.get(DEAD_LETTER_VERSION.TIME_TO_LIVE);
        return MessageContent.builder(now.get(DEAD_LETTER.MESSAGE_ID))
                .brokerMessageId(now.get(DEAD_LETTER.BROKER_MESSAGE_ID))
                .sessionId(old.get(DEAD_LETTER_VERSION.SESSION_ID))
                .partitionKey(old.get(DEAD_LETTER_VERSION.PARTITION_KEY))
                .subject(old.get(DEAD_LETTER_VERSION.SUBJECT))
                .contentType(old.get(DEAD_LETTER_VERSION.CONTENT_TYPE))
                .correlationId(old.get(DEAD_LETTER_VERSION.CORRELATION_ID))
                .toAddress(old.get(DEAD_LETTER_VERSION.TO_ADDRESS))
                .replyTo(old.get(DEAD_LETTER_VERSION.REPLY_TO))
                .replyToSessionId(old.get(DEAD_LETTER_VERSION.REPLY_TO_SESSION_ID))
                .timeToLive(timeToLive == null ? null : Duration.ofMillis(timeToLive))
                .scheduledEnqueueTime(DeadLetterRows.instant(now.get(DEAD_LETTER.SCHEDULED_ENQUEUE_TIME)))
                .headers(old.get(DEAD_LETTER_VERSION.HEADERS))
                .body(old.get(DEAD_LETTER_VERSION.PAYLOAD))
                .build();
    }

    private static final String HELD = "select exists (select from %1$s.inbox_held_message where dead_letter = {0})";
}
