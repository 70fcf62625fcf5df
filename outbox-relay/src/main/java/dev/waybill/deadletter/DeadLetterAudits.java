package dev.waybill.deadletter;

import static dev.waybill.migrations.jooq.Tables.DEAD_LETTER_AUDIT;
import static org.jooq.impl.DSL.val;

import dev.waybill.hold.Instruction;
import dev.waybill.migrations.SchemaName;
import java.util.List;
import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.jooq.Record;
import org.jooq.tools.json.JSONObject;
import org.jspecify.annotations.Nullable;

/** The record of what was done. Nothing that a message says is in it, so that nothing has to be erased from it. */
final class DeadLetterAudits {
    private final String states;

    DeadLetterAudits(SchemaName schema) {
        states = """
                insert into %1$s.dead_letter_audit (dead_letter, redrive, action, operator, reason, before, after)
                select id, {2}, {3}, {4}, {5}, jsonb_build_object('state', state), jsonb_build_object('state', {6})
                from unnest({0}, {1}) as changed(id, state)""".formatted(schema);
    }

    /** Many went from their states to another. */
    void write(DSLContext tx, List<Transition> changed, Entry entry, String to) {
        tx.execute(
                states,
                val(changed.stream().map(Transition::id).toArray(Long[]::new)),
                val(changed.stream().map(Transition::from).toArray(String[]::new)),
                val(entry.redrive, DEAD_LETTER_AUDIT.REDRIVE.getDataType()),
                val(entry.action),
                val(entry.instruction.operator()),
                val(entry.instruction.reason()),
                val(to));
    }

    /** One thing was done. */
    void write(DSLContext tx, @Nullable Long deadLetter, Entry entry, Map<String, ?> before, Map<String, ?> after) {
        tx.insertInto(DEAD_LETTER_AUDIT)
                .set(DEAD_LETTER_AUDIT.DEAD_LETTER, deadLetter)
                .set(DEAD_LETTER_AUDIT.REDRIVE, entry.redrive)
                .set(DEAD_LETTER_AUDIT.ACTION, entry.action)
                .set(DEAD_LETTER_AUDIT.OPERATOR, entry.instruction.operator())
                .set(DEAD_LETTER_AUDIT.REASON, entry.instruction.reason())
                .set(DEAD_LETTER_AUDIT.BEFORE, JSONB.valueOf(JSONObject.toJSONString(before)))
                .set(DEAD_LETTER_AUDIT.AFTER, JSONB.valueOf(JSONObject.toJSONString(after)))
                .execute();
    }

    List<DeadLetterAuditEntry> of(DSLContext dsl, long deadLetter) {
        return dsl.selectFrom(DEAD_LETTER_AUDIT)
                .where(DEAD_LETTER_AUDIT.DEAD_LETTER.eq(deadLetter))
                .orderBy(DEAD_LETTER_AUDIT.ID)
                .fetch(DeadLetterAudits::entry);
    }

    private static DeadLetterAuditEntry entry(Record row) {
        @Nullable JSONB before = row.get(DEAD_LETTER_AUDIT.BEFORE);
        @Nullable JSONB after = row.get(DEAD_LETTER_AUDIT.AFTER);
        return new DeadLetterAuditEntry(
                row.get(DEAD_LETTER_AUDIT.ACTION),
                row.get(DEAD_LETTER_AUDIT.REDRIVE),
                new Instruction(row.get(DEAD_LETTER_AUDIT.OPERATOR), row.get(DEAD_LETTER_AUDIT.REASON)),
                row.get(DEAD_LETTER_AUDIT.DATABASE_USER),
                row.get(DEAD_LETTER_AUDIT.AT).toInstant(),
                before == null ? null : before.data(),
                after == null ? null : after.data());
    }

    /** What was done, and on whose word. */
    record Entry(
            String action,
            Instruction instruction,
            @Nullable Long redrive) {
        static Entry of(String action, Instruction instruction) {
            return new Entry(action, instruction, null);
        }
    }

    /** A dead letter and the state it was in. */
    record Transition(long id, String from) {}
}
