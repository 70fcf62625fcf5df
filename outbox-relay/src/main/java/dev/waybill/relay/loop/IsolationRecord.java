package dev.waybill.relay.loop;

import static org.jooq.impl.DSL.val;

import dev.waybill.relay.OutboxRow;
import dev.waybill.schema.Locking;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
import org.jooq.DSLContext;

/** Records, durably, the message that a relay sends in isolation. */
final class IsolationRecord {
    private final DSLContext dsl;
    private final SqlFiles sql;

    IsolationRecord(DSLContext dsl, SchemaName schema) {
        this.dsl = dsl;
        sql = new SqlFiles(IsolationRecord.class, schema);
    }

    /** False if the message must not be sent now: the destination is locked or has another owner. */
    boolean begin(String destination, long epoch, OutboxRow row) {
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

    /** The recorded message is settled; a later crash does not count against it. */
    void end(String destination, long epoch) {
        dsl.transaction(tx -> {
            Locking.beginDurable(tx.dsl());
            tx.dsl().execute(sql.get("death-survive"), val(destination), val(epoch));
        });
    }

    void clear(String destination, long epoch) {
        dsl.execute(sql.get("death-clear"), val(destination), val(epoch));
    }
}
