package dev.waybill.deadletter.audit;

import static dev.waybill.schema.jooq.Tables.DEAD_LETTER;
import static dev.waybill.schema.jooq.Tables.OPERATOR_ACTION;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.FieldChange;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.OperatorAction;
import dev.waybill.hold.OperatorAction.Kind;
import dev.waybill.hold.OperatorAction.Subject;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** Writes and reads the audit rows of dead letters. */
public final class DeadLetterAudit {
    private static final String STATE = "state";
    /** The action of a redaction. */
    public static final String REDACT = "redact";

    private static final String HAD_A_FIELD = """
            ({0} -> 'fields' is null or exists (
              select from jsonb_array_elements_text({0} -> 'fields') as f
              where case when f like 'property:%' then lower(f collate "C") else f end = any ({1})))""";

    private DeadLetterAudit() {}

    /** One row for each state that letters were in before. */
    public static void write(DSLContext tx, List<Transition> changed, Entry entry, String to) {
        byState(changed).forEach((from, ids) -> write(tx, ids, entry, Map.of(STATE, from), Map.of(STATE, to)));
    }

    /** One row for each state; no fields means all content. */
    public static void redacted(DSLContext tx, List<Transition> touched, Entry entry, List<String> fields) {
        byState(touched)
                .forEach((state, ids) -> write(
                        tx,
                        ids,
                        entry,
                        Map.of(STATE, state),
                        fields.isEmpty() ? Map.of(STATE, state) : Map.of(STATE, state, "fields", fields)));
    }

    /** Whether one of the letters has lost one of these fields, or all content, before. */
    public static boolean wasRedacted(DSLContext dsl, Condition letters, Collection<String> fields) {
        return dsl.fetchExists(dsl.selectOne()
                .from(OPERATOR_ACTION)
                .where(
                        OPERATOR_ACTION.SUBJECT_KIND.eq(inline(Kind.DEAD_LETTER.column())),
                        OPERATOR_ACTION.ACTION.eq(REDACT),
                        condition(
                                "string_to_array({0}, ' ') && array({1})",
                                OPERATOR_ACTION.SUBJECT,
                                select(field("{0}::text", String.class, DEAD_LETTER.ID))
                                        .from(DEAD_LETTER)
                                        .where(letters)),
                        condition(
                                HAD_A_FIELD,
                                OPERATOR_ACTION.AFTER,
                                val(fields.stream().map(FieldChange::key).toArray(String[]::new)))));
    }

    public static void write(
            DSLContext tx, List<Long> deadLetters, Entry entry, Map<String, ?> before, Map<String, ?> after) {
        String ids = deadLetters.stream().map(String::valueOf).collect(joining(" "));
        @Nullable String run = entry.redrive == null ? null : entry.redrive.toString();
        new OperatorAction(
                        entry.action,
                        new Subject(Kind.DEAD_LETTER, ids, run),
                        entry.instruction.operator(),
                        entry.instruction.reason())
                .write(tx, JSONB.valueOf(JsonObjects.write(before)), JSONB.valueOf(JsonObjects.write(after)));
    }

    private static Map<String, List<Long>> byState(List<Transition> transitions) {
        return transitions.stream()
                .collect(groupingBy(Transition::from, TreeMap::new, mapping(Transition::id, toList())));
    }

    public static List<DeadLetter.AuditEntry> of(DSLContext dsl, long deadLetter) {
        return dsl.selectFrom(OPERATOR_ACTION)
                .where(
                        OPERATOR_ACTION.SUBJECT_KIND.eq(inline(Kind.DEAD_LETTER.column())),
                        condition(
                                "string_to_array({0}, ' ') @> array[{1}]::text[]",
                                OPERATOR_ACTION.SUBJECT, val("" + deadLetter)))
                .orderBy(OPERATOR_ACTION.ID)
                .fetch(DeadLetterAudit::entry);
    }

    private static DeadLetter.AuditEntry entry(Record row) {
        @Nullable String run = row.get(OPERATOR_ACTION.SCOPE);
        @Nullable JSONB before = row.get(OPERATOR_ACTION.BEFORE);
        @Nullable JSONB after = row.get(OPERATOR_ACTION.AFTER);
        return new DeadLetter.AuditEntry(
                row.get(OPERATOR_ACTION.ACTION),
                run == null ? null : Long.valueOf(run),
                new AuditContext(row.get(OPERATOR_ACTION.OPERATOR), row.get(OPERATOR_ACTION.REASON)),
                row.get(OPERATOR_ACTION.DATABASE_USER),
                row.get(OPERATOR_ACTION.AT).toInstant(),
                new DeadLetter.AuditEntry.Change(
                        before == null ? null : before.data(), after == null ? null : after.data()));
    }

    public record Entry(
            String action,
            AuditContext instruction,
            @Nullable Long redrive) {
        public static Entry of(String action, AuditContext instruction) {
            return new Entry(action, instruction, null);
        }
    }

    /** A letter, and its state before an action. */
    public record Transition(long id, String from) {}
}
