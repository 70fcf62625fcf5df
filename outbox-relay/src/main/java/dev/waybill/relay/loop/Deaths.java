package dev.waybill.relay.loop;

import static org.jooq.impl.DSL.val;

import dev.waybill.relay.OutboxRow;
import dev.waybill.schema.Locking;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
import org.jooq.DSLContext;

/** What outlives a process that dies while it sends: which message it sent alone. */
final class Deaths {
    private final DSLContext dsl;
    private final SqlFiles sql;

    Deaths(DSLContext dsl, SchemaName schema) {
        this.dsl = dsl;
        sql = new SqlFiles(Deaths.class, schema);
    }

    /**
     * Writes down, durably, the message that is about to be sent alone.
     *
     * @return false if it is not to be sent now: somebody has locked the destination, or another relay owns it
     */
    boolean suspect(String destination, long epoch, OutboxRow row) {
        return dsl.transactionResult(tx -> {
            Locking.beginDurable(tx.dsl());
            return tx.dsl()
                            .execute(
                                    sql.get("death-suspect"),
                                    val(destination),
                                    val(epoch),
                                    val(row.seq()),
                                    val(row.messageId()))
                    == 1;
        });
    }

    /** The message that was written down has come back: if the process dies from now on, it is not with that one. */
    void survive(String destination, long epoch) {
        dsl.transaction(tx -> {
            Locking.beginDurable(tx.dsl());
            tx.dsl().execute(sql.get("death-survive"), val(destination), val(epoch));
        });
    }

    /** Messages get through again: no death counts any more. */
    void clear(String destination, long epoch) {
        dsl.execute(sql.get("death-clear"), val(destination), val(epoch));
    }
}
