package dev.waybill.benchmarks.outbox;

import dev.waybill.outbox.Outbox;
import java.util.function.Consumer;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/** The same writer and relay, with appends that travel with the COMMIT. */
record AtCommitSide(Outbox outbox, WaybillSide waybill) implements CostSide {
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
        return waybill.publishing(published);
    }
}
