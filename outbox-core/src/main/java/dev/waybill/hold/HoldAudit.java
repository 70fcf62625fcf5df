package dev.waybill.hold;

import static dev.waybill.schema.jooq.Tables.OPERATOR_ACTION;

import dev.waybill.hold.OperatorAction.Kind;
import dev.waybill.hold.OperatorAction.Subject;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.jooq.Param;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** The audit of operators' actions on holds. */
record HoldAudit(HoldTables tables) {
    void write(DSLContext tx, HoldKey key, String action, AuditContext instruction, Change change) {
        new OperatorAction(action, subject(key), instruction.operator(), instruction.reason())
                .write(tx, change.before(), change.after());
    }

    private static Subject subject(HoldKey key) {
        return new Subject(key.side() == HoldSide.OUTBOX ? Kind.OUTBOX_HOLD : Kind.INBOX_HOLD, key.text(), key.scope());
    }

    /** Records messages before their deletion, inside the database. */
    void skipped(DSLContext tx, HoldKey key, long holdId, List<Long> places, AuditContext instruction) {
        tx.execute(
                SKIPPED.formatted(tables.schema(), tables.messages()),
                DSL.val(subject(key).kind().column()),
                DSL.val(key.scope()),
                DSL.val(key.text()),
                DSL.val(instruction.operator()),
                DSL.val(instruction.reason()),
                id(holdId),
                DSL.val(places.toArray(Long[]::new)));
    }

    List<AuditEntry> of(DSLContext dsl, HoldKey key) {
        return dsl.selectFrom(OPERATOR_ACTION)
                .where(subject(key).isOfRow())
                .orderBy(OPERATOR_ACTION.ID)
                .fetch(HoldAudit::entry);
    }

    @Nullable JSONB hold(DSLContext tx, long id) {
        return json(tx.fetchOne("select to_jsonb(t) from " + tables.holds() + " t where id = {0}", id(id)));
    }

    @Nullable JSONB message(DSLContext tx, long holdId, long place) {
        return json(tx.fetchOne(
                "select to_jsonb(t) from " + tables.messages() + " t where hold_id = {0} and place = {1}",
                id(holdId),
                id(place)));
    }

    private static Param<Long> id(long value) {
        return DSL.val(value);
    }

    private static @Nullable JSONB json(@Nullable Record row) {
        return row == null ? null : row.get(0, JSONB.class);
    }

    private static AuditEntry entry(Record row) {
        @Nullable JSONB before = row.get(OPERATOR_ACTION.BEFORE);
        @Nullable JSONB after = row.get(OPERATOR_ACTION.AFTER);
        return new AuditEntry(
                row.get(OPERATOR_ACTION.ACTION),
                new AuditContext(row.get(OPERATOR_ACTION.OPERATOR), row.get(OPERATOR_ACTION.REASON)),
                row.get(OPERATOR_ACTION.DATABASE_USER),
                row.get(OPERATOR_ACTION.AT).toInstant(),
                before == null ? null : before.data(),
                after == null ? null : after.data());
    }

    private static final String SKIPPED = """
            insert into %1$s.operator_action (subject_kind, scope, subject, action, operator, reason, before)
            select {0}, {1}, {2}, 'skip', {3}, {4}, to_jsonb(t)
            from %2$s t
            where hold_id = {5} and place = any({6})
            order by place
            """;

    record Change(@Nullable JSONB before, @Nullable JSONB after) {}
}
