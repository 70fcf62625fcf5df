package dev.waybill.relay.loop;

import static org.jooq.impl.DSL.val;

import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.lease.Locking;
import dev.waybill.schema.SchemaName;
import org.jooq.DSLContext;

/** What outlives a process that dies while it sends: which message it sent alone. */
final class Deaths {
    private final DSLContext dsl;
    private final SchemaName schema;

    Deaths(DSLContext dsl, SchemaName schema) {
        this.dsl = dsl;
        this.schema = schema;
    }

    /** Writes down, durably, the message that is about to be sent alone. Returns false if the destination has another owner. */
    boolean suspect(String destination, long epoch, OutboxRow row) {
        return dsl.transactionResult(tx -> {
            Locking.beginDurable(tx.dsl());
            return tx.dsl()
                            .execute(
                                    SUSPECT.formatted(schema),
                                    val(destination),
                                    val(epoch),
                                    val(row.seq()),
                                    val(row.messageId()))
                    == 1;
        });
    }

    /** Messages get through again: no death counts any more. */
    void clear(String destination, long epoch) {
        dsl.execute(CLEAR.formatted(schema), val(destination), val(epoch));
    }

    private static final String SUSPECT = """
            update %1$s.outbox_destination
            set suspect_seq = {2}, suspect_message_id = {3},
              suspect_deaths = case when suspect_seq = {2} and suspect_message_id = {3} then suspect_deaths else 0 end
            where destination = {0} and epoch = {1}
            """;

    private static final String CLEAR = """
            update %1$s.outbox_destination
            set deaths = 0, suspect_seq = null, suspect_message_id = null, suspect_deaths = 0
            where destination = {0} and epoch = {1}
            """;
}
