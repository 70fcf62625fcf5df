package dev.waybill.relay.loop;

import static org.jooq.impl.DSL.val;

import dev.waybill.relay.OutboxRow;
import dev.waybill.schema.Locking;
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
                                    SUSPECT.formatted(schema),
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
            tx.dsl().execute(SURVIVE.formatted(schema), val(destination), val(epoch));
        });
    }

    /** Messages get through again: no death counts any more. */
    void clear(String destination, long epoch) {
        dsl.execute(CLEAR.formatted(schema), val(destination), val(epoch));
    }

    // What somebody has locked stays as it is: the loop waits for no lock, because all destinations would.
    private static final String FREE = """
            with free as materialized (
              select destination from %1$s.outbox_destination where destination = {0} and epoch = {1} for update skip locked
            )
            """;

    private static final String SUSPECT = FREE + """
            update %1$s.outbox_destination d
            set suspect_seq = {2}, suspect_message_id = {3}, suspect_epoch = {1},
              suspect_deaths = case when d.suspect_seq = {2} and d.suspect_message_id = {3} then d.suspect_deaths else 0 end
            from free where d.destination = free.destination
            """;

    private static final String SURVIVE = FREE + """
            update %1$s.outbox_destination d set suspect_epoch = null from free where d.destination = free.destination
            """;

    private static final String CLEAR = FREE + """
            update %1$s.outbox_destination d
            set deaths = 0, suspect_seq = null, suspect_message_id = null, suspect_epoch = null, suspect_deaths = 0
            from free where d.destination = free.destination
            """;
}
