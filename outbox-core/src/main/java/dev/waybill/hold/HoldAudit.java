package dev.waybill.hold;

import static dev.waybill.schema.jooq.Tables.HOLD_AUDIT;

import dev.waybill.schema.SchemaName;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.jooq.Param;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** The record of what operators did. */
record HoldAudit(SchemaName schema) {
    void write(DSLContext tx, HoldKey key, String action, AuditContext instruction, Change change) {
        tx.insertInto(HOLD_AUDIT)
                .set(HOLD_AUDIT.SIDE, key.side().column())
                .set(HOLD_AUDIT.SCOPE, key.scope())
                .set(HOLD_AUDIT.KEY, key.text())
                .set(HOLD_AUDIT.ACTION, action)
                .set(HOLD_AUDIT.OPERATOR, instruction.operator())
                .set(HOLD_AUDIT.REASON, instruction.reason())
                .set(HOLD_AUDIT.BEFORE, change.before())
                .set(HOLD_AUDIT.AFTER, change.after())
                .execute();
    }

    /** Messages are about to be taken out. Their contents never leave the database. */
    void skipped(DSLContext tx, HoldKey key, long holdId, List<Long> places, AuditContext instruction) {
        tx.execute(
                SKIPPED.formatted(schema),
                DSL.val(key.side().column()),
                DSL.val(key.scope()),
                DSL.val(key.text()),
                DSL.val(instruction.operator()),
                DSL.val(instruction.reason()),
                id(holdId),
                DSL.val(places.toArray(Long[]::new)));
    }

    List<AuditEntry> of(DSLContext dsl, HoldKey key) {
        return dsl.selectFrom(HOLD_AUDIT)
                .where(
                        HOLD_AUDIT.SIDE.eq(key.side().column()),
                        HOLD_AUDIT.SCOPE.eq(key.scope()),
                        HOLD_AUDIT.KEY.eq(key.text()))
                .orderBy(HOLD_AUDIT.ID)
                .fetch(HoldAudit::entry);
    }

    @Nullable JSONB hold(DSLContext tx, long id) {
        return json(tx.fetchOne("select to_jsonb(t) from " + schema.table("hold") + " t where id = {0}", id(id)));
    }

    @Nullable JSONB message(DSLContext tx, long holdId, long place) {
        return json(tx.fetchOne(
                "select to_jsonb(t) from " + schema.table("held_message") + " t where hold_id = {0} and place = {1}",
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
        @Nullable JSONB before = row.get(HOLD_AUDIT.BEFORE);
        @Nullable JSONB after = row.get(HOLD_AUDIT.AFTER);
        return new AuditEntry(
                row.get(HOLD_AUDIT.ACTION),
                new AuditContext(row.get(HOLD_AUDIT.OPERATOR), row.get(HOLD_AUDIT.REASON)),
                row.get(HOLD_AUDIT.DATABASE_USER),
                row.get(HOLD_AUDIT.AT).toInstant(),
                before == null ? null : before.data(),
                after == null ? null : after.data());
    }

    private static final String SKIPPED = """
            insert into %1$s.hold_audit (side, scope, key, action, operator, reason, before)
            select {0}, {1}, {2}, 'skip', {3}, {4}, to_jsonb(t)
            from %1$s.held_message t
            where hold_id = {5} and place = any({6})
            order by place
            """;

    /** A value before and after a change. */
    record Change(@Nullable JSONB before, @Nullable JSONB after) {}
}
