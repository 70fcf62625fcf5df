package dev.waybill.deadletter;

import static dev.waybill.schema.jooq.Tables.DEAD_LETTER_AUDIT;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import dev.waybill.hold.AuditContext;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** The record of what was done. Nothing that a message says is in it, so that nothing has to be erased from it. */
final class DeadLetterAudits {
    private static final String STATE = "state";

    private DeadLetterAudits() {}

    /** Many went from their states to another: one row for each state that they were in. */
    static void write(DSLContext tx, List<Transition> changed, Entry entry, String to) {
        byState(changed).forEach((from, ids) -> write(tx, ids, entry, Map.of(STATE, from), Map.of(STATE, to)));
    }

    /** Many lost fields, or everything if none is named, and stayed in their states: one row for each of these. */
    static void redacted(DSLContext tx, List<Transition> touched, Entry entry, List<String> fields) {
        byState(touched)
                .forEach((state, ids) -> write(
                        tx,
                        ids,
                        entry,
                        Map.of(STATE, state),
                        fields.isEmpty() ? Map.of(STATE, state) : Map.of(STATE, state, "fields", fields)));
    }

    /** One thing was done, to so many. */
    static void write(DSLContext tx, List<Long> deadLetters, Entry entry, Map<String, ?> before, Map<String, ?> after) {
        tx.insertInto(DEAD_LETTER_AUDIT)
                .set(DEAD_LETTER_AUDIT.DEAD_LETTERS, deadLetters.toArray(Long[]::new))
                .set(DEAD_LETTER_AUDIT.REDRIVE, entry.redrive)
                .set(DEAD_LETTER_AUDIT.ACTION, entry.action)
                .set(DEAD_LETTER_AUDIT.OPERATOR, entry.instruction.operator())
                .set(DEAD_LETTER_AUDIT.REASON, entry.instruction.reason())
                .set(DEAD_LETTER_AUDIT.BEFORE, JSONB.valueOf(JsonObjects.write(before)))
                .set(DEAD_LETTER_AUDIT.AFTER, JSONB.valueOf(JsonObjects.write(after)))
                .execute();
    }

    private static Map<String, List<Long>> byState(List<Transition> transitions) {
        return transitions.stream()
                .collect(groupingBy(Transition::from, TreeMap::new, mapping(Transition::id, toList())));
    }

    static List<DeadLetterAuditEntry> of(DSLContext dsl, long deadLetter) {
        return dsl.selectFrom(DEAD_LETTER_AUDIT)
                .where(DEAD_LETTER_AUDIT.DEAD_LETTERS.contains(new Long[] {deadLetter}))
                .orderBy(DEAD_LETTER_AUDIT.ID)
                .fetch(DeadLetterAudits::entry);
    }

    private static DeadLetterAuditEntry entry(Record row) {
        @Nullable JSONB before = row.get(DEAD_LETTER_AUDIT.BEFORE);
        @Nullable JSONB after = row.get(DEAD_LETTER_AUDIT.AFTER);
        return new DeadLetterAuditEntry(
                row.get(DEAD_LETTER_AUDIT.ACTION),
                row.get(DEAD_LETTER_AUDIT.REDRIVE),
                new AuditContext(row.get(DEAD_LETTER_AUDIT.OPERATOR), row.get(DEAD_LETTER_AUDIT.REASON)),
                row.get(DEAD_LETTER_AUDIT.DATABASE_USER),
                row.get(DEAD_LETTER_AUDIT.AT).toInstant(),
                new DeadLetterAuditEntry.Change(
                        before == null ? null : before.data(), after == null ? null : after.data()));
    }

    /** An action, and the person who ordered it. */
    record Entry(
            String action,
            AuditContext instruction,
            @Nullable Long redrive) {
        static Entry of(String action, AuditContext instruction) {
            return new Entry(action, instruction, null);
        }
    }

    /** A dead letter and the state it was in. */
    record Transition(long id, String from) {}
}
