package dev.waybill.benchmarks.outbox;

import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.outbox.Outbox;
import java.util.function.Consumer;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/** The same relay, with appends that travel with the COMMIT by an outbox that tells it of each commit. */
record AtCommitSide(Outbox outbox, WaybillSide waybill) implements CostSide {
    static AtCommitSide of(OutboxSchema schema, WaybillSide waybill) {
        return new AtCommitSide(
                Outbox.builder().schema(schema.name()).relay(waybill).build(), waybill);
    }

    @Override
    public boolean publishes() {
        return true;
    }

    @Override
    public DSLContext transactions(DSLContext usual) {
        Configuration configuration = usual.configuration();
        return DSL.using(configuration.derive(outbox.appendingAtCommit(configuration.connectionProvider())));
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
