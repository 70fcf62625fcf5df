package dev.waybill.benchmarks.outbox;

import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.outbox.Outbox;
import java.util.function.Consumer;
import org.jooq.DSLContext;

/** The same relay, with appends that travel with the COMMIT, by an outbox that notifies it of each commit. */
record AtCommitSide(OutboxSchema schema, WaybillSide waybill) implements CostSide {
    @Override
    public boolean publishes() {
        return true;
    }

    @Override
    public Transactions transactions(DSLContext usual) {
        var outbox = Outbox.builder(usual).schema(schema.name()).relay(waybill).build();
        return work -> outbox.inTransaction(work::accept);
    }

    @Override
    public void write(DSLContext tx, int account, String reference) {
        waybill.write(tx, account, reference);
    }

    @Override
    public Publishing publishing(Consumer<String> published) {
        waybill.start(published);
        return () -> {};
    }
}
