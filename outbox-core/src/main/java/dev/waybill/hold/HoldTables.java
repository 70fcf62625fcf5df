package dev.waybill.hold;

import static dev.waybill.schema.jooq.Tables.INBOX_HELD_MESSAGE;
import static dev.waybill.schema.jooq.Tables.INBOX_HOLD;
import static dev.waybill.schema.jooq.Tables.OUTBOX_HELD_MESSAGE;
import static dev.waybill.schema.jooq.Tables.OUTBOX_HOLD;

import dev.waybill.schema.SchemaName;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Table;
import org.jooq.conf.MappedSchema;
import org.jooq.conf.MappedTable;
import org.jooq.conf.RenderMapping;
import org.jooq.conf.Settings;
import org.jooq.conf.SettingsTools;
import org.jooq.impl.DSL;

/** The tables of one side. Statements name the inbox's tables; for the outbox, {@link #in} renders the outbox's instead. */
record HoldTables(SchemaName schema, HoldSide side) {
    static final dev.waybill.schema.jooq.tables.InboxHold HOLD = INBOX_HOLD;
    static final dev.waybill.schema.jooq.tables.InboxHeldMessage HELD_MESSAGE = INBOX_HELD_MESSAGE;

    DSLContext in(DSLContext dsl) {
        DSLContext bound = schema.in(dsl);
        if (side == HoldSide.INBOX) {
            return bound;
        }
        MappedSchema mapped = new MappedSchema()
                .withInput(SchemaName.DEFAULT.value())
                .withOutput(schema.value())
                .withTables(List.of(renamed(HOLD, OUTBOX_HOLD), renamed(HELD_MESSAGE, OUTBOX_HELD_MESSAGE)));
        Settings settings = SettingsTools.clone(bound.settings());
        return DSL.using(
                bound.configuration().derive(settings.withRenderMapping(new RenderMapping().withSchemata(mapped))));
    }

    private static MappedTable renamed(Table<?> table, Table<?> other) {
        return new MappedTable().withInput(table.getName()).withOutput(other.getName());
    }

    /** The column of the destination or consumer. */
    Field<String> scope() {
        return scope(side);
    }

    static Field<String> scope(HoldSide side) {
        return side == HoldSide.OUTBOX ? OUTBOX_HOLD.DESTINATION : INBOX_HOLD.CONSUMER;
    }

    String holds() {
        return schema.table(side.column() + "_hold");
    }

    String messages() {
        return schema.table(side.column() + "_held_message");
    }
}
