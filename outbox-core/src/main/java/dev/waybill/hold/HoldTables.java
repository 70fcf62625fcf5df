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

/**
 * The two tables of one side. Statements of this package are written with the inbox's generated tables and its {@linkplain
 * #scope() scope}; a context of the outbox renders its own tables in their place.
 */
record HoldTables(SchemaName schema, HoldSide side) {
    static final dev.waybill.schema.jooq.tables.InboxHold HOLD = INBOX_HOLD;
    static final dev.waybill.schema.jooq.tables.InboxHeldMessage HELD_MESSAGE = INBOX_HELD_MESSAGE;

    /** The same connection and transaction, with the tables of this side. */
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

    /** The destination or the consumer. */
    Field<String> scope() {
        return scope(side);
    }

    static Field<String> scope(HoldSide side) {
        return side == HoldSide.OUTBOX ? OUTBOX_HOLD.DESTINATION : INBOX_HOLD.CONSUMER;
    }

    /** The qualified name of the table of holds, for plain SQL. */
    String holds() {
        return schema.table(side.column() + "_hold");
    }

    /** The qualified name of the table of their messages, for plain SQL. */
    String messages() {
        return schema.table(side.column() + "_held_message");
    }
}
